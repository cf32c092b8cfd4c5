import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type GroupClient } from '@shardnode/messages';
import { apiClient } from '../kit/api-client.js';
import { openNodeViews } from '../kit/cluster/node-views.js';
import { openScenario, type Scenario } from '../kit/cluster/scenario.js';
import { ContractLoad } from '../kit/contracts/contract-load.js';
import { beginEmbedded } from '../kit/embedded-deployment.js';
import { describeCluster } from '../kit/deployment-under-test.js';
import { chains, groups } from '../kit/chains.js';
import { operatorBus, runOperator, succeed } from '../kit/operator.js';
import { waitFor } from '../kit/wait-for.js';

/** What must be the same in a network into which the blocks of another one were imported. */
interface Picture {
  /** By chain. */
  readonly canonical: readonly (readonly string[])[];
  /** Roots of the world state, by group. */
  readonly states: readonly unknown[];
  /** Events of all canonical blocks that have some. */
  readonly events: readonly unknown[];
}

const canonicalOf = async (client: GroupClient, chain: { from: number; to: number }): Promise<string[]> => {
  const { currentHeight } = await client.request(chain.from, 'read.chain.info', chain);
  return Promise.all(
    Array.from({ length: currentHeight + 1 }, async (_, height) => {
      const { hashes } = await client.request(chain.from, 'read.chain.hashes', { ...chain, height });
      return hashes[0]!;
    }),
  );
};

const pictureOf = async (client: GroupClient): Promise<Picture> => {
  const canonical = await Promise.all(chains.map((chain) => canonicalOf(client, chain)));
  const states = await Promise.all(
    groups.map(async (group) => {
      const hash = canonical[group * groups.length + group]!.at(-1)!;
      return (await client.request(group, 'read.inspection.block', { hash })).state;
    }),
  );
  const events: unknown[] = [];
  for (const [index, hashes] of canonical.entries()) {
    for (const hash of hashes) {
      const { events: own } = await client.request(chains[index]!.from, 'read.events.block', { hash });
      if (own.length > 0) events.push({ hash, events: own });
    }
  }
  return { canonical, states, events };
};

