import { type Metrics } from '@shardnode/core/observability';
import { Counter, Gauge, Histogram } from 'prom-client';
import { type GroupNode } from './group-node.js';

export interface GroupNodeMetrics {
  readonly measured: (task: string, waitedMs: number, workedMs: number) => void;
  readonly refused: (code: string) => void;
  /** Values that are read when somebody asks. */
  readonly observe: (node: GroupNode) => void;
}

const buckets = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2];

export const createGroupNodeMetrics = ({ registry }: Metrics): GroupNodeMetrics => {
  const registers = [registry];
  const wait = new Histogram({
    name: 'group_node_queue_wait_seconds',
    help: 'How long a task of the writer waited for its turn',
    labelNames: ['task'],
    buckets,
    registers,
  });
  const work = new Histogram({
    name: 'group_node_task_seconds',
    help: 'How long a task of the writer took',
    labelNames: ['task'],
    buckets,
    registers,
  });
  const refused = new Counter({
    name: 'group_node_blocks_refused_total',
    help: 'Blocks, headers, transactions and tips refused, by the rule that they break',
    labelNames: ['rule'],
    registers,
  });
  const gauge = (name: string, help: string, read: () => number): void => {
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });
  };
  return {
    measured: (task, waitedMs, workedMs) => {
      wait.observe({ task }, waitedMs / 1000);
      work.observe({ task }, workedMs / 1000);
    },
    refused: (rule) => refused.inc({ rule }),
    observe: ({ state, queue, intake, sync }) => {
      gauge('group_node_queue_length', 'Tasks that wait for the writer', () => queue.length);
      gauge('group_node_mempool_transactions', 'Pending transactions', () => state.pool.size);
      gauge('group_node_buffered_blocks', 'Blocks and headers that wait for dependencies', () => intake.buffered);
      gauge('group_node_synced', '1 when it may mine and admit', () => (sync.notReadyBecause() === undefined ? 1 : 0));
      gauge('group_node_intra_group_height', 'Height of the own intra-group chain', () =>
        state.memory.published.currentHeight({ from: state.group, to: state.group }),
      );
    },
  };
};
