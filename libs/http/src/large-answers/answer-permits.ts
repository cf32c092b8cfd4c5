import { Readable } from 'node:stream';
import { type FastifyReply } from 'fastify';
import { ClientSemaphore } from '@shardnode/core/concurrency';
import { clientOfAddress } from '@shardnode/core/http-limits';
import { type Clock, type Timer } from '@shardnode/core/lifecycle';
import { errorOf } from '../errors/error-codes.js';
import { abortWhenClosed } from './abort-when-closed.js';

/** Large answers that are being made, or are made and not yet received; and requests that wait for that. */
const bounds = { permits: { inAll: 4, ofOne: 2 }, waiting: { inAll: 32, ofOne: 8 } };
const retryAfterSeconds = 5;

/** Milliseconds in which a client receives a mebibyte. A slower one would hold its memory from others. */
const msPerMebibyte = 30_000;
const mebibyte = 1024 * 1024;

const full = {
  ofOne: () =>
    errorOf(
      'TooManyRequests',
      `${bounds.permits.ofOne} large answers for this client are being made or received, and ${bounds.waiting.ofOne} of its requests wait: ask for one after the other`,
      { retryAfterSeconds },
    ),
  inAll: () =>
    errorOf('ServerBusy', `${bounds.waiting.inAll} requests wait for their large answers already`, {
      retryAfterSeconds,
    }),
};

/** A large answer with its permit. */
export interface LargeAnswer {
  /**
   * Call it before each piece of work, with the characters that the client gets next: it has 30 s for each mebibyte from
   * now on. Then its connection is closed.
   *
   * @throws ServiceError when the client has gone: nobody needs the rest
   */
  readonly proceed: (characters?: number) => void;
  /** An answer that is sent as it is made: the next piece is made when the client has received the one before. */
  readonly stream: (pieces: AsyncIterable<string>) => Readable;
}

/**
 * The one bound on large answers: two at once for one client, four in all, a few requests wait, and the rest is refused
 * with a time to retry. An operation asks for a permit when it knows that its answer is large, or `holdUnannounced` does;
 * the answer holds it until its client has received it or has gone.
 */
export class AnswerPermits {
  private readonly permits = new ClientSemaphore({ ...bounds, full });
  private readonly holding = new WeakSet<FastifyReply>();

  constructor(private readonly clock: Clock) {}

  /** Whether the answer has its permit already. */
  holds(reply: FastifyReply): boolean {
    return this.holding.has(reply);
  }

  /** @throws ServiceError `TooManyRequests` of this client, `ServerBusy` because of all */
  async hold(reply: FastifyReply): Promise<LargeAnswer> {
    const { raw, request } = reply;
    const { signal } = abortWhenClosed(reply);
    const release = await this.permits.acquire(clientOfAddress(request.ip), signal);
    if (signal.aborted) release();
    signal.throwIfAborted();
    this.holding.add(reply);
    let timer: Timer | undefined;
    signal.addEventListener('abort', () => {
      timer?.cancel();
      release();
    });
    const proceed = (characters = 0): void => {
      signal.throwIfAborted();
      timer?.cancel();
      timer = this.clock.after(msPerMebibyte * Math.max(1, Math.ceil(characters / mebibyte)), () => raw.destroy());
    };
    proceed();
    const paced = async function* (pieces: AsyncIterable<string>): AsyncGenerator<string> {
      for await (const piece of pieces) {
        proceed(piece.length);
        yield piece;
      }
    };
    return { proceed, stream: (pieces) => Readable.from(paced(pieces), { highWaterMark: 1 }) };
  }
}
