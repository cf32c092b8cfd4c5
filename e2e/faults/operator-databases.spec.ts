import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { type Environment } from '../kit/child-process.js';
import { information, logLines } from '../kit/cluster/log-lines.js';
import { agreement } from '../kit/cluster/node-views.js';
import { openScenario, type Scenario } from '../kit/cluster/scenario.js';
import { describeCluster } from '../kit/deployment-under-test.js';
import { operatorBus, operatorDatabases, runOperator, succeed } from '../kit/operator.js';
import { waitFor } from '../kit/wait-for.js';

const limit = 120_000;

describeCluster('the operator and the databases of a network', () => {
  let scenario: Scenario;
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'shardnode-operator-'));
    scenario = await openScenario('databases', { load: { sendersPerGroup: 1, everyMs: 400 } });
    scenario.load.begin();
    await waitFor('some transfers', () => scenario.load.acknowledged > 20, { timeoutMs: limit });
  }, 2 * limit);
  afterAll(async () => {
    await scenario?.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  const databases = (): Environment => operatorDatabases(scenario.cluster);
  const both = (): Environment => ({ ...databases(), ...operatorBus(scenario.cluster) });

  const damage = async (statement: string): Promise<void> => {
    const client = new pg.Client({ connectionString: scenario.cluster.databaseUrl('group-node-1') });
    await client.connect();
    const { rowCount } = await client.query(statement);
    await client.end();
    expect(rowCount).toBe(1);
  };

  it(
    'finds the state in order while blocks are made, memory and database alike',
    async () => {
      const text = await succeed(['check-state'], both());
      expect(text.match(/group \d {2}ok .*; its group-node holds the same/g)).toHaveLength(4);
    },
    limit,
  );

  it(
    'backs up a group that runs',
    async () => {
      const file = join(folder, 'group-2');
      const text = await succeed(['backup', '--group', '2', file], databases());
      expect(text).toContain('shardnode_group_2');
      const note = JSON.parse(readFileSync(`${file}.json`, 'utf8')) as Record<string, unknown>;
      expect(note).toMatchObject({ service: 'group-node-2', networkId: 4, bytes: statSync(file).size });
      await succeed(['backup', '--wallet', join(folder, 'wallet')], databases());
    },
    limit,
  );

  it(
    'neither wipes, restores nor rebuilds under a service that runs',
    async () => {
      const words = [
        ['wipe', '--group', '2', '--yes'],
        ['wipe', '--all', '--yes'],
        ['restore', '--group', '2', join(folder, 'group-2'), '--yes'],
        ['check-state', '--group', '2', '--sweep'],
      ];
      for (const one of words) {
        const { code, errors } = await runOperator(one, databases());
        expect([code, errors]).toEqual([1, expect.stringMatching(/group-node-\d, process \d+ on /)]);
      }
      const asked = await runOperator(['wipe', '--group', '2'], databases());
      expect(asked.errors).toContain('This deletes everything in shardnode_group_2.');
      expect(asked.errors).toContain('add --yes to go on');
      expect(scenario.load.defects).toEqual([]);
    },
    limit,
  );

  it(
    'finds damaged rows, and makes the outputs anew',
    async () => {
      await scenario.load.rest();
      const { cluster } = scenario;
      await cluster.process('group-node-1').stop();
      const check = ['check-state', '--group', '1'];
      await succeed(check, databases());
      const first = '(SELECT key FROM group_1.utxo ORDER BY key LIMIT 1)';
      await damage(`UPDATE group_1.utxo SET amount = amount + 1 WHERE key = ${first}`);
      const found = await runOperator(check, databases());
      expect([found.code, found.output]).toEqual([
        1,
        expect.stringMatching(/WRONG[^]*output [0-9a-f]{64}: [^]*--rebuild/),
      ]);
      expect(await succeed([...check, '--rebuild'], databases())).toContain('the outputs were rebuilt');
      const owner = '(SELECT owner FROM group_1.address_balance ORDER BY owner LIMIT 1)';
      await damage(`UPDATE group_1.address_balance SET amount = amount + 1 WHERE owner = ${owner}`);
      expect((await runOperator(check, databases())).output).toContain('the sum of');
      await succeed([...check, '--rebuild'], databases());
      await damage(
        `UPDATE group_1.block_header SET height_rank = 1 WHERE chain_from = 1 AND chain_to = 0 AND height = 2`,
      );
      expect((await runOperator(check, databases())).output).toMatch(
        /height 2 of chain \(1, 0\)[^]*blocks are damaged/,
      );
      await damage(
        `UPDATE group_1.block_header SET height_rank = 0 WHERE chain_from = 1 AND chain_to = 0 AND height = 2`,
      );
      await damage(`DELETE FROM group_1.utxo WHERE key = ${first}`);
      expect((await runOperator(check, databases())).output).toContain('of the state is missing');
      await succeed([...check, '--rebuild'], databases());
      await succeed(check, databases());
      expect(await succeed([...check, '--sweep'], databases())).toMatch(
        /ok [^]*trie nodes that no state needs are gone/,
      );
      await cluster.process('group-node-1').start();
    },
    2 * limit,
  );

  it(
    'restores a group, which catches up, and brings a wiped one back',
    async () => {
      const { cluster, load } = scenario;
      const node = cluster.process('group-node-2');
      await node.stop();
      const file = join(folder, 'group-2');
      const wrong = await runOperator(['restore', '--group', '3', file, '--yes'], databases());
      expect(wrong.errors).toContain('is a backup of group-node-2, not of group-node-3');
      const bytes = readFileSync(file);
      const damaged = join(folder, 'damaged');
      writeFileSync(
        damaged,
        Buffer.concat([bytes.subarray(0, 100), Buffer.from([bytes[100]! ^ 1]), bytes.subarray(101)]),
      );
      writeFileSync(`${damaged}.json`, readFileSync(`${file}.json`));
      const refused = await runOperator(['restore', '--group', '2', damaged, '--yes'], databases());
      expect(refused.errors).toContain('is damaged');
      expect(await succeed(['restore', '--group', '2', file, '--yes'], databases())).toContain('Start group-node-2');
      await node.start();
      await node.ready;
      await agreement(cluster, limit);
      expect(logLines(node, information)).toContainEqual(
        expect.objectContaining({
          service: 'group-node-2',
          backupMadeAt: expect.stringMatching(/^20/),
          restoredAt: expect.stringMatching(/^20/),
          msg: 'the database was restored from a backup',
        }),
      );
      await node.stop();
      await succeed(['wipe', '--group', '2', '--yes'], databases());
      await node.start();
      await node.ready;
      await agreement(cluster, limit);
      expect(load.defects).toEqual([]);
      await succeed(['check-state'], both());
      await scenario.finish({ agreeWithinMs: limit });
    },
    5 * limit,
  );
});
