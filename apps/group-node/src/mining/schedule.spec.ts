import { describe, expect, it } from '@jest/globals';
import { createStoppedClock } from '@shardnode/testing/clocks';
import { silentLogger } from '@shardnode/core/observability';
import { developmentNetwork } from '@shardnode/protocol/network';
import { type ChainIndex } from '@shardnode/protocol/primitives';
import { MemoryNode, nextBlock } from '@shardnode/testing/memory-node';
import { type GroupState } from '../view/group-state.js';
import { type ImportItem } from '../import/import-item.js';
import { type Miner } from './miner.js';
import { MiningSchedule, type MiningMode } from './schedule.js';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const group = 1;

/** The schedule of group 1 over a node that knows all blocks; a requested block is made at once. */
const open = (mode: MiningMode, { alwaysGathersIncoming = false, heartbeat = 0 } = {}) => {
  const node = new MemoryNode(developmentNetwork);
  const clock = createStoppedClock();
  const mined: string[] = [];
  /** Chains for which a transaction waits in the pool. */
  const pooled = new Set<number>();
  let mayMine = true;
  const state = {
    settings: developmentNetwork,
    group,
    pool: {
      get size() {
        return pooled.size;
      },
      ready: ({ to }: ChainIndex) => (pooled.has(to) ? [{ template: { unsigned: { inputs: [] } } }] : []),
    },
    memory: { dag: node.dag, loaded: async <Found>(find: () => Found) => find() },
    get shown() {
      return { best: node.bestDependencies(group), plain: {} };
    },
  } as unknown as GroupState;
  const make = (chain: ChainIndex): void => {
    const block = nextBlock(node, chain);
    node.importBlock(block.raw);
    schedule.published([{ header: block.header } as ImportItem]);
  };
  const schedule = new MiningSchedule(
    {
      state,
      miner: {
        mine: async (chain: ChainIndex) => {
          mined.push(`${chain.from}${chain.to}`);
          pooled.delete(chain.to);
          make(chain);
        },
      } as unknown as Miner,
      clock,
      logger: silentLogger,
      mayMine: () => mayMine,
    },
    { mode, interval: 1_000, heartbeat, followUp: 30, alwaysGathersIncoming },
  );
  /** In steps: the work that a timer starts ends before the next timer fires. */
  const pass = async (milliseconds: number): Promise<string[]> => {
    for (let passed = 0; passed < milliseconds; passed += 10) {
      clock.advance(10);
      await turn();
    }
    return mined.splice(0);
  };
  const allow = (may: boolean): void => void (mayMine = may);
  return { schedule, make, pass, allow, pend: (to: number) => pooled.add(to) };
};

describe('the block that includes blocks from another group', () => {
  const fromGroupZero = ({ make }: ReturnType<typeof open>): void => {
    make({ from: 0, to: 1 });
    make({ from: 0, to: 0 });
  };

  /** One follow-up was made just now: the next ones gather. */
  const openUnderLoad = async (): Promise<ReturnType<typeof open>> => {
    const network = open('instant');
    fromGroupZero(network);
    expect(await network.pass(10)).toEqual(['11']);
    return network;
  };

  it('is made at once on an idle network, when they were included there', async () => {
    const network = open('instant');
    for (let payment = 0; payment < 3; payment++) {
      network.make({ from: 0, to: 1 });
      expect(await network.pass(5_000)).toEqual([]);
      network.make({ from: 0, to: 0 });
      expect(await network.pass(10)).toEqual(['11']);
    }
    expect(await network.pass(5_000)).toEqual([]);
  });

  it('is made at once for payments one after the other', async () => {
    const network = open('instant');
    for (let payment = 0; payment < 3; payment++) {
      fromGroupZero(network);
      expect(await network.pass(30)).toEqual(['11']);
    }
  });

  it('gathers on an idle network, too, where clients expect it', async () => {
    const network = open('instant', { alwaysGathersIncoming: true });
    fromGroupZero(network);
    expect(await network.pass(1_990)).toEqual([]);
    expect(await network.pass(10)).toEqual(['11']);
    network.schedule.followUp({ from: 1, to: 1 });
    expect(await network.pass(10)).toEqual([]);
    expect(await network.pass(20)).toEqual(['11']);
    await network.pass(30);
    network.schedule.followUp({ from: 1, to: 1 });
    expect(await network.pass(10)).toEqual(['11']);
  });

  it('gathers some seconds under load, from the first of them', async () => {
    const network = await openUnderLoad();
    fromGroupZero(network);
    expect(await network.pass(1_000)).toEqual([]);
    fromGroupZero(network);
    expect(await network.pass(990)).toEqual([]);
    expect(await network.pass(10)).toEqual(['11']);
    expect(await network.pass(5_000)).toEqual([]);
  });

  it('is the one that a transfer of its own group needs sooner', async () => {
    const network = await openUnderLoad();
    fromGroupZero(network);
    await network.pass(500);
    network.schedule.followUp({ from: 1, to: 1 });
    expect(await network.pass(30)).toEqual(['11']);
    expect(await network.pass(5_000)).toEqual([]);
  });

  it('is not made when another one has included them, and not without mining on demand', async () => {
    const network = open('instant');
    fromGroupZero(network);
    network.make({ from: 1, to: 1 });
    expect(await network.pass(5_000)).toEqual([]);
    const idle = open('off');
    fromGroupZero(idle);
    expect(await idle.pass(5_000)).toEqual([]);
  });
});