describeCluster('all blocks of a network as one file', () => {
  let scenario: Scenario;
  let folder: string;
  let file: string;
  let picture: Picture;
  let balances: readonly unknown[];
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'shardnode-export-'));
    file = join(folder, 'blocks');
    scenario = await openScenario('export and import', { load: { sendersPerGroup: 2, everyMs: 50 } });
  });
  afterAll(async () => {
    await scenario?.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  const balancesAt = (baseUrl: string): Promise<unknown[]> =>
    Promise.all(
      scenario.funded.map(async ({ address }) => (await fetch(`${baseUrl}/addresses/${address}/balance`)).json()),
    );

  const look = async (): Promise<Picture> => {
    const views = await openNodeViews(scenario.cluster);
    try {
      return await pictureOf(views.client);
    } finally {
      await views.close();
    }
  };

  it('is exported while transfers and contracts go on, and once more when they rest', async () => {
    const { api, funded, load, cluster } = scenario;
    const contracts = await ContractLoad.prepare([api], funded, load, { sendersPerGroup: 1, everyMs: 20 });
    load.begin();
    contracts.begin();
    await waitFor('script transactions', () => contracts.steps > 12, { timeoutMs: 120_000 });
    await succeed(['export-blocks', join(folder, 'during'), '--side-blocks'], operatorBus(cluster));
    await contracts.rest();
    await load.rest();
    // Without mining nothing changes between the picture and the file.
    await cluster.restart({ MINING: 'off' });
    picture = await look();
    balances = await balancesAt(cluster.baseUrl);
    expect(picture.events.length).toBeGreaterThan(0);
    const exported = await succeed(['export-blocks', file, '--json'], operatorBus(cluster));
    const heights = picture.canonical.map((hashes) => hashes.length - 1).reduce((sum, height) => sum + height, 0);
    const result = JSON.parse(exported) as { blocks: number };
    // Blocks that are not canonical any more, but that canonical ones name, are in it too.
    expect(result.blocks).toBeGreaterThanOrEqual(heights);
    expect(heights).toBeGreaterThan(100);
  }, 300_000);

  it('makes the same network in another one, also when it is interrupted and repeated', async () => {
    const { cluster } = scenario;
    await cluster.stop();
    await cluster.start({ MINING: 'off' }, '--reset');
    expect((await look()).canonical.flat()).toHaveLength(chains.length);
    const first = await succeed(['import-blocks', join(folder, 'during')], operatorBus(cluster));
    expect(first).toContain('All groups have them.');
    const second = await succeed(['import-blocks', file, '--json'], operatorBus(cluster));
    const { added, known, blocks } = JSON.parse(second) as { added: number; known: number; blocks: number };
    expect([added + known, known > 0, added > 0]).toEqual([blocks, true, true]);
    expect(await look()).toEqual(picture);
    expect(await balancesAt(cluster.baseUrl)).toEqual(balances);
    const again = await succeed(['import-blocks', file, '--json'], operatorBus(cluster));
    expect(JSON.parse(again)).toMatchObject({ added: 0, known: blocks });
  }, 200_000);

  it('is refused whole when it is damaged, and by another network', async () => {
    const { cluster } = scenario;
    const damaged = join(folder, 'damaged');
    const refusal = async (bytes: Uint8Array): Promise<string> => {
      writeFileSync(damaged, bytes);
      const { code, errors } = await runOperator(['import-blocks', damaged], operatorBus(cluster));
      expect(code).toBe(1);
      return errors;
    };
    const whole = readFileSync(file);
    const flipped = (at: number): Uint8Array => {
      const bytes = Buffer.from(whole);
      bytes[at]! ^= 1;
      return bytes;
    };
    expect(await refusal(flipped(100))).toMatch(
      /damaged is damaged: the checksum of its header is wrong .*export it again/,
    );
    expect(await refusal(flipped(Math.floor(whole.length / 2)))).toContain('the checksum of a section is wrong');
    expect(await refusal(flipped(whole.length - 1))).toContain('the checksum of the whole file is wrong');
    expect(await refusal(whole.subarray(0, whole.length - 1000))).toContain('it ends within');
    const other = join(folder, 'other-network.json');
    writeFileSync(other, JSON.stringify({ networkId: 7, allocations: [] }));
    const foreign = await runOperator(['import-blocks', file], { ...operatorBus(cluster), GENESIS_FILE: other });
    expect(foreign.errors).toContain('Group-node 0 is of another network (id 4)');
    expect(await look()).toEqual(picture);
  }, 60_000);

  it('becomes a data folder of npm start, and is exported from there', async () => {
    const dataDir = join(folder, 'data');
    await succeed(['import-blocks', file, '--data-dir', dataDir], {});
    const back = join(folder, 'back');
    await succeed(['export-blocks', back, '--data-dir', dataDir], {});
    const started = beginEmbedded({ DATA_DIR: dataDir, PORT: '0', WS_PORT: '0', HEALTH_PORT: '0', MINING: 'off' });
    try {
      const line = await started.line((text) => text.startsWith('{"baseUrl"'), 60_000);
      const { baseUrl } = JSON.parse(line) as { baseUrl: string };
      expect(await balancesAt(baseUrl)).toEqual(balances);
      const busy = await runOperator(['export-blocks', back, '--data-dir', dataDir], {});
      expect(busy).toMatchObject({ code: 1 });
      expect(busy.errors).toContain('is in use by process');
      const api = apiClient(() => baseUrl);
      for (const chain of chains) {
        const { text } = await api.send('GET', `/blockflow/chain-info?fromGroup=${chain.from}&toGroup=${chain.to}`);
        expect(JSON.parse(text)).toEqual({ currentHeight: picture.canonical[chain.from * 4 + chain.to]!.length - 1 });
      }
      api.close();
    } finally {
      started.signal('SIGTERM');
      await started.ended;
    }
  }, 200_000);
});
