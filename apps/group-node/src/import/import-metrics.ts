import { PreparedHistogram } from '@shardnode/core/observability';
import { Counter, Histogram, type Registry } from 'prom-client';
import { type ImportMeasures, type ImportStage, importStages } from './import-measures.js';
import { type ChainRole, importRoles } from '../dag/roles.js';

const stageBuckets = [0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5];
const depthBuckets = [1, 2, 5, 10, 20, 50, 100, 200];

const entriesOf = <Key extends string, Value>(keys: readonly Key[], make: (key: Key) => Value): Record<Key, Value> =>
  Object.fromEntries(keys.map((key) => [key, make(key)])) as Record<Key, Value>;

/**
 * Metrics of the import of blocks. Labels are prepared, because an import of a small block takes less than a
 * millisecond.
 */
export const importMetrics = (registry: Registry): ImportMeasures => {
  const registers = [registry];
  const stages = new PreparedHistogram({
    name: 'group_node_import_stage_seconds',
    help: 'Time of the steps of an import: wait for the writer, header-rules, block-rules, execute, commit (of all blocks that share it), publish',
    labelNames: ['stage'],
    buckets: stageBuckets,
    registers,
  });
  const recorders = entriesOf<ImportStage, ReturnType<typeof stages.of>>(importStages, (stage) => stages.of({ stage }));
  const depths = new Histogram({
    name: 'group_node_reorganisation_depth_blocks',
    help: 'Intra-group blocks replaced by a reorganisation; its count is the number of reorganisations',
    buckets: depthBuckets,
    registers,
  });
  const counts = entriesOf<ChainRole, number>(Object.keys(importRoles) as ChainRole[], () => 0);
  new Counter({
    name: 'group_node_blocks_stored_total',
    help: 'Blocks and headers stored: of own chains, incoming bodies, headers of other chains',
    labelNames: ['role'],
    registers,
    // Counted in place, and copied to the library when metrics are scraped.
    collect() {
      for (const role of Object.keys(counts) as ChainRole[]) {
        this.inc({ role }, counts[role]);
        counts[role] = 0;
      }
    },
  });
  return {
    stage: (stage, milliseconds) => recorders[stage].observe(milliseconds / 1000),
    stored: (role) => void counts[role]++,
    reorganised: (depth) => depths.observe(depth),
  };
};
