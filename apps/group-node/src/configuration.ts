import { z } from 'zod';
import {
  choiceSetting,
  ConfigurationError,
  flagSetting,
  listSetting,
  portSetting,
  readConfiguration,
  wholeNumberSetting,
  type Environment,
} from '@shardnode/core/configuration';
import {
  busSettings,
  databaseSettings,
  diskFolderSetting,
  healthHostSetting,
  hostNamesSetting,
  processSettings,
  tracingSettings,
} from '@shardnode/core/process';
import { networkSettings, readNetwork } from '@shardnode/messages/network';
import { parseAssetAddress } from '@shardnode/protocol/address';
import { type NetworkSettings } from '@shardnode/protocol/network';
import { groupOfLockupScript, type AssetLockupScript } from '@shardnode/protocol/primitives';

/** Health and metrics of group g are on this port plus g (00-decisions, 21). */
export const firstHealthPort = 12_980;

/** @param heights the default  @param reason why so many, as words */
export const recentHeightsSetting = (heights: number, reason: string) =>
  wholeNumberSetting({
    description: `Heights of every chain, the newest ones, whose headers are in memory, some 1 kB each; deeper ones are read from the database. ${reason}`,
    default: heights,
    min: 512,
    max: 1_000_000_000,
  });

/** Every variable of a group-node (00-decisions, 27). */
export const groupNodeSettings = z.object({
  GROUP: wholeNumberSetting({ description: 'Address group of this node.', min: 0, max: 255 }),
  HEALTH_HOST: healthHostSetting,
  HOST_NAMES: hostNamesSetting,
  HEALTH_PORT: portSetting({
    description: `Port of health and metrics; default: ${firstHealthPort} plus GROUP.`,
    optional: true,
  }),
  ...databaseSettings,
  DISK_FOLDER: diskFolderSetting,
  ...busSettings,
  MINING: choiceSetting(['instant', 'interval', 'off'], {
    description:
      '`instant`: a submitted transaction is mined at once; `interval`: every chain in rotation; `off`: only on request.',
    default: 'instant',
  }),
  MINING_INTERVAL: wholeNumberSetting({
    description: 'Seconds between the rounds of `interval`.',
    default: 1,
    min: 1,
    max: 3600,
  }),
  MINING_HEARTBEAT: wholeNumberSetting({
    description:
      'Seconds between two blocks that each group mines without a submit with `instant`, on its chains in rotation, so that confirmations grow. 0: none.',
    default: 10,
    min: 0,
    max: 3600,
  }),
  API_PROFILE: choiceSetting(['document', 'reference'], {
    description:
      'That of the gateways. With `reference` the block that brings a payment to the third confirmation count always gathers for 2 s, as existing client libraries see it; with `document` it is made at once while nothing else happens.',
    default: 'document',
  }),
  MINER_ADDRESSES: listSetting({
    description: 'Addresses that receive block rewards, one in each group, in order.',
    expects: 'asset addresses separated by commas, the first in group 0, the second in group 1 and so on',
    default: [
      '1FsroWmeJPBhcPiUr37pWXdojRBe6jdey9uukEXk1TheA',
      '1CQvSXsmM5BMFKguKDPpNUfw1idiut8UifLtT8748JdHc',
      '193maApeJWrz9GFwWCfa982ccLARVE9Y1WgKSJaUs7UAx',
      '16fZKYPCZJv2TP3FArA9FLUQceTS9U8xVnSjxFG9MBKyY',
    ],
  }),
  ...networkSettings,
  MEMPOOL_CAPACITY: wholeNumberSetting({
    description:
      'Pending transactions of each group; above that, submits are refused, and long chains of dependent ones above half of it.',
    default: 8_000,
    min: 1,
    max: 1_000_000,
  }),
  PRUNING: flagSetting({
    description: 'Whether data that only old world states need is deleted; blocks, headers and events always stay.',
    default: true,
  }),
  PRUNING_HORIZON: wholeNumberSetting({
    description:
      'Heights of the intra-group chain whose states are retained, on every branch. The default is 35 hours at 64 s a block.',
    default: 2_000,
    min: 512,
    max: 1_000_000_000,
  }),
  RECENT_HEIGHTS: recentHeightsSetting(
    1_024,
    'The default is five times the fork depth of 200, and no rule looks further back while all chains go on.',
  ),
  ...processSettings,
  ...tracingSettings,
});

