import { type Readable } from 'node:stream';
import { PayloadTooLargeException } from '@nestjs/common';
import { type ServiceError, coreError } from '../errors/index.js';
import { type BodyBudget } from './body-budget.js';

/** An incoming body: its client and its limits. */
export interface IncomingBody {
  readonly stream: Readable;
  /** Address whose budget it uses. */
  readonly client: string;
  /** Bytes. */
  readonly limit: number;
  /** The header `Content-Length`, if there is one. */
  readonly announced: string | undefined;
  /** Gets each chunk as it arrives; throws to refuse the rest. */
  readonly look: (part: Uint8Array) => void;
}

const incomplete = (): ServiceError => coreError('InvalidBody', 'Invalid value for: body (ends before its end)');

/** Pieces of a body that may have any size; after them their mean must not be below this, in bytes. */
const [freePieces, leastMean] = [1_000, 32];
/** Cost of a piece besides its bytes, in bytes: its events and its object take as long as reading some. */
const pieceCost = 128;

/** Streams of bodies that were refused for their small pieces. */
const refusedCrumbs = new WeakSet<Readable>();

/** Whether the body came in pieces so small that reading its rest costs much more than its bytes. */
export const cameInCrumbs = (stream: Readable): boolean => refusedCrumbs.has(stream);

const crumbs = (): ServiceError =>
  coreError(
    'InvalidBody',
    `Invalid value for: body (comes in pieces of less than ${leastMean} bytes on average: send larger ones)`,
  );

/** Bytes in one buffer that grows: an object for each piece of one byte would take a hundred times its memory. */
class GrowingBuffer {
  private buffer = Buffer.alloc(0);
  length = 0;

  /** @param most bytes that it ever needs */
  constructor(private readonly most: number) {}

  add(part: Uint8Array): void {
    const needed = this.length + part.length;
    if (needed > this.buffer.length) {
      // The system gives memory for what is written, not for what is reserved.
      const larger = Buffer.allocUnsafe(Math.min(this.most, Math.max(needed, 2 * this.buffer.length)));
      this.buffer.copy(larger, 0, 0, this.length);
      this.wipe();
      this.buffer = larger;
    }
    this.buffer.set(part, this.length);
    this.length = needed;
  }

  text(): string {
    return this.buffer.toString('utf8', 0, this.length);
  }

  /** Bodies hold passwords: their bytes do not wait for the garbage collector. */
  wipe(): void {
    this.buffer.fill(0, 0, this.length);
  }
}

/**
 * Reads the text of a body. Its bytes count in the budget until the text is complete. Reading from a client above its
 * rate pauses. A refusal happens before the rest is read.
 * @throws PayloadTooLargeException over the limit; ServiceError when the budget has no room, or the client disconnects;
 * errors of `look`
 */
export const readBody = (
  { stream, client, limit, announced, look }: IncomingBody,
  budget: BodyBudget,
): Promise<string> =>
  new Promise((resolve, reject) => {
    const received = new GrowingBuffer(limit);
    let pieces = 0;
    let pausing: NodeJS.Timeout | undefined;
    const end = (settle: () => void): void => {
      stream.off('data', onData).off('end', onEnd).off('error', onCut).off('close', onCut);
      budget.giveBack(client, received.length);
      clearTimeout(pausing);
      settle();
      received.wipe();
    };
    const onData = (part: Buffer): void => {
      try {
        if (received.length + part.length > limit) throw new PayloadTooLargeException();
        pieces += 1;
        if (pieces > freePieces && received.length < pieces * leastMean) {
          refusedCrumbs.add(stream);
          throw crumbs();
        }
        look(part);
        budget.take(client, part.length);
      } catch (error) {
        return end(() => reject(error as Error));
      }
      received.add(part);
      part.fill(0);
      const pauseMs = budget.pauseAfter(client, part.length + pieceCost);
      if (pauseMs === 0) return;
      stream.pause();
      pausing = setTimeout(() => stream.resume(), pauseMs);
    };
    const onEnd = (): void => end(() => resolve(received.text()));
    const onCut = (): void => end(() => reject(incomplete()));
    if (Number(announced) > limit) return reject(new PayloadTooLargeException());
    stream.on('data', onData).on('end', onEnd).on('error', onCut).on('close', onCut);
  });
