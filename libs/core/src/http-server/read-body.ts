import { type Readable } from 'node:stream';
import { PayloadTooLargeException } from '@nestjs/common';
import { type ServiceError, coreError } from '../errors/index.js';
import { type BodyBudget } from './body-budget.js';

/** A body on its way: where it comes from, and how much of it is wanted. */
export interface IncomingBody {
  readonly stream: Readable;
  /** Address that it is counted for. */
  readonly client: string;
  /** Bytes. */
  readonly limit: number;
  /** The header `Content-Length`, if there is one. */
  readonly announced: string | undefined;
  /** Sees each piece as it arrives; throws when the rest is not wanted. */
  readonly look: (part: Uint8Array) => void;
}

const incomplete = (): ServiceError => coreError('InvalidBody', 'Invalid value for: body (ends before its end)');

/**
 * The text of a body. Its bytes are counted in the budget while they arrive and until the text is there; of a client that is
 * faster than it may be they are read later. Who is refused is refused before the rest is read.
 * @throws PayloadTooLargeException over the limit; ServiceError when the budget has no room, or the client goes away; what `look` throws
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
