import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type GroupRequests } from '@shardnode/messages';
import { type Block } from '@shardnode/protocol/block';
import { encode } from '@shardnode/protocol/encoding';
import { developmentNetwork } from '@shardnode/protocol/network';
import { zeroHash } from '@shardnode/protocol/primitives';
import { valsCodec } from '@shardnode/protocol/script';
import { transactionTemplateCodec } from '@shardnode/protocol/transaction';
import { assetOutput, buildMinedBlock } from '@shardnode/testing/builders';
import { testKeyOfGroup } from '@shardnode/testing/keys';
import { until } from '@shardnode/testing/waiting';
import { type FakeNetwork, startFakeNetwork } from './fakes/fake-network.js';

const budget = 8 * 1024 * 1024;
const start = 1_700_000_000_000;
const shell = { coinName: 'Shell', coinSymbol: 'SHL' };

/** Some 400 kB of JSON. */
const transaction = {
  unsigned: {
    version: 0,
    networkId: developmentNetwork.networkId,
    script: undefined,
    gasAmount: 20_000,
    gasPrice: 1n,
    inputs: [],
    fixedOutputs: Array.from({ length: 600 }, () => ({
      ...assetOutput(testKeyOfGroup(0).lockupScript, 1n),
      additionalData: new Uint8Array(256),
    })),
  },
  scriptExecutionOk: true,
  contractInputs: [],
  generatedOutputs: [],
  inputSignatures: [],
  scriptSignatures: [],
};

/** Blocks of the chain (group, 0), ten milliseconds apart; each group begins a millisecond later than the one before. */
const blocksOf = (group: number): Block[] =>
  Array.from({ length: 8 }, (_, i) =>
    buildMinedBlock({
      settings: developmentNetwork,
      chain: { from: group, to: 0 },
      blockDeps: Array.from({ length: 7 }, () => zeroHash),
      depStateHash: zeroHash,
      timestamp: BigInt(start + 10 * i + group),
      target: 0x20ffffff,
      transactions: [transaction],
      miner: testKeyOfGroup(0).lockupScript,
    }),
  );

type Blocks = GroupRequests['read.chain.blocks'];

/** As a group-node answers. */
const blocksWithin = (blocks: readonly Block[], { fromTs, toTs, maxBytes = Infinity }: Blocks['request']) => {
  const wanted = blocks.filter(({ header }) => header.timestamp >= fromTs && header.timestamp <= toTs);
  let bytes = 0;
  const cut = wanted.findIndex(({ raw }) => (bytes += raw.length) > maxBytes);
  const fitting = cut < 0 ? wanted : wanted.slice(0, cut);
  return {
    blocks: fitting.map(({ raw }, height) => ({ block: raw, height })),
    ...(cut < 0 ? {} : { until: Number(wanted[cut]!.header.timestamp) - 1 }),
  };
};

