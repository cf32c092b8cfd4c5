import { type SealedHeader } from '@shardnode/protocol/block';
import { BlockDag } from '@shardnode/protocol/dag';
import { type NetworkSettings } from '@shardnode/protocol/network';
import { flatIndex, type Hash } from '@shardnode/protocol/primitives';
import { seededRandom } from '../seeded-random/index.js';
import { genesisHeaders, randomHeaders } from './header-histories.js';
import { allChains, nextSteps, type Question, randomQuestions } from './same-answers.js';
import { WindowedDag } from './windowed-dag.js';

/** The headers of the busiest chain. */
const longest = (headers: readonly SealedHeader[], groups: number): number => {
  const counts = new Map<number, number>();
  for (const { chainIndex } of headers) {
    const flat = flatIndex(chainIndex, groups);
    counts.set(flat, (counts.get(flat) ?? 0) + 1);
  }
  return Math.max(...counts.values());
};

/**
 * Plays a random history to a DAG with a small window and to one without, with restarts of the first, and compares what
 * they answer after each header. Returns the number of batches that the first one loaded.
 */
export const playBoth = (
  settings: NetworkSettings,
  seed: number,
  expectSame: (windowed: unknown, whole: unknown) => void,
): number => {
  const random = seededRandom(seed + 1_000_000);
  const headers = randomHeaders(settings, seed, 250);
  const window = 4 + Math.floor(random() * Math.min(61, longest(headers, settings.groups) / 2));
  const windowed = new WindowedDag(settings, { window, settled: Math.floor(random() * 8) });
  const whole = new BlockDag(settings, genesisHeaders(settings));
  const same = (question: Question): void => expectSame(windowed.read(question), question(whole));
  const known: Hash[] = [];
  for (const header of headers) {
    expectSame(windowed.add(header), whole.add(header));
    known.push(header.hash);
    same(nextSteps(Math.floor(random() * settings.groups)));
    for (const question of Object.values(randomQuestions(known, random))) same(question);
    if (random() < 0.02) windowed.restart();
  }
  same(allChains);
  return windowed.loads;
};
