import { expect, it } from '@jest/globals';
import { fc } from '@shardnode/testing/properties';
import { chainOfIndex, indexOfChain } from './chains.js';
import { hashOf } from './made-blocks.js';
import { dotStep, mostDots, waitingLanes } from './waiting.js';

const now = 1_700_000_000_000;
const entry = (chain: number, number: number, ageMs: number) => ({
  hash: hashOf(chain, number),
  lastSeen: now - ageMs,
  ...chainOfIndex(chain, 4),
});

it('places each waiting transaction in its lane by its age, the oldest first', () => {
  const entries = fc.uniqueArray(fc.tuple(fc.nat(15), fc.nat(500), fc.nat(30 * 86_400_000)), {
    selector: ([chain, number]) => `${chain} ${number}`,
    maxLength: 40,
  });
  fc.assert(
    fc.property(entries, (made) => {
      const pending = made.map((parts) => entry(...parts));
      const { lanes, spanMs, oldestMs } = waitingLanes(pending, 4, now);
      expect(lanes.map((lane) => indexOfChain(lane, 4))).toEqual(Array.from({ length: 16 }, (_, i) => i));
      expect(oldestMs).toBe(made.length === 0 ? undefined : Math.max(...made.map(([, , ageMs]) => ageMs)));
      for (const { hash, lastSeen, ...chain } of pending) {
        const dot = lanes[indexOfChain(chain, 4)]!.dots.find((each) => each.hash === hash)!;
        const exact = 1 - (now - lastSeen) / spanMs;
        expect(dot.place).toBeLessThanOrEqual(exact);
        expect(dot.place).toBeGreaterThanOrEqual(Math.max(0, exact - made.length * dotStep));
      }
      for (const { dots } of lanes) {
        const places = dots.map(({ place }) => place);
        expect(places).toEqual(places.toSorted((a, b) => a - b));
        expect(places.every((place) => place >= 0 && place <= 1)).toBe(true);
        for (const [i, place] of places.slice(1).entries())
          if (places[i]! > 0) expect(place - places[i]!).toBeGreaterThan(dotStep * 0.999);
      }
    }),
  );
});

it('counts all of a crowded lane, and draws the oldest', () => {
  const pending = Array.from({ length: mostDots + 5 }, (_, i) => entry(6, i, i * 100));
  const lane = waitingLanes(pending, 4, now).lanes[6]!;
  expect([lane.count, lane.dots.length]).toEqual([mostDots + 5, mostDots]);
  expect(lane.dots[0]!.hash).toBe(hashOf(6, mostDots + 4));
  // One that the service saw after our clock's now stands at now.
  expect(waitingLanes([entry(0, 0, -50)], 4, now).lanes[0]!.dots[0]!.place).toBe(1);
});
