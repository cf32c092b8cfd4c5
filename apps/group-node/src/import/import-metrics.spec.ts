import { describe, expect, it } from '@jest/globals';
import { Registry } from 'prom-client';
import { importMetrics } from './import-metrics.js';

describe('metrics of the import', () => {
  it('count times by step, blocks by role and reorganisations by depth', async () => {
    const registry = new Registry();
    const measures = importMetrics(registry);
    measures.stage('execute', 20);
    measures.stage('execute', 700);
    measures.stage('commit', 20);
    for (const role of ['own', 'own', 'foreign'] as const) measures.stored(role);
    measures.reorganised(3);
    const lines = (await registry.metrics()).split('\n');
    expect(lines).toEqual(
      expect.arrayContaining([
        'group_node_import_stage_seconds_bucket{le="0.5",stage="execute"} 1',
        'group_node_import_stage_seconds_bucket{le="1",stage="execute"} 2',
        'group_node_import_stage_seconds_sum{stage="execute"} 0.72',
        'group_node_import_stage_seconds_count{stage="commit"} 1',
        'group_node_blocks_stored_total{role="own"} 2',
        'group_node_blocks_stored_total{role="foreign"} 1',
        'group_node_reorganisation_depth_blocks_bucket{le="2"} 0',
        'group_node_reorganisation_depth_blocks_bucket{le="5"} 1',
      ]),
    );
    // Each scrape adds what was stored since the one before.
    expect(await registry.metrics()).toContain('group_node_blocks_stored_total{role="own"} 2');
  });
});
