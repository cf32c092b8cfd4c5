import { readdirSync, readFileSync } from 'node:fs';
import { processStat } from '@shardnode/core/system-processes';

/** Parts of a network by a word of the command line of their processes; the first is all of it in one process. */
const parts: readonly (readonly [part: string, word: string])[] = [
  ['network', 'localnet/dist/main.js'],
  ['group-nodes', 'group-node/dist/main.js'],
  ['gateway', 'gateway/dist/main.js'],
  ['PostgreSQL', 'postgres'],
  ['NATS', 'nats-server'],
];

interface Ran {
  readonly pid: number;
  readonly parent: number;
  readonly milliseconds: number;
  readonly command: string;
}

const ranOf = (pid: number): Ran | undefined => {
  try {
    const { parent, processorMs } = processStat(pid)!;
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    return { pid, parent, milliseconds: processorMs, command };
  } catch {
    return undefined;
  }
};

/** Milliseconds of one core that the processes under this one have taken since they began, by part. */
export const processorTimes = (): ReadonlyMap<string, number> => {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ranOf(Number(name)))
    .filter((ran) => ran !== undefined);
  const byPid = new Map(all.map((ran) => [ran.pid, ran]));
  const isOurs = ({ parent }: Ran): boolean => {
    if (parent === process.pid) return true;
    const above = byPid.get(parent);
    return above !== undefined && isOurs(above);
  };
  const sums = new Map(parts.map(([part]) => [part, 0]));
  for (const ran of all.filter(isOurs)) {
    const part = parts.find(([, word]) => ran.command.includes(word))?.[0];
    if (part !== undefined) sums.set(part, sums.get(part)! + ran.milliseconds);
  }
  return sums;
};

/** The same of all parts together. */
export const processorTime = (): number => [...processorTimes().values()].reduce((sum, time) => sum + time, 0);
