import { allChainIndexes, type ChainIndex } from '@shardnode/protocol/primitives';
import { Gauge, type Registry } from 'prom-client';
import { type GroupNode } from './group-node.js';
import { oldestPending } from './mempool/oldest-pending.js';
import { pruningReasons } from './pruning/index.js';
import { type SiblingState } from './sync/sibling-progress.js';

interface Sample {
  readonly labels?: Readonly<Record<string, string | number>>;
  readonly value: number;
}

interface GaugeRow {
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly string[];
  readonly read: (node: GroupNode) => readonly Sample[];
}

const plain = (name: string, help: string, read: (node: GroupNode) => number): GaugeRow => ({
  name,
  help,
  labelNames: [],
  read: (node) => [{ value: read(node) }],
});

const ofChains = (name: string, help: string, read: (node: GroupNode, chain: ChainIndex) => number): GaugeRow => ({
  name,
  help,
  labelNames: ['from', 'to'],
  read: (node) =>
    allChainIndexes(node.state.settings.groups).map((chain) => ({ labels: { ...chain }, value: read(node, chain) })),
});

const ofSiblings = (name: string, help: string, read: (sibling: SiblingState) => number | undefined): GaugeRow => ({
  name,
  help,
  labelNames: ['sibling'],
  read: ({ sync }) =>
    sync.siblings().flatMap((sibling) => {
      const value = read(sibling);
      return value === undefined ? [] : [{ labels: { sibling: sibling.group }, value }];
    }),
});

const seconds = (milliseconds: number | undefined): number | undefined =>
  milliseconds === undefined ? undefined : milliseconds / 1000;

/**
 * Gauges of the node, its chains, its siblings and its pool. Read at a scrape only, so that they cost nothing
 * otherwise.
 */
const nodeGauges: readonly GaugeRow[] = [
  plain(
    'group_node_queue_length',
    'Tasks waiting for the writer; above 20,000: 503 QueueFull',
    (node) => node.queue.length,
  ),
  plain('group_node_mempool_transactions', 'Pending transactions', ({ state }) => state.pool.size),
  plain('group_node_mempool_capacity', 'Pending transactions that the pool takes', ({ state }) => state.pool.capacity),
  plain(
    'group_node_mempool_oldest_seconds',
    'Age of the oldest pending transaction; 0 when there is none',
    oldestPending,
  ),
  plain('group_node_buffered_blocks', 'Blocks and headers waiting for dependencies', ({ intake }) => intake.buffered),
  plain('group_node_synced', '1 when it may mine and admit', ({ sync }) =>
    sync.notReadyBecause() === undefined ? 1 : 0,
  ),
  plain(
    'group_node_pruning_horizon_height',
    'Intra-group height of the oldest state that can be read',
    ({ state }) => state.memory.horizon.place?.height ?? 0,
  ),
  {
    name: 'group_node_pruning_behind_heights',
    help: 'Intra-group heights below the horizon that are not pruned yet, by reason: at-work (pending), chain (an own chain without blocks), branch, in-use, step-failed, place-lost; absent when every state is retained',
    labelNames: ['reason'],
    read: ({ pruner }) => {
      const lag = pruner?.lag();
      if (!lag) return [];
      return pruningReasons.map((reason) => ({ labels: { reason }, value: reason === lag.reason ? lag.heights : 0 }));
    },
  },
  plain('group_node_intra_group_height', 'Height of the own intra-group chain', ({ state }) =>
    state.memory.published.currentHeight({ from: state.group, to: state.group }),
  ),
  ofChains('group_node_chain_height', 'Height of the heaviest tip of a chain, as this group sees it', (node, chain) =>
    node.state.memory.published.currentHeight(chain),
  ),
  ofChains(
    'group_node_chain_tips',
    'Tips of a chain, as this group sees it',
    (node, chain) => [...node.state.memory.published.tipNodes(chain)].length,
  ),
  ofSiblings(
    'group_node_sibling_lag_blocks',
    'Blocks announced by a sibling and missing here',
    ({ blocksBehind }) => blocksBehind,
  ),
  ofSiblings(
    'group_node_sibling_lag_seconds',
    'Time for which a block of a sibling has been missing here; 0 when none is',
    ({ behindForMs }) => seconds(behindForMs),
  ),
  ofSiblings(
    'group_node_sibling_silence_seconds',
    'Time since the last message of a sibling; siblings send one every second',
    ({ silentForMs }) => seconds(silentForMs),
  ),
  ofSiblings('group_node_clock_offset_seconds', 'Own clock minus that of a sibling', ({ clockOffsetMs }) =>
    seconds(clockOffsetMs),
  ),
];

/** @param node undefined while it is not open: no values are reported then */
export const registerNodeGauges = (registry: Registry, node: () => GroupNode | undefined): void => {
  for (const { name, help, labelNames, read } of nodeGauges) {
    new Gauge({
      name,
      help,
      labelNames,
      registers: [registry],
      collect() {
        const open = node();
        for (const { labels = {}, value } of open ? read(open) : []) this.set(labels, value);
      },
    });
  }
};
