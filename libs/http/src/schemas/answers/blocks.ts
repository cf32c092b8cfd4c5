import { z } from 'zod';
import { blockHashText, hash, hexText } from '../bytes.js';
import { fields, list, meanings } from '../leaf.js';
import { count, int32 } from '../numbers.js';
import { flag, number, text, time } from './answer-leaves.js';

export const blockAnswers = (transaction: z.ZodType, event: z.ZodType) => {
  const header = () => ({
    hash: text(blockHashText),
    timestamp: time('Timestamp'),
    chainFrom: number(count('Group that the chain comes from', 0)),
    chainTo: number(count('Group that the chain goes to', 1)),
    height: number(count('Height on its chain', 42), { 'x-unit': 'blocks' }),
    deps: list(text(blockHashText), 'hashes of blocks that it depends on'),
  });
  const block = fields(
    {
      ...header(),
      transactions: list(transaction, 'transactions, the coinbase last'),
      nonce: text(hexText, { description: '24 bytes', example: '000000000000000000000000000000000000000000000000' }),
      version: number(int32('Version of the block', 0)),
      depStateHash: text(hash, { description: 'State before the block' }),
      txsHash: text(hash, { description: 'Root over the transactions' }),
      target: text(hexText, { description: 'Target in compact form, 4 bytes', example: '1b032b55' }),
      ghostUncles: list(
        z.unknown().register(meanings, { description: 'Never there', type: 'object' }),
        'nothing; always empty',
      ),
    },
    { description: 'Block', id: 'BlockEntry' },
  );
  const withEvents = fields(
    { block, events: list(event, 'events') },
    { description: 'Block and its events', id: 'BlockAndEvents' },
  );
  const perChain = (item: z.ZodType) => list(list(item, 'blocks of one chain'), 'chains: (0,0), (0,1), ...');
  return {
    block,
    header: fields(header(), { description: 'Header of a block', id: 'BlockHeaderEntry' }),
    blockAndEvents: withEvents,
    blocksPerChain: fields(
      { blocks: perChain(block) },
      { description: 'Blocks of all chains', id: 'BlocksPerTimeStampRange' },
    ),
    blocksAndEventsPerChain: fields(
      { blocksAndEvents: perChain(withEvents) },
      { description: 'Blocks of all chains, with events', id: 'BlocksAndEventsPerTimeStampRange' },
    ),
    inMainChain: flag('Whether the block is on the main chain', true),
    hashes: fields(
      { headers: list(text(blockHashText), 'hashes, main chain first') },
      { description: 'Blocks at a height', id: 'HashesAtHeight' },
    ),
    chainInfo: fields(
      { currentHeight: number(count('Height of the heaviest tip', 42), { 'x-unit': 'blocks' }) },
      { description: 'Chain', id: 'ChainInfo' },
    ),
  };
};