/** Choices of a group-node's settings, wherever it runs: alone, in the network in one process, simulated, in a test. */
export const nodeChoicesOf = (
  settings: Pick<
    z.output<typeof groupNodeSettings>,
    | 'MINING'
    | 'MINING_INTERVAL'
    | 'MINING_HEARTBEAT'
    | 'API_PROFILE'
    | 'MEMPOOL_CAPACITY'
    | 'PRUNING'
    | 'PRUNING_HORIZON'
    | 'RECENT_HEIGHTS'
  >,
) => ({
  mining: settings.MINING,
  /** Seconds between two rounds of `interval`. */
  miningInterval: settings.MINING_INTERVAL,
  /** Seconds between two blocks that `instant` makes without need, round the own chains; 0: none. */
  heartbeat: settings.MINING_HEARTBEAT,
  /** Whether the follow-up blocks of the receiver's group gather also on an idle network. */
  alwaysGathersIncoming: settings.API_PROFILE === 'reference',
  /** Transactions that the pool takes. */
  poolCapacity: settings.MEMPOOL_CAPACITY,
  /** Intra-group heights whose states are kept (protocol 04 §9.6); undefined: nothing is pruned. */
  pruningHorizon: settings.PRUNING ? settings.PRUNING_HORIZON : undefined,
  /** Heights of every chain whose headers are in memory. */
  recentHeights: settings.RECENT_HEIGHTS,
});

export type NodeChoices = Readonly<ReturnType<typeof nodeChoicesOf>>;

/** Those of a group-node without any setting. */
export const defaultNodeChoices: NodeChoices = nodeChoicesOf(
  readConfiguration(groupNodeSettings.omit({ GROUP: true, DATABASE_URL: true }), {}),
);

/**
 * The lockup scripts of MINER_ADDRESSES: one of each group, in order.
 * @throws ConfigurationError
 */
export const readMinerAddresses = (addresses: readonly string[], groups: number): AssetLockupScript[] => {
  if (addresses.length !== groups)
    throw new ConfigurationError([
      `MINER_ADDRESSES must be ${groups} addresses, one for each group, not ${addresses.length}.`,
    ]);
  return addresses.map((address, group) => {
    const lockup = parseAssetAddress(address);
    if (!lockup)
      throw new ConfigurationError([
        `MINER_ADDRESSES must be asset addresses, which ${JSON.stringify(address)} is not.`,
      ]);
    if (groupOfLockupScript(lockup, groups) !== group)
      throw new ConfigurationError([
        `MINER_ADDRESSES must be one address for each group in order; ${address} does not belong to group ${group}.`,
      ]);
    return lockup;
  });
};

export type GroupNodeSettings = z.output<typeof groupNodeSettings> & {
  readonly HEALTH_PORT: number;
  readonly network: NetworkSettings;
  readonly minerAddresses: readonly AssetLockupScript[];
};

/** The settings of a group-node process, with the network and the miner addresses read. @throws ConfigurationError */
export const readGroupNodeSettings = (environment: Environment): GroupNodeSettings => {
  const settings = readConfiguration(groupNodeSettings, environment);
  const network = readNetwork(settings);
  const { GROUP: group, HEALTH_PORT: port = firstHealthPort + group } = settings;
  if (group >= network.groups) {
    throw new ConfigurationError([`GROUP must be below ${network.groups}, the number of groups of the network.`]);
  }
  const minerAddresses = readMinerAddresses(settings.MINER_ADDRESSES, network.groups);
  return { ...settings, HEALTH_PORT: port, network, minerAddresses };
};
