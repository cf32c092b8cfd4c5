import { expect, it } from '@jest/globals';
import { availableParallelism } from 'node:os';
import { recordedSeeds } from '../src/arguments.js';
import { type SimulationReport } from '../src/simulate.js';
import { failuresOf, isLong, patience, simulated } from './support/simulated.js';

const seeds = isLong ? 2_000 : 4;
const jobs = String(availableParallelism());

it(
  `is sound with ${seeds} seeds`,
  async () => {
    const reports = await simulated('--seeds', `1..${seeds}`, '--jobs', jobs);
    expect(failuresOf(reports)).toEqual([]);
    expect(reports).toHaveLength(seeds);
    // Faults did happen, and something was sent all the while.
    for (const { acknowledged, messages } of reports) {
      expect(acknowledged).toBeGreaterThan(50);
      expect(messages.lost).toBeGreaterThan(50);
    }
    const sum = (value: (report: SimulationReport) => number) => reports.reduce((all, one) => all + value(one), 0);
    expect(sum(({ faults }) => faults.kills)).toBeGreaterThan(seeds);
    expect(sum(({ answers }) => answers)).toBeGreaterThan(50 * seeds);
    expect(sum(({ walletTransfers }) => walletTransfers)).toBeGreaterThan(seeds);
    expect(sum(({ faults }) => faults.partitions)).toBeGreaterThan(seeds / 2);
    const virtual = sum(({ virtualSeconds }) => virtualSeconds);
    const processor = sum(({ processorSeconds }) => processorSeconds);
    process.stderr.write(`${seeds} seeds: ${virtual.toFixed(0)} virtual s, ${processor.toFixed(0)} s of processors\n`);
  },
  patience,
);

it(
  'is sound with every seed that ever failed',
  async () => {
    const kept = recordedSeeds();
    if (kept.length === 0) return;
    const reports = await simulated('--seeds', 'kept', '--jobs', jobs);
    expect(failuresOf(reports)).toEqual([]);
    expect(reports).toHaveLength(kept.length);
  },
  patience,
);

it('says how it is used when it is told nonsense', async () => {
  await expect(simulated('--seed', 'x')).rejects.toThrow('--seed must be a whole number from 0 on, not x.');
  await expect(simulated('--sed', '1')).rejects.toThrow('npm run simulate');
});
