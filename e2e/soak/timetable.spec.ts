import { describe, expect, it } from '@jest/globals';
import { seededRandom } from '@shardnode/testing/seeded-random';
import { type Appointment, type PlannedKind, timetable } from './timetable.js';

const kinds: readonly PlannedKind[] = [
  { name: 'kill node', weight: 4, place: 'node' },
  { name: 'kill database', weight: 2, place: 'database' },
  { name: 'full disk', weight: 1, place: 'database' },
  { name: 'reorganisation', weight: 3, place: 'chain', isAlone: true },
];
const everyMs = 40_000;

const planOf = (seed: number, length: number): readonly Appointment<PlannedKind>[] => {
  const plan = timetable(kinds, everyMs, seededRandom(seed));
  return Array.from({ length }, () => plan.next().value);
};
const namesOf = (plan: readonly Appointment<PlannedKind>[]): readonly string[] =>
  plan.flatMap((appointment) => appointment.kinds.map(({ name }) => name));

describe('the timetable of faults', () => {
  it('is the same for a seed, and another for others', () => {
    expect(planOf(7, 50)).toEqual(planOf(7, 50));
    expect(planOf(7, 50)).not.toEqual(planOf(8, 50));
  });

  it('brings each kind before any comes by chance', () => {
    for (let seed = 1; seed <= 20; seed++) {
      const firsts = planOf(seed, kinds.length).map((appointment) => appointment.kinds[0]!.name);
      expect(firsts.toSorted()).toEqual(kinds.map(({ name }) => name).toSorted());
    }
  });

  it('leaves peace of half to one and a half times the mean', () => {
    const peace = planOf(1, 2_000).map(({ afterMs }) => afterMs);
    expect(Math.min(...peace)).toBeGreaterThanOrEqual(everyMs / 2);
    expect(Math.max(...peace)).toBeLessThan((everyMs * 3) / 2);
    const mean = peace.reduce((sum, milliseconds) => sum + milliseconds, 0) / peace.length;
    expect(Math.abs(mean / everyMs - 1)).toBeLessThan(0.05);
  });

  it('brings kinds by their weights', () => {
    const singles = planOf(2, 5_000).filter((appointment) => appointment.kinds.length === 1);
    const names = namesOf(singles);
    const count = (name: string): number => names.filter((other) => other === name).length;
    expect(count('kill node') / count('full disk')).toBeGreaterThan(2.5);
    expect(count('kill database') / count('full disk')).toBeGreaterThan(1.4);
  });

  it('brings two at once now and then, never of one place and never with one that comes alone', () => {
    const plan = planOf(3, 2_000);
    const pairs = plan.filter((appointment) => appointment.kinds.length === 2);
    expect(pairs.length / plan.length).toBeGreaterThan(0.08);
    expect(pairs.length / plan.length).toBeLessThan(0.2);
    for (const { kinds: pair } of pairs) expect(pair[0]!.place).not.toBe(pair[1]!.place);
    expect(namesOf(pairs)).not.toContain('reorganisation');
  });
});