describe("the block of the sender's group", () => {
  it('waits until the node may mine', async () => {
    const { schedule, pass, allow } = open('instant');
    allow(false);
    schedule.followUp({ from: 1, to: 1 });
    expect(await pass(500)).toEqual([]);
    allow(true);
    expect(await pass(30)).toEqual(['11']);
    expect(await pass(5_000)).toEqual([]);
  });

  it('is made at once on an idle network, and gathers after another one', async () => {
    const { schedule, pass } = open('instant');
    const send = (): void => schedule.followUp({ from: 1, to: 1 });
    send();
    expect(await pass(10)).toEqual(['11']);
    send();
    expect(await pass(20)).toEqual([]);
    send();
    expect(await pass(10)).toEqual(['11']);
    await pass(30);
    send();
    expect(await pass(10)).toEqual(['11']);
  });
});

const round = ['10', '12', '13', '11'];

describe('quiet chains', () => {
  /** Another group makes blocks alone, the last of which calls for the own chains. */
  const leaveBehind = async ({ make, pass }: ReturnType<typeof open>): Promise<void> => {
    for (let block = 0; block < 13; block++) {
      expect(await pass(100)).toEqual([]);
      make({ from: 0, to: 0 });
    }
  };

  it('are moved once, each time that another chain has run ahead', async () => {
    const network = open('instant');
    for (let time = 0; time < 3; time++) {
      await leaveBehind(network);
      expect(await network.pass(20)).toEqual([]);
      expect(await network.pass(10)).toEqual(round);
      expect(await network.pass(5_000)).toEqual([]);
    }
  });

  it('stay without mining on demand, and after the stop', async () => {
    const idle = open('off');
    await leaveBehind(idle);
    expect(await idle.pass(5_000)).toEqual([]);
    const stopped = open('instant');
    await leaveBehind(stopped);
    stopped.schedule.stop();
    expect(await stopped.pass(5_000)).toEqual([]);
  });
});

describe('transactions in the pool', () => {
  it('are mined after the start, after a block, and else when the pool is looked at', async () => {
    const { schedule, make, pass, pend } = open('instant');
    pend(2);
    schedule.start();
    expect(await pass(20)).toEqual([]);
    expect(await pass(10)).toEqual(['12']);
    pend(0);
    make({ from: 0, to: 0 });
    expect(await pass(30)).toEqual(['10']);
    pend(3);
    expect(await pass(2_000)).toEqual(['13']);
    expect(await pass(5_000)).toEqual([]);
  });

  it('wait until the node may mine', async () => {
    const { schedule, pass, pend, allow } = open('instant');
    allow(false);
    pend(2);
    schedule.lookAtPool();
    expect(await pass(500)).toEqual([]);
    allow(true);
    expect(await pass(30)).toEqual(['12']);
  });
});

describe('the heartbeat', () => {
  it('goes round the own chains of an idle network until the stop', async () => {
    const { schedule, pass } = open('instant', { heartbeat: 1_000 });
    schedule.start();
    expect(await pass(6_000)).toEqual(['10', '11', '12', '13', '10', '11']);
    schedule.stop();
    expect(await pass(6_000)).toEqual([]);
  });

  it('is of mining on demand alone, and of a node that may mine', async () => {
    const idle = open('off', { heartbeat: 1_000 });
    idle.schedule.start();
    expect(await idle.pass(6_000)).toEqual([]);
    const { schedule, pass, allow } = open('instant', { heartbeat: 1_000 });
    schedule.start();
    allow(false);
    expect(await pass(3_000)).toEqual([]);
  });
});

describe('rounds over the own chains', () => {
  it('start and stop on request, also on repeated requests', async () => {
    const { schedule, pass } = open('off');
    schedule.start();
    expect(await pass(3_000)).toEqual([]);
    schedule.startRounds();
    schedule.startRounds();
    expect(await pass(1_000)).toEqual(round);
    expect(await pass(1_000)).toEqual(round);
    schedule.stopRounds();
    schedule.stopRounds();
    expect(await pass(3_000)).toEqual([]);
    schedule.startRounds();
    expect(await pass(1_000)).toEqual(round);
    schedule.stop();
    schedule.startRounds();
    expect(await pass(3_000)).toEqual([]);
  });

  it('are the mode `interval`, which can be stopped too', async () => {
    const { schedule, pass } = open('interval');
    schedule.start();
    expect(await pass(1_000)).toEqual(round);
    schedule.startRounds();
    expect(await pass(2_000)).toEqual([...round, ...round]);
    schedule.stopRounds();
    expect(await pass(3_000)).toEqual([]);
  });
});

describe('mining schedule', () => {
  it('survives errors in its timers, and goes on', async () => {
    const clock = createStoppedClock();
    let isFaulty = true;
    let mined = 0;
    const schedule = new MiningSchedule(
      {
        state: { settings: { groups: 4 }, group: 0, pool: { size: 1 } } as unknown as GroupState,
        miner: { mine: async () => void mined++ } as unknown as Miner,
        clock,
        logger: silentLogger,
        mayMine: () => {
          if (isFaulty) throw new Error('a fault');
          return true;
        },
      },
      { mode: 'instant', interval: 1_000, heartbeat: 1_000, followUp: 10 },
    );
    const unhandled: unknown[] = [];
    const keep = (error: unknown): void => void unhandled.push(error);
    process.on('unhandledRejection', keep);
    schedule.start();
    schedule.followUp({ from: 0, to: 0 });
    for (let second = 0; second < 3; second++) {
      clock.advance(1_000);
      await turn();
    }
    expect([mined, unhandled]).toEqual([0, []]);
    isFaulty = false;
    clock.advance(1_000);
    await turn();
    expect(mined).toBeGreaterThan(0);
    schedule.stop();
    process.off('unhandledRejection', keep);
  });
});
