import { Body, Controller, Get, Param, Post, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type FastifyReply } from 'fastify';
import { type z } from 'zod';
import { optional, required } from '@shardnode/http';
import {
  Block,
  type BlockAnswer,
  Blocks,
  BlocksOfHeights,
  BlockSummaries,
  type BlockSummaryAnswer,
} from '../answers/blocks.js';
import { type TransactionAnswer, Transactions } from '../answers/transactions.js';
import { notFound } from '../errors.js';
import {
  blocksOfHeights,
  countBlocks,
  findBlock,
  headHeight,
  isFinal,
  listBlocks,
  placeOfBlock,
} from '../reads/block-reads.js';
import { blockSummaries } from '../reads/block-summaries.js';
import { Reads } from '../database/reads.js';
import { transactionsOfSideBlock } from '../reads/side-block.js';
import { transactionsOfBlock } from '../reads/transaction-reads.js';
import { immutableAnswer } from './answer-hooks.js';
import { ExplorerSettings } from '../settings.js';
import { FirstParts } from './first-parts.js';
import { Operation } from './operation.js';
import {
  BlockHashPath,
  BlocksBody,
  checkSize,
  cursorParameters,
  defaultLimit,
  integer,
  itemsOf,
  limitParameter,
  pageOf,
  PageQuery,
  parametersOf,
  paymentsParameter,
  reverseParameter,
} from './parameters.js';

const BlocksQuery = parametersOf({
  ...cursorParameters(),
  ...reverseParameter,
  ...paymentsParameter('blocks with transactions besides the block reward'),
});

/** Longest list of blocks in a body. */
const maxBlocks = 80;

const chainParameters = {
  from: required(integer('Group that the chain comes from', 0, { minimum: 0 })),
  to: required(integer('Group that the chain goes to', 1, { minimum: 0 })),
};
const ChainPath = parametersOf(chainParameters);
const HeightPath = parametersOf({
  ...chainParameters,
  height: required(integer('Height', 42, { minimum: 0 }), { 'x-unit': 'blocks' }),
});
const HeightsQuery = parametersOf({
  highest: optional(integer('Height to begin with; default the newest', 42, { minimum: 0 })),
  limit: limitParameter('Heights'),
});

/** protocol 08 §5.5 */
@ApiTags('Blocks')
@Controller()
export class BlocksController {
  constructor(
    private readonly reads: Reads,
    private readonly settings: ExplorerSettings,
    private readonly firstParts: FirstParts,
  ) {}

  @Operation({ summary: 'Blocks of the main chains, newest first', answer: Blocks, hasCursor: true })
  @Get('blocks')
  async list(
    @Query({ schema: BlocksQuery }) query: z.output<typeof BlocksQuery>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<z.input<typeof Blocks>> {
    const page = pageOf(query, this.settings);
    const order = query.reverse === true ? 'oldest' : 'newest';
    const content = query.payments === true ? 'payments' : 'any';
    const { part, total } = await this.firstParts.of(`blocks ${order} ${content}`, page, () =>
      this.reads.of(async (snapshot) => ({
        part: await listBlocks(snapshot, page, order, content),
        total: await countBlocks(snapshot),
      })),
    );
    return { total, blocks: [...itemsOf(part, reply)] };
  }

  @Operation({ summary: 'Block by its hash, on the main chain or not', answer: Block, mayBeMissing: true })
  @Get('blocks/:block_hash')
  async block(
    @Param({ schema: BlockHashPath }) { block_hash: hash }: z.output<typeof BlockHashPath>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<BlockAnswer> {
    const { block, isLasting } = await this.reads.of(async (snapshot) => {
      const found = await findBlock(snapshot, hash);
      return { block: found, isLasting: found && (await isFinal(snapshot, found, this.settings.finalityDepth)) };
    });
    if (!block) throw notFound(hash);
    if (isLasting === true) reply.header('cache-control', immutableAnswer);
    return block;
  }

  @Operation({
    summary: 'Who was paid for blocks, and what their transactions moved',
    description: `At most ${maxBlocks}; those beside the main chain and genesis blocks are left out.`,
    answer: BlockSummaries,
  })
  @Post('blocks/summaries')
  summaries(@Body({ schema: BlocksBody }) hashes: z.output<typeof BlocksBody>): Promise<BlockSummaryAnswer[]> {
    checkSize(hashes, maxBlocks);
    return this.reads.of((snapshot) => blockSummaries(snapshot, hashes));
  }

  @Operation({
    summary: 'Transactions of a block, in its order',
    description:
      'Of a block beside the main chain as far as its body is still there; an empty list for an unknown one.',
    answer: Transactions,
  })
  @Get('blocks/:block_hash/transactions')
  transactions(
    @Param({ schema: BlockHashPath }) { block_hash: hash }: z.output<typeof BlockHashPath>,
    @Query({ schema: PageQuery }) query: z.output<typeof PageQuery>,
  ): Promise<TransactionAnswer[]> {
    const page = pageOf(query, this.settings);
    return this.reads.of(async (snapshot) => {
      const place = await placeOfBlock(snapshot, hash);
      if (!place) return [];
      return place.isApplied
        ? transactionsOfBlock(snapshot, place.blockId, page)
        : transactionsOfSideBlock(snapshot, place, page, this.settings.groups);
    });
  }

  @Operation({
    summary: 'Blocks of a chain, highest first',
    description: 'At each height that of the main chain, then the others.',
    answer: BlocksOfHeights,
  })
  @Get('chains/:from/:to/blocks')
  ofChain(
    @Param({ schema: ChainPath }) chain: z.output<typeof ChainPath>,
    @Query({ schema: HeightsQuery }) { highest, limit = defaultLimit }: z.output<typeof HeightsQuery>,
  ): Promise<BlockAnswer[]> {
    return this.reads.of(async (snapshot) => {
      const last = highest ?? (await headHeight(snapshot, chain));
      return last === undefined ? [] : blocksOfHeights(snapshot, { ...chain, first: last - limit + 1, last });
    });
  }

  @Operation({
    summary: 'Blocks of a chain at a height: that of the main chain, then the others',
    answer: BlocksOfHeights,
  })
  @Get('chains/:from/:to/blocks/:height')
  atHeight(@Param({ schema: HeightPath }) { from, to, height }: z.output<typeof HeightPath>): Promise<BlockAnswer[]> {
    return this.reads.of((snapshot) => blocksOfHeights(snapshot, { from, to, first: height, last: height }));
  }
}
