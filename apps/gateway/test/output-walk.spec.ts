import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createInProcessNetwork, openNatsNetwork, type BusNetwork } from '@shardnode/core/bus';
import { systemClock, startInOrder, stopInReverse } from '@shardnode/core/lifecycle';
import { silentLogger } from '@shardnode/core/observability';
import { startNats, type ServerProcess } from '@shardnode/core/servers';
import { type RunningService } from '@shardnode/core/service';
import { type GroupRequests, type UtxoItem } from '@shardnode/messages';
import { developmentNetwork } from '@shardnode/protocol/network';
import { describeWithServers } from '@shardnode/testing/servers';
import { until } from '@shardnode/testing/waiting';
import { create, defaultGatewayChoices } from '../src/index.js';
import { createFakeGroup } from './fakes/fake-group.js';

const ns = 'walk';
/** As one message 30,000 are more than a bus carries. */
const count = process.env['LONG'] === '1' ? 300_000 : 30_000;
const pageSize = 2_000;
/** Of group 0. */
const address = '1DrDyTr9RpRsQnDnXo2YRiPzPW4ooHX5LLoqXrqfMrpQH';

/** Output number i; keys are spread as hashes are, and in another order than the amounts. */
const output = (i: number): UtxoItem => ({
  hint: 5,
  key: ((i * 2_654_435_761) % 2 ** 32).toString(16).padStart(8, '0') + i.toString(16).padStart(56, '0'),
  amount: String(1_000_000 + i),
  tokens: i % 2 === 0 ? [] : [{ id: 'cd'.repeat(32), amount: '1' }],
  lockTime: '1700000000000',
  additionalData: 'ab'.repeat(100),
});
const stored = Array.from({ length: count }, (_, i) => output(i));
const parts = {
  plain: stored.filter(({ tokens }) => tokens.length === 0),
  bearing: stored.filter(({ tokens }) => tokens.length > 0),
  // The second one is stored while the walk goes on.
  pending: [{ ...output(count), key: 'f'.repeat(64) }, stored[7]!, { ...output(count + 1), key: 'e'.repeat(64) }],
};

type Walk = GroupRequests['read.address.walk'];

const walk = ({ part, after }: Walk['request']): Walk['reply'] => {
  const from = after === undefined ? 0 : parts[part].findIndex(({ key }) => key === after.key) + 1;
  const utxos = parts[part].slice(from, from + pageSize);
  const last = utxos.at(-1);
  return from + pageSize < parts[part].length && last
    ? { utxos, next: { amount: last.amount, key: last.key } }
    : { utxos };
};

const describeWalk = (transport: string, open: () => Promise<BusNetwork>): void => {
  describe(`the list of ${count} outputs over ${transport}`, () => {
    let network: BusNetwork;
    let services: RunningService[];
    beforeAll(async () => {
      network = await open();
      const script = {
        'read.node.status': () => ({ group: 0, synced: true, mempoolSize: 0 }),
        'read.address.utxos': () => ({ utxos: [], more: true as const }),
        'read.address.walk': walk,
      };
      services = [
        await createFakeGroup(network, { ns, group: 0, groups: 4, script, logger: silentLogger }),
        await create(
          { ...defaultGatewayChoices, ns, network: developmentNetwork, http: { host: '127.0.0.1', port: 0 } },
          { network, clock: systemClock, logger: silentLogger },
        ),
      ];
      await startInOrder(services);
    });
    afterAll(async () => {
      await stopInReverse(services);
      await network.close();
    });

    it('is whole and in the order of the references; what was pending comes last, and once', async () => {
      const answer = await fetch(`http://127.0.0.1:${services[1]!.port}/addresses/${address}/utxos`);
      expect(answer.status).toBe(200);
      const { utxos } = (await answer.json()) as { utxos: { ref: { key: string }; amount: string }[] };
      const keys = utxos.map(({ ref }) => ref.key);
      expect(keys.slice(0, count)).toEqual(stored.map(({ key }) => key).sort());
      expect(keys.slice(count)).toEqual(['f'.repeat(64), 'e'.repeat(64)]);
      const sum = utxos.slice(0, count).reduce((total, { amount }) => total + Number(amount), 0);
      expect(sum).toBe(1_000_000 * count + (count * (count - 1)) / 2);
    });
  });
};

describe('lists of very many outputs that are asked for at once', () => {
  let network: BusNetwork;
  let services: RunningService[];
  let go: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => (go = resolve));
  let walking = 0;
  beforeAll(async () => {
    network = createInProcessNetwork();
    const script = {
      'read.node.status': () => ({ group: 0, synced: true, mempoolSize: 0 }),
      'read.address.utxos': () => ({ utxos: [], more: true as const }),
      'read.address.walk': async ({ part }: Walk['request']): Promise<Walk['reply']> => {
        if (part === 'pending') {
          walking += 1;
          await gate;
        }
        return { utxos: [] };
      },
    };
    services = [
      await createFakeGroup(network, { ns, group: 0, groups: 4, script, logger: silentLogger }),
      await create(
        { ...defaultGatewayChoices, ns, network: developmentNetwork, http: { host: '127.0.0.1', port: 0 } },
        { network, clock: systemClock, logger: silentLogger },
      ),
    ];
    await startInOrder(services);
  });
  afterAll(async () => {
    await stopInReverse(services);
    await network.close();
  });

  it('are made two at a time, eight wait, and the others are told to come back', async () => {
    const ask = () => fetch(`http://127.0.0.1:${services[1]!.port}/addresses/${address}/utxos`);
    const answered: Response[] = [];
    const all = Array.from({ length: 14 }, async () => {
      const answer = await ask();
      answered.push(answer);
      return answer.status;
    });
    await until('four refusals', () => answered.length === 4);
    for (const { status, headers } of answered) {
      const told = [status, headers.get('retry-after'), headers.get('x-error-code')];
      expect(told).toEqual([429, '5', 'TooManyRequests']);
    }
    await until('two walks', () => walking === 2);
    go();
    expect((await Promise.all(all)).filter((status) => status === 200)).toHaveLength(10);
    expect((await ask()).status).toBe(200);
  });
});

describeWalk('the bus of one process', async () => createInProcessNetwork());

describeWithServers(['nats'], 'with a NATS server', () => {
  let server: ServerProcess;
  beforeAll(async () => {
    server = await startNats({ folder: mkdtempSync(join(tmpdir(), 'walk-nats-')) });
  });
  afterAll(() => server.stop());
  describeWalk('NATS', async () => openNatsNetwork({ servers: [server.url], logger: silentLogger }));
});
