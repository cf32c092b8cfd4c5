import { z } from 'zod';
import {
  blockHashText,
  count,
  fields,
  flagAnswer,
  hash,
  hexText,
  int32,
  list,
  meanings,
  numberOf,
  required,
  textOf,
  time,
} from '@shardnode/http';
import { EventOfBlock } from '../events/events.schemas.js';
import { chainParameters, parametersOf } from '../operations/parameters.js';
import { Transaction } from '../transactions/transactions.schemas.js';

const header = {
  hash: textOf(blockHashText),
  timestamp: time('Timestamp'),
  chainFrom: numberOf(count('Group that the chain comes from', 0)),
  chainTo: numberOf(count('Group that the chain goes to', 1)),
  height: numberOf(count('Height on its chain', 42), { 'x-unit': 'blocks' }),
  deps: list(textOf(blockHashText), 'hashes of blocks that it depends on'),
};
export const BlockEntry = fields(
  {
    ...header,
    transactions: list(Transaction, 'transactions, the coinbase last'),
    nonce: textOf(hexText, { description: '24 bytes', example: '000000000000000000000000000000000000000000000000' }),
    version: numberOf(int32('Version of the block', 0)),
    depStateHash: textOf(hash, { description: 'State before the block' }),
    txsHash: textOf(hash, { description: 'Root over the transactions' }),
    target: textOf(hexText, { description: 'Target in compact form, 4 bytes', example: '1b032b55' }),
    ghostUncles: list(
      z.unknown().register(meanings, { description: 'Never there', type: 'object' }),
      'nothing; always empty',
    ),
  },
  { description: 'Block', id: 'BlockEntry' },
);
export const BlockAndEvents = fields(
  { block: BlockEntry, events: list(EventOfBlock, 'events') },
  { description: 'Block and its events', id: 'BlockAndEvents' },
);
const perChain = (item: z.ZodType) => list(list(item, 'blocks of one chain'), 'chains: (0,0), (0,1), ...');
export const BlocksPerChain = fields(
  { blocks: perChain(BlockEntry) },
  { description: 'Blocks of all chains', id: 'BlocksPerTimeStampRange' },
);
export const BlocksAndEventsPerChain = fields(
  { blocksAndEvents: perChain(BlockAndEvents) },
  { description: 'Blocks of all chains, with events', id: 'BlocksAndEventsPerTimeStampRange' },
);
export const BlockHeaderEntry = fields(header, { description: 'Header of a block', id: 'BlockHeaderEntry' });
export const IsInMainChain = flagAnswer('Whether the block is on the main chain', true);
export const HashesAtHeight = fields(
  { headers: list(textOf(blockHashText), 'hashes, main chain first') },
  { description: 'Blocks at a height', id: 'HashesAtHeight' },
);
export const ChainInfo = fields(
  { currentHeight: numberOf(count('Height of the heaviest tip', 42), { 'x-unit': 'blocks' }) },
  { description: 'Chain', id: 'ChainInfo' },
);

export const BlockHashQuery = parametersOf({ blockHash: required(blockHashText) });
export const GhostUnclePath = parametersOf({ ghost_uncle_hash: required(blockHashText) });
export const HashesQuery = parametersOf({
  ...chainParameters,
  height: required(int32('Height', 42), { 'x-unit': 'blocks' }),
});
