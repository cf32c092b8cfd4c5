import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { connect, headers } from '@nats-io/transport-node';
import { type BusNetwork, openNatsNetwork } from '@shardnode/core/bus';
import { silentLogger } from '@shardnode/core/observability';
import { type ServerProcess, startNats } from '@shardnode/core/servers';
import { type ChainChange } from '@shardnode/messages';
import { type Block } from '@shardnode/protocol/block';
import { encode } from '@shardnode/protocol/encoding';
import { type Contract, contractCodec, valsCodec } from '@shardnode/protocol/script';
import { methodOf } from '@shardnode/testing/builders';
import { FeedFollower, type FollowerOptions } from '@shardnode/testing/feed-follower';
import { developmentKeys } from '@shardnode/testing/keys';
import { seededRandom } from '@shardnode/testing/seeded-random';
import { describeWithServers } from '@shardnode/testing/servers';
import { untilFollowed } from './support/followed.js';
import { branchOf, makeHistory } from './support/histories.js';
import { type Overrides, TestNetwork, until } from './support/network.js';

const ns = 'test';
const groups = 4;

const followerOf = (network: TestNetwork, more: Partial<FollowerOptions> = {}): Promise<FeedFollower> =>
  FeedFollower.open({ network: network.network, ns, groups, ...more });

/** Creates a contract with one method that does nothing: an event of the system. */
const deploy = async (network: TestNetwork): Promise<void> => {
  const [key] = await developmentKeys();
  const contract: Contract = { fieldLength: 0, methods: [methodOf([])] };
  const none = encode(valsCodec, []);
  await network.deploy(key!, new Uint8Array([...encode(contractCodec, contract), ...none, ...none]));
};

const changesOf = (follower: FeedFollower, from: number, to: number): readonly ChainChange[] =>
  follower.heard['feed.chain'].filter(({ chainFrom, chainTo }) => chainFrom === from && chainTo === to);

