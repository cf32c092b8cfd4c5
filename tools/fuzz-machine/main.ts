import { fuzzPrograms, runFuzzCampaign } from '@shardnode/testing/machine-fuzz';
import { bytesToHex } from '@shardnode/protocol/encoding';
import { memoryWatch } from './memory.js';
import { type FuzzOptions, parseOptions, usage } from './options.js';
import { comparePlainEngines } from './plain-run.js';
import { progressLine, slowestTable, summaryTable } from './report.js';

const say = (text: string): void => void process.stdout.write(`${text}\n`);

/** The worst program in full: it can be run again by its number, and from here without the generator. */
const programText = (seed: number, index: number): string => {
  const { kind, code, contracts } = fuzzPrograms(seed)(index);
  return [`${kind} ${bytesToHex(code)}`, ...contracts.map(({ id, code: own }) => `${id} ${bytesToHex(own)}`)].join(
    '\n',
  );
};

const fuzz = async ({ programs, seed, from, plain }: FuzzOptions): Promise<boolean> => {
  const memory = memoryWatch();
  const tally = runFuzzCampaign({
    seed,
    from,
    count: programs,
    memory,
    onProgram: progressLine('programs', programs),
  });
  const different =
    plain === 0
      ? []
      : await comparePlainEngines(seed, from, tally.digests.slice(0, plain), progressLine('with plain engines', plain));
  const violations = [...tally.violations, ...different];
  say(summaryTable(tally));
  say(slowestTable(tally));
  if (tally.overBound > 0) say(programText(seed, tally.slowest[0]!.index));
  say(`most memory held by a run: ${(memory.most() / 2 ** 20).toFixed(1)} MB`);
  say(`${violations.length} violations`);
  for (const violation of violations.slice(0, 20)) say(violation);
  return violations.length === 0;
};

const args = process.argv.slice(2);
if (args.includes('--help')) say(usage);
else {
  try {
    if (!(await fuzz(parseOptions(args)))) process.exitCode = 1;
  } catch (error) {
    say(`${(error as Error).message}\n\n${usage}`);
    process.exitCode = 2;
  }
}
