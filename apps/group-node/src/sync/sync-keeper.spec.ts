import { describe, expect, it } from '@jest/globals';
import { createStoppedClock } from '@shardnode/testing/clocks';
import { silentLogger } from '@shardnode/core/observability';
import { type GroupState } from '../view/group-state.js';
import { type Intake } from '../intake/index.js';
import { ClockOffsets } from './clock-offsets.js';
import { SyncKeeper } from './index.js';
import { type Puller } from './puller.js';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const open = (
  settle: () => Promise<void>,
  overdue: () => readonly string[] = () => [],
  storeProblem: () => string | undefined = () => undefined,
) => {
  const calls = { pulls: 0 };
  const puller = {
    isFarBehind: false,
    caughtUp: () => void (puller.isFarBehind = false),
    catchUp: async () => (calls.pulls++, { fresh: 0, silent: [] }),
  };
  const clock = createStoppedClock();
  const heartbeats: unknown[] = [];
  const sync = new SyncKeeper({
    state: {
      group: 0,
      settings: { groups: 4 },
      shown: { best: [] },
      announced: { record: () => undefined },
      memory: { dag: { has: () => true }, published: { currentHeight: () => 5 } },
    } as unknown as GroupState,
    puller: puller as unknown as Puller,
    intake: { overdue, reset: () => undefined } as unknown as Intake,
    peers: { publish: (name: string) => void heartbeats.push(name) },
    clock,
    clocks: new ClockOffsets(clock),
    logger: silentLogger,
    settle,
    storeProblem,
  });
  return { sync, clock, heartbeats, calls, puller };
};

describe('sync keeper', () => {
  it('goes on catching up after a failed commit', async () => {
    let failures = 2;
    const { sync, clock } = open(async () => {
      if (failures-- > 0) throw new Error('the database went away');
    });
    sync.start();
    await turn();
    expect(sync.notReadyBecause()).toBe('what its siblings sent was not stored');
    for (let i = 0; i < 3; i++) {
      clock.advance(200);
      await turn();
    }
    expect(sync.notReadyBecause()).toBeUndefined();
    await sync.stop();
  });

  it('is not synced while more than a page is missing, until that is imported', async () => {
    let imported = (): void => undefined;
    const { sync, puller } = open(() => new Promise((resolve) => (imported = resolve)));
    sync.assumeSynced();
    const caughtUp = sync.catchUp();
    puller.isFarBehind = true;
    await turn();
    expect(sync.notReadyBecause()).toBe('it has not caught up with its siblings');
    expect(() => sync.requireReady()).toThrow('group 0: it has not caught up with its siblings');
    imported();
    await caughtUp;
    expect(sync.notReadyBecause()).toBeUndefined();
  });

  it('that is far behind for a moment does not report it, although it neither mines nor admits', async () => {
    const { sync, clock, puller } = open(async () => undefined);
    sync.start();
    await turn();
    clock.advance(100);
    for (const [forMs, isReported] of [
      [2_000, false],
      [4_000, true],
    ] as const) {
      puller.isFarBehind = true;
      for (let passed = 0; passed < forMs; passed += 100) clock.advance(100);
      expect(sync.notReadyBecause()).toBe('it has not caught up with its siblings');
      expect(sync.problem() !== undefined).toBe(isReported);
      puller.isFarBehind = false;
      clock.advance(100);
      expect([sync.notReadyBecause(), sync.problem()]).toEqual([undefined, undefined]);
    }
    await sync.stop();
  });

  it('pulls nothing that it could not store, neither at the start nor later', async () => {
    let problem: string | undefined = 'its database does not answer';
    let looks = 0;
    const overdue = (): string[] => (looks++, ['a block that waits']);
    const { sync, clock, calls } = open(
      async () => undefined,
      overdue,
      () => problem,
    );
    const seconds = async (count: number): Promise<void> => {
      for (let i = 0; i < count * 10; i++) {
        clock.advance(100);
        await turn();
      }
    };
    sync.start();
    await seconds(5);
    expect([calls.pulls, looks]).toEqual([0, 0]);
    problem = undefined;
    await seconds(1);
    expect(sync.notReadyBecause()).toBeUndefined();
    const before = [calls.pulls, looks];
    expect(before.every((count) => count > 0)).toBe(true);
    problem = 'the disk of its database is full';
    await seconds(5);
    expect([calls.pulls, looks]).toEqual(before);
    await sync.stop();
  });

  it('is not ready after a rebuild of memory until it has pulled the lost data', async () => {
    let failures = 0;
    const { sync, clock, calls } = open(async () => {
      if (failures-- > 0) throw new Error('the database went away');
    });
    sync.start();
    await turn();
    expect(sync.notReadyBecause()).toBeUndefined();
    const before = calls.pulls;
    failures = 1;
    sync.memoryRebuilt();
    expect(sync.notReadyBecause()).toBe('it asks its siblings for what it had not stored');
    expect(() => sync.requireReady()).toThrow('(group 0: it asks its siblings for what it had not stored)');
    await turn();
    // The failed pull is retried.
    expect(sync.notReadyBecause()).toBeDefined();
    clock.advance(100);
    await turn();
    expect(sync.notReadyBecause()).toBeUndefined();
    expect(calls.pulls).toBe(before + 2);
    await sync.stop();
  });

  it('sends its heartbeat when a check fails, and when the wall clock is set back', async () => {
    const { sync, clock, heartbeats } = open(
      async () => undefined,
      () => {
        throw new Error('no');
      },
    );
    sync.start();
    await turn();
    clock.advance(3_000);
    const before = heartbeats.length;
    clock.setWallClock(1_000_000);
    clock.advance(3_000);
    expect(heartbeats.length).toBeGreaterThanOrEqual(before + 2);
    await sync.stop();
  });

  it('reports its lag behind each sibling, the start of the lag, and the action', async () => {
    let problem: string | undefined;
    const { sync, clock } = open(
      async () => undefined,
      undefined,
      () => problem,
    );
    sync.start();
    await turn();
    sync.tipsReceived(1, { best: [], sentAt: clock.now() - 200, heights: [5, 9, 6, 0] });
    sync.tipsReceived(2, { best: [], sentAt: clock.now() });
    for (let look = 0; look < 20; look++) clock.advance(100);
    const [one, two, three] = sync.siblings();
    expect(one).toEqual({ group: 1, blocksBehind: 5, behindForMs: 1_900, silentForMs: 2_000, clockOffsetMs: 200 });
    expect(two).toMatchObject({ blocksBehind: 0, behindForMs: 0, clockOffsetMs: 0 });
    expect(three).toMatchObject({ silentForMs: undefined, clockOffsetMs: undefined });
    problem = 'its database does not answer';
    for (let look = 0; look < 5; look++) clock.advance(100);
    expect(sync.problem()).toMatchObject({
      reason: problem,
      forMs: 400,
      data: { group: 0, blocksBehind: 5 },
      action: expect.stringContaining('database of this group'),
    });
    problem = undefined;
    sync.tipsReceived(1, { best: [], sentAt: clock.now(), heights: [5, 5, 5, 5] });
    clock.advance(100);
    expect([sync.problem(), sync.siblings()[0]!.behindForMs]).toEqual([undefined, 0]);
  });
});
