import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { MemoryCache, type Cache } from '@shardnode/core/cache';
import { ServiceError } from '@shardnode/core/errors';
import { systemClock } from '@shardnode/core/lifecycle';
import { createStoppedClock } from '@shardnode/testing/clocks';
import { genesisBlock } from '@shardnode/protocol/block';
import { encode } from '@shardnode/protocol/encoding';
import { developmentNetwork } from '@shardnode/protocol/network';
import { transactionCodec } from '@shardnode/protocol/transaction';
import { startFakeNetwork, type FakeNetwork } from '../fakes/fake-network.js';

const genesis = genesisBlock(developmentNetwork, { from: 2, to: 1 });
const { hash } = genesis.header;
/** Only chains within a group begin with a transaction. */
const [transaction] = genesisBlock(developmentNetwork, { from: 0, to: 0 }).transactions;
const txId = 'ab'.repeat(32);

const refuse = (): never => {
  throw new ServiceError('not-found', 'NotFound', 'not here');
};

/** Counts what groups are asked, by request and group. */
const serveBlocks = (network: FakeNetwork): string[] => {
  const asked: string[] = [];
  network.groups['read.chain.block'] = (request, group) => {
    asked.push(`block ${group}`);
    if (request.hash !== hash) refuse();
    return { block: genesis.raw, height: 0, isCanonical: true };
  };
  network.groups['read.chain.header'] = (request, group) => {
    asked.push(`header ${group}`);
    if (request.hash !== hash) refuse();
    return { header: genesis.header.raw, height: 0, isCanonical: true };
  };
  return asked;
};

const newMemory = (): MemoryCache => new MemoryCache({ maxBytes: 1_000_000, clock: systemClock });
const blockPath = `/blockflow/blocks/${hash}`;
const headerPath = `/blockflow/headers/${hash}`;

describe('answers that cannot change', () => {
  let network: FakeNetwork;
  let cache: Cache;
  let asked: string[];
  beforeEach(async () => {
    cache = newMemory();
    network = await startFakeNetwork({}, { cache });
    asked = serveBlocks(network);
  });
  afterEach(() => network.stop());

  it('are asked for once, and are the same bytes each time', async () => {
    const first = await network.send('GET', blockPath);
    const second = await network.send('GET', `/blockflow/blocks/${hash.toUpperCase()}/`);
    expect([second.status, second.text]).toEqual([200, first.text]);
    expect(second.headers.get('content-type')).toBe('application/json');
    expect(Number(second.headers.get('content-length'))).toBe(Buffer.byteLength(first.text));
    expect(first.body.hash).toBe(hash);
    const header = await network.send('GET', headerPath);
    expect((await network.send('GET', headerPath)).text).toBe(header.text);
    expect(header.text).not.toBe(first.text);
    expect(asked).toEqual(['block 2', 'header 2']);
  });

  it('are shared by gateways, also one that starts anew and while the group is away', async () => {
    const { text } = await network.send('GET', blockPath);
    const other = await network.addGateway({}, { cache });
    await network.stopGroup(2);
    expect((await other.send('GET', blockPath)).text).toBe(text);
    expect((await other.send('GET', blockPath)).text).toBe(text);
    expect((await other.send('GET', headerPath)).status).toBe(503);
    expect(asked).toEqual(['block 2']);
  });

  it('are not those of another network, profile or commit', async () => {
    await network.send('GET', blockPath);
    const others = [
      { network: { ...developmentNetwork, allocations: [] } },
      { profile: 'reference' as const },
      { commit: 'another' },
    ];
    for (const [index, configuration] of others.entries()) {
      const gateway = await network.addGateway(configuration, { cache });
      expect((await gateway.send('GET', blockPath)).status).toBe(200);
      expect(asked).toHaveLength(index + 2);
    }
  });

  it('are the same for every brand, each of which gets its own names', async () => {
    const withOutputs = genesisBlock(developmentNetwork, { from: 0, to: 0 });
    network.groups['read.chain.block'] = (_request, group) => {
      asked.push(`block ${group}`);
      return { block: withOutputs.raw, height: 0, isCanonical: true };
    };
    const path = `/blockflow/blocks/${withOutputs.header.hash}`;
    const own = await network.send('GET', path);
    const other = await network.addGateway({ brand: { coinName: 'Leaf', coinSymbol: 'LEAF' } }, { cache });
    const branded = await other.send('GET', path);
    expect(own.text).toContain('"attoCoinAmount"');
    expect(branded.text).toBe(own.text.replaceAll('"attoCoinAmount"', '"attoLeafAmount"'));
    expect(branded.text).not.toContain('Coin');
    expect(Number(branded.headers.get('content-length'))).toBe(Buffer.byteLength(branded.text));
    expect(asked).toEqual(['block 0']);
  });

  it('a block that is not known yet is asked for again', async () => {
    const path = `/blockflow/blocks/${'aa'.repeat(32)}`;
    for (let times = 1; times <= 3; times++) {
      expect((await network.send('GET', path)).status).toBe(404);
      expect(asked).toHaveLength(times);
    }
  });

  it('events, and what depends on the main chain, are asked for each time', async () => {
    network.groups['read.chain.is-canonical'] = (_request, group) => {
      asked.push(`canonical ${group}`);
      return { isCanonical: true };
    };
    for (const path of [
      `/blockflow/blocks-with-events/${hash}`,
      `/blockflow/is-block-in-main-chain?blockHash=${hash}`,
    ]) {
      asked.length = 0;
      await network.send('GET', path);
      await network.send('GET', path);
      expect(asked).toHaveLength(2);
    }
  });

  it('are counted by the metrics of both caches', async () => {
    await network.send('GET', blockPath);
    await network.send('GET', blockPath);
    const { text } = await network.send('GET', '/metrics');
    expect(text).toContain('cache_reads_total{cache="memory",outcome="hit",service="gateway"} 1');
    expect(text).toContain('cache_reads_total{cache="shared",outcome="miss",service="gateway"} 1');
    expect(text).toContain('cache_reachable{cache="shared",service="gateway"} 1');
  });
});