const describeFeed = (transport: string, openBus?: () => BusNetwork): void => {
  describe(`the feed over ${transport}`, () => {
    let network: TestNetwork;
    const followers: FeedFollower[] = [];
    const open = async (overrides: Overrides = {}): Promise<void> => {
      network = await TestNetwork.open({ ...overrides, ...(openBus && { openBus }) });
    };
    const follow = async (more?: Partial<FollowerOptions>): Promise<FeedFollower> => {
      const follower = await followerOf(network, more);
      followers.push(follower);
      return follower;
    };
    afterEach(async () => {
      for (const follower of followers.splice(0)) await follower.close();
      await network.close();
    });

    it('gives a late follower all blocks, events and pending transactions, and the same to one that was there', async () => {
      await open();
      const early = await follow();
      await makeHistory(network, 8);
      await deploy(network);
      const late = await follow();
      for (const follower of [early, late]) {
        await untilFollowed(network, follower);
        expect(follower.problems).toEqual([]);
        const created = follower.blocks(0, 0).flatMap(({ events }) => events);
        expect(created).toMatchObject([{ eventIndex: -1 }]);
        const address = created[0]!.fields[0]!;
        expect(address.type).toBe('Address');
        const state = await network.explorer.request(0, 'read.contract.state', { address: String(address.value) });
        expect(state).toMatchObject({ address: address.value, immFields: [], mutFields: [] });
        const calls = [0, 1].map((methodIndex) => ({ address: state.address, methodIndex }));
        for (const name of ['read.feed.contract-calls', 'read.contract.calls'] as const) {
          const { results } = await network.explorer.request(0, name, { calls });
          expect(results).toEqual([
            { ok: true, returns: [] },
            { ok: false, error: expect.any(String) },
          ]);
        }
      }
      // Every change has been announced, without a hole.
      for (let to = 0; to < groups; to++) {
        const seqs = changesOf(early, 0, to).map(({ seq }) => seq);
        expect(seqs).toEqual(seqs.map((_, i) => i + 2));
      }
    });

    it('tells of a reorganisation once, and of blocks that are not canonical never', async () => {
      await open({ mining: 'off' });
      const follower = await follow();
      const chain = { from: 1, to: 2 };
      const submit = (block: Block) => network.client.request(1, 'command.block.submit', { block: block.raw });
      const [first, second] = [branchOf(chain, 2, 1n), branchOf(chain, 3, 5n)];
      for (const block of [...first, ...second]) await submit(block);
      await untilFollowed(network, follower);
      expect(
        follower
          .blocks(1, 2)
          .map(({ hash }) => hash)
          .slice(1),
      ).toEqual(second.map(({ header }) => header.hash));
      const changes = changesOf(follower, 1, 2);
      const reorgs = changes.filter(({ kind }) => kind === 'reorg');
      const extensions = changes.filter(({ kind }) => kind === 'extend');
      expect(reorgs).toHaveLength(1);
      expect(reorgs[0]!.removed.map(({ hash }) => hash)).toEqual(first.map(({ header }) => header.hash).reverse());
      expect(reorgs[0]!.fork.height).toBe(0);
      for (const { fork, added, head, truncated } of changes) {
        expect(head).toEqual(added.at(-1));
        expect(added.map(({ height }) => height)).toEqual(added.map((_, i) => fork.height + 1 + i));
        expect(truncated).toBe(false);
      }
      expect(changes.map(({ seq }) => seq)).toEqual(changes.map((_, i) => i + 2));
      expect(extensions.every(({ removed }) => removed.length === 0)).toBe(true);
      expect(follower.undone(1, 2)).toBeGreaterThan(0);
      const side = await network.explorer.request(1, 'read.block.get', { hash: first[0]!.header.hash });
      expect(side).toMatchObject({ canonical: false, height: 1, block: { events: [] } });
      // The receivers' group has the blocks, too.
      const { hash } = second[0]!.header;
      const copy = () => network.explorer.request(2, 'read.block.get', { hash }).catch(() => undefined);
      await until('the copy', async () => (await copy())?.canonical === true);
    });

    it('refuses with the codes of the document', async () => {
      await open({ mining: 'off' });
      const ask = network.explorer;
      const place = { height: 0, hash: 'ab'.repeat(32) };
      const chain = { chainFrom: 0, chainTo: 0 };
      const [rich] = await developmentKeys();
      const address = rich!.address;
      const refusals = [
        () => ask.request(0, 'read.chain.pull', { chainFrom: 1, chainTo: 2, locators: [] }),
        () => ask.request(0, 'read.chain.pull', { ...chain, locators: [place] }),
        () => ask.request(0, 'read.chain.pull', { ...chain, locators: [], limit: 501 }),
        () => ask.request(0, 'read.block.get', { hash: `${'ab'.repeat(31)}00` }),
        () => ask.request(0, 'read.block.get', { hash: `${'ab'.repeat(31)}05` }),
        () => ask.request(0, 'read.contract.state', { address }),
      ];
      const codes: unknown[] = [];
      for (const refusal of refusals) codes.push(await refusal().catch((error: { code?: string }) => error.code));
      expect(codes).toEqual([
        'NotThisGroup',
        'GenesisMismatch',
        'InvalidRequest',
        'UnknownBlock',
        'NotThisGroup',
        'InvalidRequest',
      ]);
    });

    // The same whatever carries it.
    if (openBus) return;

    it('brings a follower up to date that loses, repeats and reorders announcements', async () => {
      await open();
      const random = seededRandom(11);
      const arrive = (deliver: () => void): void => {
        if (random() < 0.3) return;
        for (let times = random() < 0.3 ? 2 : 1; times > 0; times--) setTimeout(deliver, random() * 60);
      };
      const follower = await follow({ arrive });
      await makeHistory(network, 8);
      await untilFollowed(network, follower);
      expect(follower.problems).toEqual([]);
    });

    it('goes on with the numbers after a restart, and with others in a new database', async () => {
      await open({ mining: 'off' });
      const follower = await follow();
      await makeHistory(network, 4);
      await untilFollowed(network, follower);
      const before = await network.explorer.request(0, 'read.chain.heads', {});
      await network.stopGroup(0);
      await network.startGroup(0);
      await network.synced();
      expect(await network.explorer.request(0, 'read.chain.heads', {})).toEqual(before);
      await network.mine(0, 0);
      const after = await network.explorer.request(0, 'read.chain.heads', {});
      expect(after.epoch).toBe(before.epoch);
      expect(after.heads[0]!.seq).toBe(before.heads[0]!.seq + 1);
      const info = await network.explorer.request(3, 'read.info', {});
      await network.stopGroup(3);
      await network.wipe(3);
      await network.startGroup(3);
      await network.synced();
      const replaced = await network.explorer.request(3, 'read.info', {});
      expect(replaced).toEqual({ ...info, epoch: expect.not.stringMatching(info.epoch) });
      await untilFollowed(network, follower);
      expect(follower.problems).toEqual([]);
    });

    it('leaves no hole when the process stops between storing and publishing', async () => {
      let mayFail = false;
      // The other groups commit the headers, too.
      const crashPoint = (name: string, group: number): void => {
        if (!mayFail || name !== 'after-commit' || group !== 2) return;
        mayFail = false;
        throw new Error('stopped after the commit');
      };
      await open({ mining: 'off', crashPoint });
      const follower = await follow();
      await network.mine(2, 2);
      await until('the change', () => changesOf(follower, 2, 2).length === 1);
      mayFail = true;
      await network.mine(2, 2).catch(() => undefined);
      await network.synced();
      await network.mine(2, 2);
      const { heads } = await network.explorer.request(2, 'read.chain.heads', {});
      expect([heads[2]!.seq, heads[2]!.height]).toEqual([4, 3]);
      await untilFollowed(network, follower);
      expect(changesOf(follower, 2, 2).map(({ seq }) => seq)).toEqual([2, 4]);
    });
  });
};

