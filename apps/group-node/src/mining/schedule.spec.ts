import { describe, expect, it } from '@jest/globals';
import { createStoppedClock } from '@shardnode/core/lifecycle';
import { silentLogger } from '@shardnode/core/observability';
import { type GroupState } from '../group-state.js';
import { type Miner } from './miner.js';
import { MiningSchedule } from './schedule.js';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('mining schedule', () => {
  it('outlives whatever is thrown where its timers ask, and goes on', async () => {
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
