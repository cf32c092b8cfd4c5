import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createInProcessNetwork, type InProcessNetwork } from '@shardnode/core/bus';
import { silentLogger } from '@shardnode/core/observability';
import { type RunningService } from '@shardnode/core/service';
import { livePublisher, type LiveStats } from '@shardnode/messages';
import { developmentNetwork } from '@shardnode/protocol/network';
import { createStoppedClock, type StoppedClock } from '@shardnode/testing/clocks';
import { EventStream } from '@shardnode/testing/event-stream';
import { until } from '@shardnode/testing/waiting';
import { create, defaultExplorerChoices, type Index, LiveChanges, openIndex } from '../../src/index.js';
import { openEmbedded, type TestDatabase } from '../support/databases.js';
import { observing } from '../support/observed-statements.js';
import { groups, RandomTree, type TreeBlock } from '../trees/random-tree.js';
import { emptyIndex } from '../trees/run-tree.js';

const ns = 'test';
const stats: LiveStats = {
  totalTransactions: 1,
  totalBlocks: 2,
  hashRate: '3',
  averageBlockTimeMs: 4,
  pendingCount: 5,
  lagMs: 6,
};

interface BlockForm {
  readonly hash: string;
  readonly height: number;
}
interface SnapshotForm {
  readonly heads: readonly BlockForm[];
  readonly firstBlocks: readonly string[];
  readonly latestBlocks: readonly BlockForm[];
  readonly stats: LiveStats;
}
interface AddressForm {
  readonly address: string;
  readonly txHash: string;
  readonly kind: string;
}

