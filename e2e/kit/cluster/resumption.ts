import { chainHeight } from '../transfers.js';
import { groups } from '../chains.js';
import { waitFor } from '../wait-for.js';
import { type Scenario } from './scenario.js';

interface Progress {
  readonly acknowledged: number;
  readonly height: number;
}

/** Transfers of a group that were acknowledged, and the heights of its chains together. */
const progressOf = async ({ api, load }: Scenario, group: number): Promise<Progress> => {
  const heights = await Promise.all(groups.map((to) => chainHeight(api, group, to)));
  return {
    acknowledged: load.transactions.filter(({ from, acknowledged }) => from === group && acknowledged).length,
    height: heights.reduce((sum, height) => sum + height, 0),
  };
};

/**
 * Milliseconds, from now, until each group has acknowledged a transfer and made a block; the load has to run. Fails after
 * `withinMs`.
 */
export const untilWritesGoOn = async (
  scenario: Scenario,
  withinMs: number,
  among: readonly number[] = groups,
): Promise<number> => {
  const began = performance.now();
  const left = (): number => Math.max(0, withinMs - (performance.now() - began));
  await Promise.all(
    among.map(async (group) => {
      let before: Progress | undefined;
      await waitFor(
        `group ${group} to take transfers and make blocks again`,
        async () => {
          const now = await progressOf(scenario, group);
          before ??= now;
          return now.acknowledged > before.acknowledged && now.height > before.height;
        },
        { timeoutMs: left(), everyMs: 50 },
      );
    }),
  );
  return performance.now() - began;
};

/** Numbers of all processes of the services: equal ones show that none of them has ended meanwhile. */
export const processNumbers = ({ cluster }: Scenario): readonly string[] =>
  cluster.processes.map(({ name, pid }) => `${name} ${pid}`);
