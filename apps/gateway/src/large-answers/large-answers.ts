import { Inject, Injectable } from '@nestjs/common';
import { type FastifyReply } from 'fastify';
import { ServiceError } from '@shardnode/core/errors';
import { Clock } from '@shardnode/core/lifecycle';
import { AnswerPermits } from '@shardnode/http/large-answers';
import { mostCharacters } from './most-characters.js';

/** Bytes that one read finds without a permit: a mebibyte of JSON, or a little more. */
const mostUnheldBytes = 256 * 1024;

/** The same for each group of a read that asks all of them. */
export const smallBytes = 32 * 1024;

const isTooLarge = (error: unknown): boolean => error instanceof ServiceError && error.code === 'AnswerTooLarge';

/** The permits of the gateway's answers. Operations ask for one as soon as they know that their answer is large. */
@Injectable()
export class LargeAnswers extends AnswerPermits {
  constructor(@Inject(Clock) clock: Clock) {
    super(clock);
  }

  /**
   * Reads at once if it is little, else with a permit; `read` gets the most bytes that are little, then undefined, and
   * fails with `AnswerTooLarge` when it finds more.
   *
   * @throws the error of `tooMany` if it is too much with a permit, too
   */
  async read<Found>(
    reply: FastifyReply,
    read: (maxBytes: number | undefined) => Promise<Found>,
    tooMany?: () => ServiceError,
  ): Promise<Found> {
    try {
      return await read(mostUnheldBytes);
    } catch (error) {
      if (!isTooLarge(error)) throw error;
    }
    const { proceed } = await this.hold(reply);
    try {
      return await read(undefined);
    } catch (error) {
      throw tooMany && isTooLarge(error) ? tooMany() : error;
    } finally {
      proceed(mostCharacters);
    }
  }
}