describe('the live stream of a process that reads', () => {
  let opened: TestDatabase;
  let bus: InProcessNetwork;
  let clock: StoppedClock;
  let service: RunningService;
  let tree: RandomTree;
  let index: Index;
  let changes: LiveChanges;
  let publish: ReturnType<typeof livePublisher>;
  const streams: EventStream[] = [];
  let statements: string[] = [];

  const start = async (streamMaxClients = 30): Promise<void> => {
    const http = { host: '127.0.0.1', port: 0, trustedProxies: ['127.0.0.1'] };
    const configuration = { ns, network: { ...developmentNetwork, groups }, http };
    service = await create(
      { ...configuration, ...defaultExplorerChoices, mode: 'reader', streamMaxClients },
      {
        network: bus,
        database: observing(({ name }) => statements.push(name))(opened.database),
        clock,
        logger: silentLogger,
      },
    );
    await service.start();
  };
  beforeAll(async () => {
    opened = await openEmbedded();
  });
  afterAll(() => opened.close());
  beforeEach(async () => {
    await emptyIndex(opened.database);
    clock = createStoppedClock();
    bus = createInProcessNetwork({ clock });
    tree = new RandomTree(5);
    index = openIndex({ database: opened.database, groups });
    await index.apply([...tree.blocks]);
    const writer = await bus.join({ sender: { service: 'explorer' }, logger: silentLogger });
    publish = livePublisher(writer.bus, ns);
    changes = new LiveChanges('writer', (change) => publish(change), clock);
    await start();
    // The first event tells the process which writer there is.
    changes.stats(stats);
    await bus.idle();
  });
  afterEach(async () => {
    for (const stream of streams.splice(0)) stream.close();
    await service.stop();
  });

  const listen = async (query = '', headers: Readonly<Record<string, string>> = {}): Promise<EventStream> => {
    const stream = await EventStream.open(`http://127.0.0.1:${service.port}/stream${query}`, headers);
    streams.push(stream);
    return stream;
  };
  const grown = (): TreeBlock => tree.grow(tree.blocks[0]!);
  const apply = async (block: TreeBlock): Promise<TreeBlock> => {
    changes.blocks(await index.apply([block]));
    return block;
  };
  const clientCount = async (): Promise<string | undefined> =>
    /explorer_stream_clients\{.*\} (\d+)/.exec((await service.handle({ method: 'GET', url: '/metrics' })).text)?.[1];

  describe('first parts of lists', () => {
    const read = async (path: string): Promise<unknown> =>
      JSON.parse((await service.handle({ method: 'GET', url: path })).text);
    /** The statements of lists, which have the index's lag beside them. */
    const asked = (): string[] => statements.splice(0).filter((name) => /^(blocks|transactions|tokens)-/.test(name));

    it.each(['/blocks?limit=3', '/blocks?reverse=true', '/transactions', '/tokens'])(
      'are read once for equal requests: %s',
      async (path) => {
        statements = [];
        const answers = await Promise.all(Array.from({ length: 10 }, () => read(path)));
        const once = asked();
        expect(new Set(once).size).toBe(once.length);
        expect(once.length).toBeGreaterThan(0);
        for (const answer of answers) expect(answer).toEqual(answers[0]);
        await read(path);
        expect(asked()).toEqual([]);
        clock.advance(1_000);
        await read(path);
        expect(asked()).toEqual(once);
      },
    );

    it('are read again after a change, and each by itself behind the first', async () => {
      const newest = async () => ((await read('/blocks?limit=1')) as { blocks: [BlockForm] }).blocks[0].hash;
      await newest();
      const block = await apply(grown());
      await bus.idle();
      expect(await newest()).toBe(block.block.header.hash);
      asked();
      await Promise.all(Array.from({ length: 2 }, () => read('/blocks?limit=1&page=2')));
      expect(asked().filter((name) => name.startsWith('blocks-'))).toHaveLength(2);
    });
  });

  it('begins with hello and a snapshot of the index', async () => {
    const stream = await listen('', { origin: 'https://elsewhere.example' });
    const snapshot = await stream.untilCame<SnapshotForm>('snapshot');
    expect(stream.response.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'access-control-allow-origin': '*',
    });
    expect(stream.response.headers['content-encoding']).toBeUndefined();
    expect(stream.of('hello')).toEqual([
      {
        epoch: expect.any(String),
        groups,
        blockTargetTimeMs: Number(developmentNetwork.blockTargetTime),
        coinSymbol: 'COIN',
        serverTime: clock.now(),
      },
    ]);
    expect(stream.retryMs).toBeGreaterThanOrEqual(3_000);
    expect(stream.retryMs).toBeLessThan(4_500);
    expect(snapshot.heads).toHaveLength(groups ** 2);
    expect(snapshot.firstBlocks).toEqual([]);
    expect(snapshot.latestBlocks.length).toBeLessThanOrEqual(20);
    expect(snapshot.stats).toMatchObject({ totalBlocks: tree.blocks.length, pendingCount: 0 });
  });

  it('names the first blocks of the chains, by which a client knows the network again', async () => {
    const first = await apply(grown());
    const snapshot = await (await listen()).untilCame<SnapshotForm>('snapshot');
    expect(snapshot.firstBlocks).toEqual([first.block.header.hash]);
  });

  it('sends a block after its commit, and what replaced the top of a chain', async () => {
    const stream = await listen();
    await stream.untilCame('snapshot');
    const first = await apply(grown());
    expect(await stream.untilCame<BlockForm>('block')).toMatchObject({ hash: first.block.header.hash, height: 1 });
    const other = tree.grow(tree.blocks[0]!);
    changes.blocks(await index.reorganise(first.block.header.chainIndex, 0, [other]));
    expect(await stream.untilCame('reorg')).toMatchObject({
      forkHeight: 0,
      removed: [first.block.header.hash],
      added: [{ hash: other.block.header.hash, mainChain: true }],
    });
    expect(stream.of('block')).toHaveLength(1);
  });

  it('sends the topics that were chosen', async () => {
    const [pending, both] = [await listen('?topics=pending'), await listen('?topics=stats,pending')];
    await Promise.all([pending, both].map((stream) => stream.untilCame('snapshot')));
    await apply(grown());
    changes.stats(stats);
    changes.pools({ added: [], removed: ['ab'.repeat(32)] });
    await Promise.all([pending, both].map((stream) => stream.untilCame('pending')));
    const names = ({ events }: EventStream): string[] => events.slice(2).map(({ name }) => name);
    expect([names(pending), names(both)]).toEqual([['pending'], ['stats', 'pending']]);
  });

  it('tells the transactions of watched addresses: pending, confirmed, reverted', async () => {
    const block = grown();
    const change = await index.apply([block]);
    const [{ hash, addresses }] = change.confirmed as [{ hash: string; addresses: string[] }];
    const stream = await listen(`?topics=stats&address=${addresses[0]}&address=${addresses[0]}`);
    await stream.untilCame('snapshot');
    changes.pools({ added: [{ hash, chain: { from: 0, to: 0 }, seenAt: 1n, addresses }], removed: [] });
    changes.blocks(change);
    changes.blocks(await index.reorganise(block.block.header.chainIndex, 0, []));
    const ofIt = (): AddressForm[] => stream.of<AddressForm>('address').filter(({ txHash }) => txHash === hash);
    await until('it is reverted', () => ofIt().some(({ kind }) => kind === 'reverted'));
    expect(ofIt()).toEqual(
      ['pending', 'confirmed', 'reverted'].map((kind) => ({ address: addresses[0], txHash: hash, kind })),
    );
  });

  it('goes on after the last event that a client has, with all that it missed', async () => {
    const stream = await listen('?topics=stats');
    await stream.untilCame('snapshot');
    changes.stats(stats);
    await stream.untilCame('stats');
    stream.close();
    for (let i = 0; i < 30; i++) changes.stats({ ...stats, totalBlocks: 100 + i });
    const again = await listen('?topics=stats', { 'last-event-id': stream.lastEventId });
    await again.untilCame('stats', 30);
    changes.stats({ ...stats, totalBlocks: 130 });
    await again.untilCame('stats', 31);
    expect(again.of<LiveStats>('stats').map(({ totalBlocks }) => totalBlocks)).toEqual(
      Array.from({ length: 31 }, (_, i) => 100 + i),
    );
    expect(again.events[0]!.name).toBe('hello');
    expect(again.of('snapshot')).toEqual([]);
    // An id of another writer, or of no stream at all.
    for (const id of ['other-3', 'nonsense', `${stream.lastEventId}0000`]) {
      const fresh = await listen('', { 'last-event-id': id });
      await fresh.untilCame('snapshot');
      fresh.close();
      await until('it has left', async () => (await clientCount()) === '1');
    }
  });

  it('sends a snapshot when events are missing, or another process writes', async () => {
    const stream = await listen('?topics=stats');
    await stream.untilCame('snapshot');
    publish({ v: 1, epoch: 'writer', n: 7, name: 'stats', data: stats });
    await stream.untilCame('snapshot', 2);
    publish({ v: 1, epoch: 'writer', n: 7, name: 'stats', data: stats });
    publish({ v: 1, epoch: 'writer', n: 9, name: 'stats', data: stats });
    await stream.untilCame('snapshot', 3);
    publish({ v: 1, epoch: 'next writer', n: 1, name: 'stats', data: stats });
    await stream.untilCame('snapshot', 4);
    publish({ v: 1, epoch: 'next writer', n: 2, name: 'stats', data: { ...stats, totalBlocks: 99 } });
    await until('the next event comes', async () => stream.of<LiveStats>('stats').at(-1)?.totalBlocks === 99);
    expect(stream.lastEventId).toBe('next writer-2');
  });

  it('holds an event back until its database shows the block, at most 5 s', async () => {
    const stream = await listen();
    await stream.untilCame('snapshot');
    const data = {
      hash: 'cd'.repeat(32),
      timestamp: 1,
      chainFrom: 0,
      chainTo: 0,
      height: 3,
      txNumber: 1,
      mainChain: true,
      hashRate: '1',
    };
    publish({ v: 1, epoch: 'writer', n: 2, name: 'block', data });
    const aliveTimer = 1;
    await until('it waits', () => clock.pendingTimers > aliveTimer);
    clock.advance(4_900);
    await until('it has looked again', () => clock.pendingTimers > aliveTimer);
    expect(stream.of('block')).toEqual([]);
    clock.advance(100);
    await stream.untilCame('block');
  });

  it('shows that it is open, every 15 s', async () => {
    const stream = await listen('?topics=pending');
    await stream.untilCame('snapshot');
    const before = stream.lastEventId;
    changes.stats(stats);
    await until('an event has a later id', async () => {
      clock.advance(15_000);
      return stream.lastEventId !== before;
    });
    expect((await stream.untilCame<{ serverTime: number }>('alive')).serverTime).toBeGreaterThan(0);
    expect(stream.lastEventId).toBe('writer-2');
  });

  it('refuses one client too many, and counts those that are there', async () => {
    await service.stop();
    await start(3);
    const listenFrom = (client: number) => listen('', { 'x-forwarded-for': `203.0.113.${client}` });
    const three = [await listenFrom(1), await listenFrom(2), await listenFrom(3)];
    await Promise.all(three.map((stream) => stream.untilCame('snapshot')));
    expect(await clientCount()).toBe('3');
    const refused = await listenFrom(4);
    expect([refused.status, refused.response.headers['retry-after']]).toEqual([503, '30']);
    three[0]!.close();
    await until('it has left', async () => (await clientCount()) === '2');
    expect((await listenFrom(4)).status).toBe(200);
  });

  it('refuses unknown topics, wrong addresses and more than ten of them', async () => {
    const address = `address=${Array.from({ length: 11 }, () => '1DrDyTr9RpRsQnDnXo2YRiPzPW4ooHX5LLoqXrqfMrpQH').join('&address=')}`;
    for (const query of ['topics=blocks,nothing', 'topics=', 'address=nobody', address]) {
      const { status, text } = await service.handle({ method: 'GET', url: `/stream?${query}` });
      expect([query, status]).toEqual([query, 400]);
      expect(text).toContain(query.startsWith('topics') ? 'topics' : 'address');
    }
  });

  it('disconnects a client that does not read, and no other', async () => {
    const stream = await listen('?topics=pending');
    await stream.untilCame('snapshot');
    const slow = connect(service.port, '127.0.0.1');
    slow.write('GET /stream?topics=pending HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await new Promise((resolve) => slow.once('readable', resolve));
    slow.pause();
    await until('it listens', async () => (await clientCount()) === '2');
    const added = Array.from({ length: 200 }, (_, i) => ({
      hash: i.toString(16).padStart(64, '0'),
      chainFrom: 0,
      chainTo: 0,
      lastSeen: 1,
    }));
    let n = 1;
    await until('it is disconnected', async () => {
      // Less than may wait for a client that reads.
      for (let i = 0; i < 5; i++)
        publish({ v: 1, epoch: 'writer', n: ++n, name: 'pending', data: { added, removed: [] } });
      return (await clientCount()) === '1';
    });
    await stream.untilCame('pending', n - 1);
    slow.destroy();
  });

  it('ends its streams at once when the service stops', async () => {
    const stream = await listen();
    await stream.untilCame('snapshot');
    const began = performance.now();
    await service.stop();
    await stream.untilEnded();
    expect(performance.now() - began).toBeLessThan(5_000);
  });

  it('answers HEAD without a stream', async () => {
    const response = await fetch(`http://127.0.0.1:${service.port}/stream`, { method: 'HEAD' });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    expect(await clientCount()).toBe('0');
  });

  it('takes more streams of one client than requests that it may send at once', async () => {
    await service.stop();
    await start(300);
    const many = await Promise.all(Array.from({ length: 30 }, () => listen()));
    await Promise.all(many.map((stream) => stream.untilCame('snapshot')));
    expect((await fetch(`http://127.0.0.1:${service.port}/infos`)).status).toBe(200);
  });
});