/** Says for keys of one kind what a test wants; nobody wrote that. */
const lyingCache = (kind: string, value: Uint8Array): Cache => ({
  get: async (key) => (key.startsWith(`${kind}:`) ? value : undefined),
  set: async () => undefined,
  delete: async () => undefined,
  count: async () => undefined,
  observe: () => () => undefined,
  close: async () => undefined,
});

describe('places of transactions in a cache that is wrong', () => {
  let network: FakeNetwork | undefined;
  afterEach(() => network?.stop());

  const chain = { chainFrom: 2, chainTo: 2 };
  const confirmed = {
    type: 'Confirmed' as const,
    ...chain,
    blockHash: hash,
    txIndex: 0,
    chainConfirmations: 3,
    fromGroupConfirmations: 2,
    toGroupConfirmations: 1,
  };
  const startLying = async (value: Uint8Array, kind = 'place'): Promise<string[]> => {
    network = await startFakeNetwork({}, { cache: lyingCache(kind, value) });
    const asked: string[] = [];
    network.groups['read.transaction.status'] = (_request, group) => {
      asked.push(`status ${group}`);
      return group === 2 ? confirmed : { type: 'TxNotFound' };
    };
    network.groups['read.transaction.details'] = (_request, group) => {
      asked.push(`details ${group}`);
      if (group !== 2) refuse();
      return { transaction: encode(transactionCodec, transaction!), blockHash: hash, txIndex: 0 };
    };
    network.groups['read.view.includes'] = (_request, group) => {
      asked.push(`includes ${group}`);
      return { included: group === 2 };
    };
    return asked;
  };
  const status = () => network!.send('GET', `/transactions/status?txId=${txId}`);
  const details = () => network!.send('GET', `/transactions/details/${txId}`);

  it.each([[[0]], [[3]], [[1]]])('group %j: all are asked, each once', async (value) => {
    const asked = await startLying(Uint8Array.from(value));
    expect((await status()).body.type).toBe('Confirmed');
    expect([...asked].sort()).toEqual(['status 0', 'status 1', 'status 2', 'status 3']);
    asked.length = 0;
    await network!.stop();
    const askedNow = await startLying(Uint8Array.from(value));
    expect((await details()).status).toBe(200);
    expect([...askedNow].sort()).toEqual(['details 0', 'details 1', 'details 2', 'details 3']);
  });

  it.each([[[4]], [[255]], [[]], [[2, 0]], [[0, 0, 0, 2]]])('bytes %j name no group', async (value) => {
    const asked = await startLying(Uint8Array.from(value));
    expect((await status()).body.type).toBe('Confirmed');
    expect((await details()).status).toBe(200);
    expect(asked).toContain('status 0');
  });

  it('the right group alone is asked', async () => {
    const asked = await startLying(Uint8Array.of(2));
    expect((await status()).body.type).toBe('Confirmed');
    expect((await details()).status).toBe(200);
    expect(asked).toEqual(['status 2', 'details 2']);
  });

  it('a group that is away is no answer, when another one has it', async () => {
    await startLying(Uint8Array.of(3));
    await network!.stopGroup(3);
    expect((await status()).body.type).toBe('Confirmed');
    expect((await details()).status).toBe(200);
  });

  it('a group that knows why it dropped the transaction is believed', async () => {
    const asked = await startLying(Uint8Array.of(1));
    network!.groups['read.transaction.status'] = (_request, group) => {
      asked.push(`status ${group}`);
      return { type: 'TxNotFound', reason: { code: 'Expired', detail: 'it was too old' } };
    };
    expect((await status()).body).toEqual({
      type: 'TxNotFound',
      reason: { code: 'Expired', detail: 'it was too old' },
    });
    expect(asked).toEqual(['status 1']);
  });

  it.each([[[]], [[0]], [[2]], [[1, 1]]])('bytes %j do not say that a group shows a block', async (value) => {
    await startLying(Uint8Array.from(value), 'shown');
    network!.groups['read.transaction.status'] = (_request, group) =>
      group === 2 ? { ...confirmed, chainTo: 1 } : { type: 'TxNotFound' };
    // Group 1 does not show it, and says so when it is asked.
    expect((await status()).body.type).toBe('MemPooled');
  });

  it('that a group shows a block is believed for ten seconds, whoever remembers it', async () => {
    const clock = createStoppedClock();
    const cache = new MemoryCache({ maxBytes: 1_000_000, clock });
    network = await startFakeNetwork({}, { cache, clock });
    const other = await network.addGateway({}, { cache, clock });
    let included = true;
    network.groups['read.transaction.status'] = (_request, group) =>
      group === 2 ? { ...confirmed, chainTo: 1 } : { type: 'TxNotFound' };
    network.groups['read.view.includes'] = () => ({ included });
    const types = async () => [
      (await status()).body.type,
      (await other.send('GET', `/transactions/status?txId=${txId}`)).body.type,
    ];
    expect(await types()).toEqual(['Confirmed', 'Confirmed']);
    included = false;
    clock.advance(9_999);
    expect(await types()).toEqual(['Confirmed', 'Confirmed']);
    clock.advance(1);
    expect(await types()).toEqual(['MemPooled', 'MemPooled']);
  });
});
