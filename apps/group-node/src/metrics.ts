import { type Metrics } from '@shardnode/core/observability';
import { Counter, Histogram } from 'prom-client';
import { type FeedMeasures, feedMetrics } from './feed/feed-measures.js';
import { type GroupNode } from './group-node.js';
import { type ImportMeasures } from './import/import-measures.js';
import { importMetrics } from './import/import-metrics.js';
import { registerNodeGauges } from './node-gauges.js';
import { queueMetrics, type TaskMeasure } from './writer/queue-metrics.js';

export interface GroupNodeMetrics {
  readonly measured: TaskMeasure;
  readonly refused: (code: string) => void;
  readonly import: ImportMeasures;
  readonly feed: FeedMeasures;
  readonly pruned: (nodes: number, milliseconds: number) => void;
  /** Updates the values that are read at a scrape. */
  readonly observe: (node: GroupNode) => void;
}

const pruningBuckets = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2];

export const createGroupNodeMetrics = ({ registry }: Pick<Metrics, 'registry'>): GroupNodeMetrics => {
  const registers = [registry];
  const ofImport = importMetrics(registry);
  const measured = queueMetrics(registry);
  let node: GroupNode | undefined;
  registerNodeGauges(registry, () => node);
  const refused = new Counter({
    name: 'group_node_blocks_refused_total',
    help: 'Blocks, headers, transactions and tips refused, by rule',
    labelNames: ['rule'],
    registers,
  });
  const prunedNodes = new Counter({
    name: 'group_node_pruned_nodes_total',
    help: 'Trie nodes deleted because only states before the horizon need them',
    registers,
  });
  const pruning = new Histogram({
    name: 'group_node_pruning_seconds',
    help: 'Time that a pruning step held the writer',
    buckets: pruningBuckets,
    registers,
  });
  return {
    measured: (task, waitedMs, workedMs) => {
      measured(task, waitedMs, workedMs);
      if (task === 'import') ofImport.stage('wait', waitedMs);
    },
    import: ofImport,
    feed: feedMetrics(registry),
    refused: (rule) => refused.inc({ rule }),
    pruned: (nodes, milliseconds) => {
      prunedNodes.inc(nodes);
      pruning.observe(milliseconds / 1000);
    },
    observe: (open) => {
      node = open;
    },
  };
};
