import { z } from 'zod';
import { count, fields, list, meanings, numberOf, plainText, time } from '@shardnode/http';
import { chainMembers } from './blocks.js';

const rate = plainText('Mean hash rate of the blocks, with two fraction digits', '1024.00');
const counted = (what: string) => numberOf(count(what, 120));
const start = time('Start of the interval');

/** protocol 08 §5.11 */
export const HashRates = list(
  fields(
    { timestamp: time('End of the interval'), hashrate: rate, value: rate },
    { description: 'Hash rate of an interval', id: 'TimedHashrate' },
  ),
  'hash rates, oldest first',
);
export const TransactionCounts = list(
  fields(
    { timestamp: start, totalCountAllChains: counted('Transactions of all chains') },
    { description: 'Transactions of an interval', id: 'TimedCount' },
  ),
  'numbers of transactions, oldest first',
);
export const ChainCounts = list(
  fields(
    {
      timestamp: start,
      totalCountPerChain: list(
        fields(
          { ...chainMembers, count: counted('Transactions of the chain') },
          { description: 'Transactions of a chain', id: 'PerChainCount' },
        ),
        'chains',
      ),
    },
    { description: 'Transactions of an interval, by chain', id: 'PerChainTimedCount' },
  ),
  'numbers of transactions, oldest first',
);
export const LastHour = list(
  fields(
    {
      timestamp: time('Start of the minute'),
      hashrate: rate,
      counts: list(
        counted('Transactions without block rewards'),
        'chains, by their index: groups x chainFrom + chainTo',
      ),
    },
    { description: 'A minute', id: 'MinuteCounts' },
  ),
  'minutes with blocks, oldest first',
);
const pointMember = z.custom<number | string>().register(meanings, {
  description: 'Milliseconds since 1970, then the balance in attoCoin',
  oneOf: [
    { type: 'integer', format: 'int64' },
    { type: 'string', format: 'uint256', pattern: '^[0-9]+$' },
  ],
});
export const AmountHistory = fields(
  {
    amountHistory: list(
      list(pointMember, 'two: a time, and the balance then', {
        example: [1_611_041_396_892, '1500000000000000000'],
      }),
      'points, oldest first',
    ),
  },
  { description: 'Balance over time', id: 'AmountHistory' },
);

export type HashRatesAnswer = z.output<typeof HashRates>;
export type TransactionCountsAnswer = z.output<typeof TransactionCounts>;
export type ChainCountsAnswer = z.output<typeof ChainCounts>;
export type LastHourAnswer = z.output<typeof LastHour>;
export type AmountHistoryAnswer = z.output<typeof AmountHistory>;
