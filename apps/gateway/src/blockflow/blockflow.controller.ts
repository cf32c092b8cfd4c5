import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type FastifyReply } from 'fastify';
import { type z } from 'zod';
import { decodeHeader } from '@shardnode/protocol/block';
import { Clock } from '@shardnode/core/lifecycle';
import { chainOfBlockHash, GroupClient, type GroupRequests } from '@shardnode/messages';
import { UnchangingAnswers } from '../caches/unchanging-answers.js';
import { eventOfBlockForm } from '../events/event-forms.js';
import { eventsJson, eventsOfBlockTooMany } from '../events/events-json.js';
import { LargeAnswers } from '../large-answers/large-answers.js';
import { Operation } from '../operations/operation.js';
import { orNotFound } from '../operations/or-not-found.js';
import { BlockHashPath, ChainQuery } from '../operations/parameters.js';
import { ApiSettings } from '../settings/api-settings.js';
import { blockNotFound, noUncle } from './block-errors.js';
import { headerForm } from './block-forms.js';
import {
  BlockAndEvents,
  BlockEntry,
  BlockHashQuery,
  BlockHeaderEntry,
  BlocksAndEventsPerChain,
  BlocksPerChain,
  ChainInfo,
  GhostUnclePath,
  HashesAtHeight,
  HashesQuery,
  IsInMainChain,
} from './blockflow.schemas.js';
import { storedBlockForm } from './chain-blocks.js';
import { boundedInterval, IntervalQuery } from './interval.js';
import { IntervalBlocks } from './interval-blocks.js';

const sizeOfAnswer =
  'At most 8 MiB: the refusal of more names a shorter interval from the same start that fits. Continue at its end plus one.';

/**
 * Protocol 07 §7. A block and a header are identified by the hash of their content, and their height follows from it:
 * they never change. The events of a block do change: they depend on the time of its execution here.
 */
@ApiTags('Blockflow')
@Controller('blockflow')
export class BlockflowController {
  private readonly groupCount: number;

  constructor(
    private readonly settings: ApiSettings,
    private readonly groups: GroupClient,
    private readonly clock: Clock,
    private readonly unchanging: UnchangingAnswers,
    private readonly intervalBlocks: IntervalBlocks,
    private readonly large: LargeAnswers,
  ) {
    this.groupCount = settings.network.groups;
  }

  @Operation({
    role: 'read',
    summary: 'Blocks of all chains in an interval',
    description: sizeOfAnswer,
    answer: BlocksPerChain,
    codes: ['InvalidInterval', 'AnswerTooLarge'],
  })
  @Get('blocks')
  async blocks(
    @Query({ schema: IntervalQuery }) query: z.output<typeof IntervalQuery>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const interval = boundedInterval(this.settings, this.clock, query);
    return `{"blocks":${await this.intervalBlocks.json({ ...interval, withEvents: false }, reply)}}`;
  }

  @Operation({
    role: 'read',
    summary: 'Blocks of all chains in an interval, with the events of contracts in them',
    description: sizeOfAnswer,
    answer: BlocksAndEventsPerChain,
    codes: ['InvalidInterval', 'AnswerTooLarge'],
  })
  @Get('blocks-with-events')
  async blocksWithEvents(
    @Query({ schema: IntervalQuery }) query: z.output<typeof IntervalQuery>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const interval = boundedInterval(this.settings, this.clock, query);
    return `{"blocksAndEvents":${await this.intervalBlocks.json({ ...interval, withEvents: true }, reply)}}`;
  }

