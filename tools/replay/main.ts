import {
  compareFinalState,
  compareGenesis,
  compareVerdicts,
  Differences,
  type History,
  outcomeText,
  readHistory,
  replayInOrder,
  replayPermuted,
  type ReplayTarget,
} from '@shardnode/testing/replay';
import { hexToBytes } from '@shardnode/protocol/encoding';
import { asksForHelp, parseOptions, type ReplayOptions, usage } from './options.js';
import { differencesTable, progressBar } from './report.js';
import { openTarget } from './targets.js';

const say = (text: string): void => void process.stdout.write(`${text}\n`);

/** Closed on Ctrl-C. */
let opened: Promise<ReplayTarget> | undefined;
let isInterrupted = false;

/** Never resolves after Ctrl-C, so that the comparison stops. */
const unlessInterrupted = async (): Promise<void> => {
  if (isInterrupted) await new Promise(() => undefined);
};

const closeAndExit = async (): Promise<void> => {
  isInterrupted = true;
  process.once('SIGINT', () => process.exit(130));
  const target = await opened?.catch(() => undefined);
  await target?.close().catch(() => undefined);
  process.exit(130);
};
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void closeAndExit());

interface Stopwatch {
  imports: number;
  milliseconds: number;
}

/** The same target; the time that its imports take is added up. */
const timed = (target: ReplayTarget, watch: Stopwatch): ReplayTarget => ({
  ...target,
  importBlock: async (raw) => {
    await unlessInterrupted();
    const started = performance.now();
    const outcome = await target.importBlock(raw);
    watch.milliseconds += performance.now() - started;
    watch.imports += 1;
    return outcome;
  },
});

/** Runs one part on a fresh target and says how many values it compared. */
const part = async (
  title: string,
  options: ReplayOptions,
  history: History,
  run: (target: ReplayTarget, differences: Differences) => Promise<void>,
): Promise<Differences> => {
  const differences = new Differences();
  opened = openTarget(options.target, history);
  const target = await opened;
  const watch: Stopwatch = { imports: 0, milliseconds: 0 };
  const started = performance.now();
  try {
    await run(timed(target, watch), differences);
    await unlessInterrupted();
  } finally {
    await target.close();
  }
  const seconds = (performance.now() - started) / 1000;
  const rate = Math.round((1000 * watch.imports) / watch.milliseconds);
  const found = differences.list.length === 0 ? 'equal' : `${differences.list.length} differences`;
  say(`${title}: ${differences.compared} values, ${found}; ${seconds.toFixed(2)} s, import alone ${rate} blocks/s`);
  return differences;
};

const inOrder = (options: ReplayOptions, history: History) =>
  part('in the recorded order', options, history, async (target, differences) => {
    compareGenesis(history, differences);
    const show = progressBar('blocks', history.blocks.length);
    let judging = 0;
    await replayInOrder(target, history, differences, async (count) => {
      show(count);
      const raw = history.blocks[count - 1]!.raw;
      if (options.twice) {
        const outcome = outcomeText(await target.importBlock(hexToBytes(raw)));
        differences.compare(`line ${count} again`, 'outcome', 'known', outcome);
      }
      if (count === history.blocks.length) await compareFinalState(target, history, differences);
      const started = performance.now();
      await compareVerdicts(target, history, count, differences);
      judging += performance.now() - started;
    });
    const entries = history.judged.reduce((sum, { entries: list }) => sum + list.length, 0);
    if (entries > 0) say(`${entries} blocks and transactions judged in ${(judging / 1000).toFixed(2)} s`);
  });

const permutation = (seed: number, options: ReplayOptions, history: History) =>
  part(`permutation with seed ${seed}`, options, history, (target, differences) => {
    const show = progressBar('blocks', history.blocks.length * (options.twice ? 2 : 1));
    return replayPermuted(target, history, seed, differences, { twice: options.twice, afterBlock: show });
  });

const run = async (options: ReplayOptions, history: History): Promise<boolean> => {
  say(`${options.folder}: ${history.blocks.length} blocks, network ${history.settings.networkId}`);
  const parts = [await inOrder(options, history)];
  for (let i = 0; i < options.permutations; i++) {
    parts.push(await permutation(options.seed + i, options, history));
  }
  const different = parts.filter(({ list }) => list.length > 0);
  for (const differences of different) say(`\n${differencesTable(differences)}`);
  return different.length === 0;
};

const main = async (): Promise<number> => {
  if (asksForHelp(process.argv.slice(2))) {
    say(usage);
    return 0;
  }
  let options: ReplayOptions;
  let history: History;
  try {
    options = parseOptions(process.argv.slice(2));
    history = readHistory(options.folder);
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${usage}\n`);
    return 2;
  }
  return (await run(options, history)) ? 0 : 1;
};

process.exitCode = await main();
// Timers of libraries would keep the process alive for seconds.
process.exit();
