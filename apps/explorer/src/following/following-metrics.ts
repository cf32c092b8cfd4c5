import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { type ChainIndex } from '@shardnode/protocol/primitives';

interface ChainMeasures {
  /** Of the applied head; undefined of an empty chain. */
  readonly height: number | undefined;
  /** Blocks that the group-node has above it. */
  readonly lag: number;
  /** Whether the chain is not followed any more: ChainStopped or ResyncRequired. */
  readonly isStopped: boolean;
}

/** Measures of the indexer (protocol 08 §2.4). */
export interface FollowingMetrics {
  /** Whether this process follows the chains and writes the index. */
  writing(isWriting: boolean): void;
  chain(chain: ChainIndex, measured: ChainMeasures): void;
  /** Begins to measure a database transaction; the returned function ends it. */
  startApply(): () => void;
  undone(blocks: number): void;
  /** The database has refused blocks of a chain. */
  applyFailed(): void;
  pullFailed(): void;
  waitExpired(): void;
}

/** Numbers of inputs that are unresolved, and in conflict; undefined when they cannot be read. */
export type CountInputs = () => Promise<{ readonly unresolved: number; readonly conflicting: number } | undefined>;

const chainLabels = ['chain_from', 'chain_to'] as const;

const inputGauges = (registry: Registry, countInputs: CountInputs): void => {
  const inputs = (name: string, help: string, which: 'unresolved' | 'conflicting') =>
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        const counts = await countInputs();
        if (counts) this.set(counts[which]);
      },
    });
  inputs('explorer_unresolved_inputs', 'Inputs whose output no applied block has', 'unresolved');
  inputs('explorer_conflict_inputs', 'Inputs whose output another applied transaction spends', 'conflicting');
};

/** @param countInputs called when the metrics are read */
export const followingMetrics = (registry: Registry, countInputs: CountInputs): FollowingMetrics => {
  const registers = [registry];
  const chainGauge = (name: string, help: string) => new Gauge({ name, help, labelNames: chainLabels, registers });
  const counter = (name: string, help: string) => new Counter({ name, help, registers });
  const height = chainGauge('explorer_chain_height', 'Height of the newest applied block of a chain');
  const lag = chainGauge(
    'explorer_chain_lag_blocks',
    'Blocks of a chain that its group-node has and the index has not',
  );
  const stopped = chainGauge(
    'explorer_chain_stopped',
    '1 of a chain that is not followed any more: /infos/sync says ChainStopped or ResyncRequired',
  );
  const writing = new Gauge({
    name: 'explorer_writing',
    help: '1 in the process that follows the chains and writes the index; 0 in a reader, on standby, and without its database',
    registers,
  });
  const apply = new Histogram({
    name: 'explorer_apply_seconds',
    help: 'Database transaction that applies or undoes blocks',
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers,
  });
  const applyErrors = counter(
    'explorer_apply_errors_total',
    'Times that the database refused blocks of a chain; after the second of a chain the chain is stopped',
  );
  const undone = counter('explorer_undo_total', 'Blocks undone by reorganisations');
  inputGauges(registry, countInputs);
  const pullErrors = counter('explorer_pull_errors_total', 'Pulls that failed or whose reply was invalid');
  const expired = counter(
    'explorer_dependency_waits_expired_total',
    'Dependencies without which blocks were applied, because they could not be obtained within 30 s',
  );
  return {
    writing: (isWriting) => writing.set(Number(isWriting)),
    chain: ({ from, to }, measured) => {
      const labels = { chain_from: String(from), chain_to: String(to) };
      if (measured.height !== undefined) height.set(labels, measured.height);
      lag.set(labels, measured.lag);
      stopped.set(labels, Number(measured.isStopped));
    },
    startApply: () => {
      const end = apply.startTimer();
      return () => void end();
    },
    undone: (blocks) => undone.inc(blocks),
    applyFailed: () => applyErrors.inc(),
    pullFailed: () => pullErrors.inc(),
    waitExpired: () => expired.inc(),
  };
};