  @Operation({
    role: 'read',
    summary: 'Block by its hash, on the main chain or not',
    answer: BlockEntry,
    codes: ['BlockNotFound'],
  })
  @Get('blocks/:block_hash')
  block(
    @Param({ schema: BlockHashPath }) { block_hash: hash }: z.output<typeof BlockHashPath>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Buffer> {
    return this.unchanging.json('block', hash, async () => {
      const read = (maxBytes?: number) => this.requestBlock('read.chain.block', { hash, maxBytes });
      return storedBlockForm(await this.large.read(reply, read), this.groupCount);
    });
  }

  @Operation({
    role: 'read',
    summary: 'Block by its hash, with the events of contracts in it',
    answer: BlockAndEvents,
    codes: ['BlockNotFound', 'AnswerTooLarge'],
  })
  @Get('blocks-with-events/:block_hash')
  async blockWithEvents(
    @Param({ schema: BlockHashPath }) { block_hash: hash }: z.output<typeof BlockHashPath>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const tooMany = eventsOfBlockTooMany(hash);
    const stored = await this.large.read(
      reply,
      (maxBytes) => this.requestBlock('read.chain.block', { hash, withEvents: true, maxBytes }),
      tooMany,
    );
    const events = await eventsJson(stored.events ?? [], eventOfBlockForm, tooMany);
    return `{"block":${JSON.stringify(storedBlockForm(stored, this.groupCount))},"events":${events}}`;
  }

  @Operation({ role: 'read', summary: 'Header by its hash', answer: BlockHeaderEntry, codes: ['BlockNotFound'] })
  @Get('headers/:block_hash')
  header(@Param({ schema: BlockHashPath }) { block_hash: hash }: z.output<typeof BlockHashPath>): Promise<Buffer> {
    return this.unchanging.json('header', hash, async () => {
      const { header, height } = await this.requestBlock('read.chain.header', { hash });
      return headerForm(decodeHeader(header, this.groupCount, { genesis: 'accepted' }), height);
    });
  }

  @Operation({
    role: 'read',
    summary: 'Whether a block is on the main chain',
    answer: IsInMainChain,
    codes: ['BlockNotFound'],
  })
  @Get('is-block-in-main-chain')
  async isBlockInMainChain(
    @Query({ schema: BlockHashQuery }) { blockHash: hash }: z.output<typeof BlockHashQuery>,
  ): Promise<boolean> {
    const { isCanonical } = await this.requestBlock('read.chain.is-canonical', { hash });
    return isCanonical;
  }

  @Operation({
    role: 'read',
    summary: 'Belongs to a later upgrade: no block has uncles',
    answer: BlockEntry,
    codes: ['BlockNotFound', 'NoGhostUncle'],
  })
  @Get('main-chain-block-by-ghost-uncle/:ghost_uncle_hash')
  async mainChainBlockByGhostUncle(
    @Param({ schema: GhostUnclePath }) { ghost_uncle_hash: hash }: z.output<typeof GhostUnclePath>,
  ): Promise<never> {
    const { isCanonical } = await this.requestBlock('read.chain.is-canonical', { hash });
    throw noUncle(hash, isCanonical);
  }

  @Operation({ role: 'read', summary: 'Hashes at a height of a chain, main chain first', answer: HashesAtHeight })
  @Get('hashes')
  async hashes(
    @Query({ schema: HashesQuery }) { fromGroup: from, toGroup: to, height }: z.output<typeof HashesQuery>,
  ): Promise<z.output<typeof HashesAtHeight>> {
    const { hashes } = await this.groups.request(from, 'read.chain.hashes', { from, to, height });
    return { headers: [...hashes] };
  }

  @Operation({ role: 'read', summary: 'Height of a chain', answer: ChainInfo })
  @Get('chain-info')
  async chainInfo(
    @Query({ schema: ChainQuery }) { fromGroup: from, toGroup: to }: z.output<typeof ChainQuery>,
  ): Promise<z.output<typeof ChainInfo>> {
    const { currentHeight } = await this.groups.request(from, 'read.chain.info', { from, to });
    return { currentHeight };
  }

  /** The group from which a block's chain starts has its body. @throws ServiceError `BlockNotFound` */
  private requestBlock<Name extends 'read.chain.block' | 'read.chain.header' | 'read.chain.is-canonical'>(
    name: Name,
    payload: GroupRequests[Name]['request'],
  ): Promise<GroupRequests[Name]['reply']> {
    const { hash } = payload;
    return orNotFound(this.groups.request(chainOfBlockHash(hash, this.groupCount).from, name, payload), () =>
      blockNotFound(hash),
    );
  }
}
