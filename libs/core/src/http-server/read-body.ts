import { type Readable } from 'node:stream';
import { PayloadTooLargeException } from '@nestjs/common';
import { ServiceError } from '../errors/index.js';
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

const incomplete = (): ServiceError =>
  new ServiceError('invalid-request', 'InvalidBody', 'Invalid value for: body (ends before its end)');

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
    const parts: Buffer[] = [];
    let received = 0;
    let pausing: NodeJS.Timeout | undefined;
    const end = (settle: () => void): void => {
      stream.off('data', onData).off('end', onEnd).off('error', onCut).off('close', onCut);
      budget.giveBack(client, received);
      clearTimeout(pausing);
      settle();
    };
    const onData = (part: Buffer): void => {
      try {
        if (received + part.length > limit) throw new PayloadTooLargeException();
        look(part);
        budget.take(client, part.length);
      } catch (error) {
        return end(() => reject(error as Error));
      }
      received += part.length;
      parts.push(part);
      const pauseMs = budget.pauseAfter(client, part.length);
      if (pauseMs === 0) return;
      stream.pause();
      pausing = setTimeout(() => stream.resume(), pauseMs);
    };
    const onEnd = (): void => end(() => resolve(Buffer.concat(parts, received).toString('utf8')));
    const onCut = (): void => end(() => reject(incomplete()));
    if (Number(announced) > limit) return reject(new PayloadTooLargeException());
    stream.on('data', onData).on('end', onEnd).on('error', onCut).on('close', onCut);
  });
