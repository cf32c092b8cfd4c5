/** `npm run soak -- --hours N`: a cluster with an explorer under load and random faults, and whether all is well at the end. */
import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { soak } from './soak.js';

const help = `npm run soak -- [--hours N] [--seed S] [--out DIR] [--every SECONDS]

Runs a cluster of processes with an explorer under transfers, wallets, sweeps and contracts. Kills processes and servers,
fills the disk of PostgreSQL, shifts clocks, cuts connections and reorganises chains, as the seed says. At the end nothing
acknowledged may be lost, and group-nodes, ledger oracle, supply audit and explorer must agree.

  --hours N        under load and faults, fractions too; default 1
  --seed S         of the faults and the load; default: a new one, which is printed
  --out DIR        report.json, run.log and the logs of the processes; default: a new folder for temporary files
  --every SECONDS  mean peace before a fault; default 40

Ctrl-C ends load and faults, then checks; a second one leaves at once. Exit code 0: all checks hold; 1: not; 2: wrong use.
`;

const positive = (name: string, text: string): number => {
  const value = Number(text);
  if (!(value > 0 && Number.isFinite(value))) throw new Error(`--${name} must be a number above 0, not ${text}`);
  return value;
};

interface Choices {
  readonly lengthMs: number;
  readonly everyMs: number;
  readonly seed: number;
  readonly out: string | undefined;
}

/** Undefined: the help is wanted. */
const choices = (): Choices | undefined => {
  const { values } = parseArgs({
    options: {
      hours: { type: 'string', default: '1' },
      seed: { type: 'string', default: String(1 + Math.floor(Math.random() * 1e6)) },
      out: { type: 'string' },
      every: { type: 'string', default: '40' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return undefined;
  const seed = positive('seed', values.seed);
  if (!Number.isInteger(seed)) throw new Error(`--seed must be a whole number, not ${values.seed}`);
  return {
    lengthMs: positive('hours', values.hours) * 3_600_000,
    everyMs: positive('every', values.every) * 1_000,
    seed,
    out: values.out,
  };
};

const run = async ({ out: wanted, ...choice }: Choices): Promise<number> => {
  const out = wanted === undefined ? mkdtempSync(join(tmpdir(), 'shardnode-soak-')) : resolve(wanted);
  mkdirSync(out, { recursive: true });
  const hours = choice.lengthMs / 3_600_000;
  process.stdout.write(`seed ${choice.seed}, ${hours} hours, report and logs in ${out}; starting a cluster\n`);
  const interruption = new AbortController();
  process.on('SIGINT', () => {
    // The reaper of the cluster ends what is left.
    if (interruption.signal.aborted) process.exit(130);
    process.stdout.write('\nending; once more to leave at once\n');
    interruption.abort();
  });
  const { isOk } = await soak({ ...choice, out, signal: interruption.signal });
  process.stdout.write(`\n${isOk ? 'all is well' : 'FAILED'}; seed ${choice.seed}, report and logs in ${out}\n`);
  return isOk ? 0 : 1;
};

try {
  const wanted = choices();
  if (wanted === undefined) process.stdout.write(help);
  else process.exitCode = await run(wanted);
} catch (error) {
  const isWrongUse = error instanceof TypeError || !(error instanceof Error) || error.message.startsWith('--');
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = isWrongUse ? 2 : 1;
}
