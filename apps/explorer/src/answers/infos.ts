import { z } from 'zod';
import { attoCoins, count, fields, flagAnswer, list, numberOf, plainText, time } from '@shardnode/http';
import { chainMembers } from './blocks.js';

/** protocol 08 §5.9 */
export const ExplorerInfo = fields(
  {
    releaseVersion: plainText('Version of the explorer', '0.1.0'),
    commit: plainText('Commit of the explorer', 'unknown'),
    migrationsVersion: numberOf(count('Number of migrations of its database', 1)),
    lastFinalizedInputTime: time('Blocks up to this time are final'),
    lastHoldersUpdate: time('Time of the newest block'),
  },
  { description: 'Explorer', id: 'ExplorerInfo' },
);
const height = numberOf(count('Height of the chain', 42), { 'x-unit': 'blocks' });
export const ChainHeights = list(
  fields({ ...chainMembers, height, value: height }, { description: 'Height of a chain', id: 'PerChainHeight' }),
  'chains',
);
const duration = numberOf(count('Mean time between blocks of two hours', 64_000), { 'x-unit': 'ms' });
export const BlockTimes = list(
  fields(
    { ...chainMembers, duration, value: duration },
    { description: 'Mean time between blocks of a chain', id: 'PerChainDuration' },
  ),
  'chains',
);
/** protocol 08 §5.9 */
export const Supplies = list(
  fields(
    {
      timestamp: time('The last millisecond of a day; of the first row, the launch'),
      total: attoCoins('All unspent outputs'),
      circulating: attoCoins('Neither reserved nor locked'),
      reserved: attoCoins('Of reserved addresses', '0'),
      locked: attoCoins('Locked then', '0'),
      maximum: attoCoins('The most that can ever exist', '1000000000000000000000000000'),
    },
    { description: 'Supply of the coin', id: 'TokenSupply' },
  ),
  'days, newest first',
);
export const CoinText = plainText('Coins, exact; 0 before the first day', '4000249.1726579');
const inputs = (which: string) => numberOf(count(`Inputs ${which}`, 0));
export const Sync = fields(
  {
    synced: flagAnswer('Whether every chain is at most 2 blocks behind its group-node', true),
    phase: plainText('`initial`, `live` or `stopped`', 'live'),
    lagMs: numberOf(count('Age of the newest block', 8_000), { 'x-unit': 'ms' }),
    finalizedTimestamp: time('Blocks up to this time are final'),
    unresolvedInputs: inputs('whose output no block of the index has'),
    conflictInputs: inputs('whose output another transaction of the index spends'),
    chains: list(
      fields(
        {
          ...chainMembers,
          height,
          nodeHeight: numberOf(count('Height at the group-node; null while unknown', 42), {
            'x-unit': 'blocks',
          }).nullable(),
          timestamp: time('Time of the newest block of the chain; 0 before the first'),
          state: plainText('`following`, `unreachable`, `ChainStopped` or `ResyncRequired`', 'following'),
        },
        { description: 'Synchronisation of a chain', id: 'ChainSync' },
      ),
      'chains',
    ),
    verify: plainText(
      '`ok` or `failed`: whether the last check of the index found it consistent; null before the first',
      'ok',
    ).nullable(),
  },
  { description: 'Synchronisation of the index', id: 'Sync' },
);

export type SuppliesAnswer = z.input<typeof Supplies>;
export type SyncAnswer = z.input<typeof Sync>;
export type ChainHeightsAnswer = z.input<typeof ChainHeights>;
export type BlockTimesAnswer = z.input<typeof BlockTimes>;