describe('answers above the budget', () => {
  let network: FakeNetwork;
  let chains: readonly (readonly Block[])[];
  beforeAll(async () => {
    network = await startFakeNetwork({ http: { host: '127.0.0.1', port: 0, trustedProxies: ['127.0.0.1'] } });
    chains = [0, 1, 2, 3].map(blocksOf);
    network.groups['read.chain.blocks'] = (request, group): Blocks['reply'] => {
      const { blocks, until: last } = blocksWithin(chains[group]!, request);
      return { chains: [{ from: group, to: 0, blocks }], ...(last === undefined ? {} : { until: last }) };
    };
  });
  afterAll(() => network.stop());

  const path = (fromTs: number, toTs: number): string => `/blockflow/blocks?fromTs=${fromTs}&toTs=${toTs}`;

  it('of blocks name the longest interval from the same start that fits, until all are read', async () => {
    const end = start + 1_000;
    const hashes: string[] = [];
    let parts = 0;
    for (let fromTs = start - 50, toTs = end; fromTs < end;) {
      const { status, body, text, headers } = await network.send('GET', path(fromTs, toTs));
      if (status === 200) {
        expect(text.length).toBeLessThanOrEqual(budget);
        hashes.push(...(body.blocks as { hash: string }[][]).flat().map(({ hash }) => hash));
        [fromTs, toTs, parts] = [toTs + 1, end, parts + 1];
        continue;
      }
      const named = Number(/first fromTs=\d+&toTs=(\d+)\.$/.exec(body.detail)![1]);
      expect(body.detail).toBe(
        `The blocks from fromTs=${fromTs} to toTs=${toTs} are more than ${budget} bytes of JSON. Ask for them in parts, first fromTs=${fromTs}&toTs=${named}.`,
      );
      expect([status, headers.get('x-error-code'), headers.get('x-error-field')]).toEqual([
        400,
        'AnswerTooLarge',
        'toTs',
      ]);
      // One millisecond more is one block too many.
      expect((await network.send('GET', path(fromTs, named))).status).toBe(200);
      expect((await network.send('GET', path(fromTs, named + 1))).status).toBe(400);
      toTs = named;
    }
    expect(parts).toBe(2);
    expect([...hashes].sort()).toEqual(
      chains
        .flat()
        .map(({ header }) => header.hash)
        .sort(),
    );
  });

  it('of one millisecond are whole', async () => {
    const at = start + 70;
    const many = Array.from({ length: 30 }, () => chains[0]![7]!);
    const before = network.groups['read.chain.blocks'];
    network.groups['read.chain.blocks'] = (request, group): Blocks['reply'] => {
      const { blocks, until: last } = blocksWithin(group === 0 ? many : [], request);
      return { chains: [{ from: group, to: 0, blocks }], ...(last === undefined ? {} : { until: last }) };
    };
    const refused = await network.send('GET', path(at, at + 5));
    expect(refused.body.detail).toMatch(new RegExp(`first fromTs=${at}&toTs=${at + 1}\\.$`));
    const { status, text, body } = await network.send('GET', path(at, at + 1));
    expect([status, body.blocks[0].length]).toEqual([200, 30]);
    expect(text.length).toBeGreaterThan(budget);
    network.groups['read.chain.blocks'] = before;
  });

  it('of events name the events of a transaction', async () => {
    const hash = chains[1]![0]!.header.hash;
    const fields = encode(valsCodec, [{ type: 'ByteVec', value: new Uint8Array(10_000) }]);
    const events = Array.from({ length: 500 }, () => ({
      blockHash: hash,
      txId: zeroHash,
      contractId: zeroHash,
      eventIndex: 0,
      fields,
    }));
    network.groups['read.events.block'] = () => ({ events });
    network.groups['read.events.transaction'] = () => ({ events });
    const refused = await network.send('GET', `/events/block-hash/${hash}`);
    expect([refused.status, refused.headers.get('x-error-code')]).toEqual([400, 'AnswerTooLarge']);
    expect(refused.body.detail).toBe(
      `The events of the block ${hash} are more than ${budget} bytes of JSON: ask for those of each of its transactions, GET /events/tx-id/{txId}.`,
    );
    const { status, body } = await network.send('GET', `/events/tx-id/${zeroHash}`);
    expect([status, body.events.length]).toEqual([200, 500]);
  });

  it('of the mempool are sent in pieces, in the names of the brand', async () => {
    const template = encode(transactionTemplateCodec, transaction);
    const asked: unknown[] = [];
    network.groups['read.mempool.list'] = ({ offset = 0, to }, from) => {
      if (to !== undefined) asked.push([from, to, offset]);
      const all = from === 1 ? [1, 3, 3].map((group) => ({ from, to: group, template })) : [];
      const listed = all.filter((item) => to === undefined || item.to === to);
      return { transactions: listed.slice(offset, offset + 1), total: listed.length };
    };
    const { body, headers } = await network.send('GET', '/mempool/transactions');
    expect(headers.get('content-type')).toBe('application/json');
    expect(headers.get('content-length')).toBeNull();
    expect(
      (body as { fromGroup: number; toGroup: number; transactions: unknown[] }[]).map((chain) => [
        chain.fromGroup,
        chain.toGroup,
        chain.transactions.length,
      ]),
    ).toEqual([
      [1, 1, 1],
      [1, 3, 2],
    ]);
    expect(asked).toContainEqual([1, 3, 1]);
    const branded = await network.addGateway({ brand: shell });
    const answer = await branded.send('GET', '/mempool/transactions');
    expect(answer.body[1].transactions[0].unsigned.fixedOutputs[0].attoShellAmount).toBe('1');
    await branded.stop();
  });

  it('stop when their client goes, and leave their places to others', async () => {
    let walked = 0;
    let go: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (go = resolve));
    network.groups['read.address.utxos'] = () => ({ utxos: [], more: true as const });
    network.groups['read.address.walk'] = async () => {
      walked += 1;
      await gate;
      return { utxos: [], next: { amount: '1', key: zeroHash } };
    };
    const utxos = `/addresses/${testKeyOfGroup(0).address}/utxos`;
    const ask = (client: string) => {
      const outgoing = httpRequest(`${network.base}${utxos}`, { headers: { 'X-Forwarded-For': client } });
      outgoing.on('error', () => undefined);
      outgoing.end();
      return outgoing;
    };
    const first = Array.from({ length: 12 }, () => ask('192.0.2.1'));
    await until('two walks of the first', () => walked === 2);
    const other = [ask('192.0.2.2'), ask('192.0.2.2')];
    await until('two walks of the other', () => walked === 4);
    for (const outgoing of [...first, ...other]) outgoing.destroy();
    // Each walk has no end, and is given up at its next read.
    go();
    await until('all have gone', async () => {
      const before = walked;
      await new Promise((resolve) => setTimeout(resolve, 200));
      return walked === before;
    });
    // Some that waited may have begun before they were gone, too.
    expect(walked).toBeLessThanOrEqual(14);
    network.groups['read.address.walk'] = () => ({ utxos: [] });
    expect((await network.send('GET', utxos)).text).toBe('{"utxos":[]}');
  });
});