describeFeed('the bus of one process');

describeWithServers(['nats'], 'with a NATS server', () => {
  let server: ServerProcess;
  beforeAll(async () => {
    server = await startNats({ folder: mkdtempSync(join(tmpdir(), 'feed-nats-')) });
  });
  afterAll(() => server.stop());
  describeFeed('NATS', () => openNatsNetwork({ servers: [server.url], logger: silentLogger }));

  it('is plain JSON for a program that is not ours', async () => {
    const openBus = () => openNatsNetwork({ servers: [server.url], logger: silentLogger });
    const network = await TestNetwork.open({ mining: 'off', openBus });
    const client = await connect({ servers: server.url });
    const given = headers();
    given.set('X-Trace-Id', 'trace-1');
    const ask = async (name: string, body: object) => {
      const reply = await client.request(`test.rpc.group.0.${name}`, JSON.stringify(body), {
        timeout: 5_000,
        headers: given,
      });
      expect(reply.headers?.get('X-Trace-Id')).toBe('trace-1');
      return { code: reply.headers?.get('X-Error'), body: reply.json<Record<string, unknown>>() };
    };
    const heads = await ask('read.chain.heads', {});
    expect(heads.code).toBe('');
    expect(heads.body).toMatchObject({ heads: [{ chainTo: 0, seq: 1, height: 0 }, {}, {}, {}] });
    const pulled = await ask('read.chain.pull', { chainFrom: 0, chainTo: 0, locators: [] });
    expect(pulled.body).toMatchObject({ fork: null, more: false, blocks: [{ height: 0, events: [] }] });
    const refused = await ask('read.chain.pull', { chainFrom: 1, chainTo: 2, locators: [] });
    expect(refused.code).toBe('NotThisGroup');
    expect(refused.body).toMatchObject({ error: { code: 'NotThisGroup', retryable: false } });
    const wrong = await ask('read.block.get', { hash: 'x' });
    expect(wrong.body).toMatchObject({ error: { code: 'InvalidRequest', message: expect.stringContaining('hash') } });
    const message = new Promise<string>((resolve) => {
      client.subscribe('test.feed.group.*.chain.*', {
        max: 1,
        callback: (_, { headers: sent, data }) => {
          const { epoch, seq } = JSON.parse(new TextDecoder().decode(data)) as ChainChange;
          expect(sent?.get('Nats-Msg-Id')).toBe(`${epoch}:0:1:${seq}`);
          resolve(`${seq}`);
        },
      });
    });
    await client.flush();
    await network.mine(0, 1);
    expect(await message).toBe('2');
    await client.close();
    await network.close();
  });
});

describeWithServers(['nats'], 'blocks larger than a message', () => {
  let server: ServerProcess;
  beforeAll(async () => {
    // Ordinary blocks do not fit below it.
    const configuration = 'max_payload: 66000';
    server = await startNats({ folder: mkdtempSync(join(tmpdir(), 'feed-chunks-')), configuration });
  });
  afterAll(() => server.stop());

  it('travel in parts', async () => {
    const openBus = () => openNatsNetwork({ servers: [server.url], logger: silentLogger });
    const network = await TestNetwork.open({ openBus });
    await makeHistory(network, 3);
    const follower = await followerOf(network);
    await untilFollowed(network, follower);
    expect(follower.problems).toEqual([]);
    const { hash } = follower.blocks(0, 0)[1]!;
    const { block } = await network.explorer.request(0, 'read.block.get', { hash });
    expect(block).toMatchObject({ chunked: true, size: follower.blocks(0, 0)[1]!.raw.length });
    const end = await network.explorer.request(0, 'read.block.chunk', { hash, offset: 10 });
    expect(end).toMatchObject({ offset: 10, last: true });
    await follower.close();
    await network.close();
  });
});
