import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Bus } from '@shardnode/core/bus';
import { createLogger, silentLogger } from '@shardnode/core/observability';
import { peerSubject } from '@shardnode/messages';
import { type Block, genesisBlocks } from '@shardnode/protocol/block';
import { developmentNetwork } from '@shardnode/protocol/network';
import { sameChain } from '@shardnode/protocol/primitives';
import { developmentKeys, testKeyOfGroup } from '@shardnode/testing/keys';
import { MemoryNode, nextBlock } from '@shardnode/testing/memory-node';
import { embeddedStores } from '../support/embedded-stores.js';
import { coin, TestNetwork, until } from '../support/network.js';

/** With a gap, so that a node without one makes blocks that break a rule. */
const settings = { ...developmentNetwork, uncleDependencyGap: 60_000n };
const ns = 'test';
/** Milliseconds. */
const splitPeriod = 1_000;
/** All but group 1, which makes the trouble. */
const others = [0, 2, 3];

interface Line {
  readonly level: number;
  readonly service: string;
  readonly msg: string;
}

describe('chains that split', () => {
  const lines: Line[] = [];
  let network: TestNetwork;

  beforeAll(async () => {
    const destination = { write: (line: string) => void lines.push(JSON.parse(line) as Line) };
    const logger = createLogger({ level: 'info', destination });
    network = new TestNetwork(await embeddedStores(), { mining: 'off', splitPeriod, logger }, settings);
    await network.start();
  });
  afterAll(() => network.close());

  const health = async (group: number): Promise<{ status: number; body: { problems: Record<string, unknown>[] } }> => {
    const answer = await fetch(`http://127.0.0.1:${network['services'][group]!.port}/health/ready`);
    return { status: answer.status, body: (await answer.json()) as never };
  };
  const areReady = async (groups: readonly number[], ready: boolean): Promise<boolean> =>
    (await Promise.all(groups.map(health))).every(({ status }) => status === (ready ? 200 : 503));
  const errorsOf = (group: number): readonly string[] =>
    lines.flatMap(({ level, service, msg }) => (level >= 50 && service === `group-node-${group}` ? [msg] : []));
  const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

  const asSibling = async (): Promise<Bus> => {
    const { bus } = await network.bus.join({ sender: { service: 'group-node', member: 1 }, logger: silentLogger });
    return bus;
  };
  const send = (bus: Bus, block: Block): void => {
    const { from, to } = block.header.chainIndex;
    bus.publish(peerSubject(ns, { event: 'peer.block', from, to }), { from, to, block: block.raw });
    bus.publish(peerSubject(ns, { event: 'peer.header', from, to }), { from, to, header: block.header.raw });
  };

  it('a refused block on which its sender does not build stops nobody', async () => {
    const bus = await asSibling();
    const maker = new MemoryNode({ ...settings, uncleDependencyGap: 0n });
    const fresh = nextBlock(maker, { from: 2, to: 2 });
    maker.importBlock(fresh.raw);
    const refused = nextBlock(maker, { from: 1, to: 0 }, { timestamp: fresh.header.timestamp + 1n });
    await network.client.request(2, 'command.block.submit', { block: fresh.raw });
    await until('group 0 has the dependency', async () => {
      const { currentHeight } = await network.client.request(0, 'read.chain.info', { from: 2, to: 2 });
      return currentHeight === 1;
    });
    send(bus, refused);
    await until('the block is refused', async () => lines.some(({ msg }) => msg === 'block refused'));
    await pause(2 * splitPeriod);
    expect(await areReady(network.groups, true)).toBe(true);
    expect(network.groups.flatMap(errorsOf)).toEqual([]);
  });

  it('a sibling builds on a block that a rule refuses: no blocks, no transactions, one error; until it is mended', async () => {
    const rich = await developmentKeys();
    const pending = await network.transfer(rich[0]!, [{ key: testKeyOfGroup(0), amount: coin }]);
    const template = await network.signedTransfer(rich[3]!, [{ key: testKeyOfGroup(3), amount: coin }]);
    await network.stopGroup(1);
    await network.startGroup(1, { settings: { ...settings, uncleDependencyGap: 0n } });
    await network.synced();
    await network.mine(2, 2);
    const { blockHash } = await network.mine(1, 1);
    await network.mine(1, 1);
    await until('the others are not ready', () => areReady(others, false), 20_000);
    const split = { sibling: 1, block: blockHash, from: 1, to: 1, cause: 'InvalidUncleTimeStamp' };
    for (const group of others) {
      const { body } = await health(group);
      expect(body.problems).toMatchObject([{ check: 'synced', group, ...split }]);
      expect(await network.client.request(group, 'read.node.status', {})).toMatchObject({ synced: false, split });
      const refusal = { kind: 'unavailable', code: 'ChainSplit', data: { group, ...split } };
      await expect(network.mine(group, group)).rejects.toMatchObject(refusal);
      await expect(network.client.request(group, 'command.mempool.submit', { template })).rejects.toMatchObject(
        refusal,
      );
    }
    expect((await network.status(0, pending.txId)).type).toBe('MemPooled');
    // The sibling goes on, and is asked for its chain again and again.
    for (let block = 0; block < 5; block++) {
      await network.mine(1, block % 4);
      await pause(300);
    }
    expect(await areReady(others, false)).toBe(true);
    for (const group of others) expect(errorsOf(group)).toHaveLength(1);
    expect(lines.filter(({ level }) => level === 40).length).toBeLessThan(30);

    await network.stopGroup(1);
    await network.wipe(1);
    await network.startGroup(1);
    await until('all are ready', () => areReady(network.groups, true), 20_000);
    await network.client.request(3, 'command.mempool.submit', { template });
    expect(await network.mine(0, 0)).toHaveProperty('blockHash');
    expect((await network.status(0, pending.txId)).type).toBe('Confirmed');
    expect(errorsOf(0)).toHaveLength(1);
  });

  it('a sibling builds on a block that nobody sends; until it comes', async () => {
    await network.stopGroup(1);
    const bus = await asSibling();
    const block = nextBlock(new MemoryNode(settings), { from: 1, to: 0 });
    const heads = [0, 2, 3]
      .map((group) => ({ from: group, to: group }))
      .concat(network.groups.map((to) => ({ from: 1, to })))
      .map((chain) =>
        sameChain(chain, block.header.chainIndex)
          ? block.header.hash
          : genesisBlocks(settings).find(({ header }) => sameChain(header.chainIndex, chain))!.header.hash,
      );
    const heartbeat = setInterval(() => {
      const payload = { from: 1, bestDependencies: heads, sentAt: String(Date.now()) };
      bus.publish(peerSubject(ns, { event: 'peer.tips', from: 1 }), payload);
    }, 100);
    try {
      await until('the others are not ready', () => areReady(others, false), 20_000);
      for (const group of others) {
        const { body } = await health(group);
        expect(body.problems).toMatchObject([
          { sibling: 1, block: block.header.hash, from: 1, to: 0, cause: 'missing' },
        ]);
        expect(errorsOf(group)).toHaveLength(2);
      }
      send(bus, block);
      await until('all others are ready', () => areReady(others, true), 20_000);
      for (const group of others) expect(errorsOf(group)).toHaveLength(2);
    } finally {
      clearInterval(heartbeat);
    }
  });
});
