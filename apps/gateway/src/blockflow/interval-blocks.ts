import { Injectable } from '@nestjs/common';
import { type FastifyReply } from 'fastify';
import { type LargeAnswer } from '@shardnode/http/large-answers';
import { allGroups, GroupClient, mostBytesOfBlocks } from '@shardnode/messages';
import { LargeAnswers, smallBytes } from '../large-answers/large-answers.js';
import { mostCharacters } from '../large-answers/most-characters.js';
import { blockAndEventsForm, chainsJson, storedBlockForm } from './chain-blocks.js';
import { tooManyBlocks } from './interval.js';

interface BlocksQuery {
  /** Milliseconds since 1970. */
  readonly fromTs: number;
  readonly toTs: number;
  readonly withEvents: boolean;
}

/** Whether there is no shorter interval to ask for. */
const isShortest = ({ fromTs, toTs }: BlocksQuery): boolean => toTs <= fromTs + 1;

/**
 * The blocks of an interval from all groups, within the budget of an answer. A request for more is refused with the
 * longest interval from the same start that fits. One millisecond is always answered: its blocks are those of 32 at most,
 * and there is no shorter interval.
 */
@Injectable()
export class IntervalBlocks {
  constructor(
    private readonly groups: GroupClient,
    private readonly large: LargeAnswers,
  ) {}

  /** JSON of a list for each chain. @throws ServiceError `AnswerTooLarge` */
  async json(query: BlocksQuery, reply: FastifyReply): Promise<string> {
    const few = await this.read(query, smallBytes);
    if (few.every(({ until }) => until === undefined)) return this.made(query, few);
    const answer = await this.large.hold(reply);
    const replies = await this.read(query, isShortest(query) ? undefined : mostBytesOfBlocks);
    return this.made(query, replies, answer);
  }

  private read({ fromTs, toTs, withEvents }: BlocksQuery, maxBytes: number | undefined) {
    return allGroups(this.groups, 'read.chain.blocks', {
      fromTs,
      toTs,
      ...(withEvents ? { withEvents } : {}),
      ...(maxBytes === undefined ? {} : { maxBytes }),
    });
  }

  private async made(
    query: BlocksQuery,
    replies: Awaited<ReturnType<IntervalBlocks['read']>>,
    answer?: LargeAnswer,
  ): Promise<string> {
    const { fromTs, withEvents } = query;
    const made = await chainsJson(replies, {
      groups: this.groups.groups,
      formOf: withEvents ? blockAndEventsForm : storedBlockForm,
      mostCharacters: isShortest(query) ? Number.POSITIVE_INFINITY : mostCharacters,
      proceed: () => answer?.proceed(),
    });
    if ('until' in made) throw tooManyBlocks(query, Math.max(made.until, fromTs + 1));
    answer?.proceed(made.json.length);
    return made.json;
  }
}
