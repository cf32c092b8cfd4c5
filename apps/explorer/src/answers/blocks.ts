import { z } from 'zod';
import {
  address,
  attoCoins,
  blockHashText,
  count,
  digits,
  fields,
  flagAnswer,
  hash,
  hexText,
  int32,
  list,
  numberOf,
  textOf,
  time,
} from '@shardnode/http';

export const chainMembers = {
  chainFrom: numberOf(count('Group that the chain comes from', 0)),
  chainTo: numberOf(count('Group that the chain goes to', 1)),
};
const liteMembers = {
  hash: textOf(blockHashText),
  timestamp: time('Time of the block'),
  ...chainMembers,
  height: numberOf(count('Height on its chain', 42), { 'x-unit': 'blocks' }),
  txNumber: numberOf(count('Number of its transactions, the coinbase counted', 3)),
  mainChain: flagAnswer('Whether it is on the main chain', true),
  hashRate: digits('Estimate for the whole network', '1024', 'H/s'),
};

/** protocol 08 §5.4 */
const BlockLite = fields(liteMembers, { description: 'Block, without its header', id: 'BlockLite' });
export const Blocks = fields(
  { total: numberOf(count('Number of blocks of all chains', 739)), blocks: list(BlockLite, 'blocks') },
  { description: 'Part of the blocks', id: 'ListBlocks' },
);
export const Block = fields(
  {
    ...liteMembers,
    deps: list(textOf(blockHashText), 'hashes of blocks that it depends on'),
    nonce: textOf(hexText, { description: '24 bytes', example: '000000000000000000000000000000000000000000000000' }),
    version: numberOf(int32('Version of the block', 0)),
    depStateHash: textOf(hash, { description: 'State before the block' }),
    txsHash: textOf(hash, { description: 'Root over the transactions' }),
    target: textOf(hexText, { description: 'Target in compact form, 4 bytes', example: '1b032b55' }),
    parent: textOf(blockHashText, { description: 'Block before it on its chain; null for genesis' }).nullable(),
  },
  { description: 'Block', id: 'Block' },
);
export const BlocksOfHeights = list(Block, 'blocks');

const BlockSummary = fields(
  {
    hash: textOf(blockHashText),
    miner: textOf(address, { description: 'Address that got the block reward' }),
    reward: attoCoins('Block reward'),
    moved: attoCoins('What addresses gained in its transactions, without the block reward'),
  },
  { description: 'What a block has paid', id: 'BlockSummary' },
);
export const BlockSummaries = list(BlockSummary, 'summaries of blocks');

export type BlockSummaryAnswer = z.input<typeof BlockSummary>;
export type BlockLiteAnswer = z.input<typeof BlockLite>;
export type BlockAnswer = z.input<typeof Block>;
