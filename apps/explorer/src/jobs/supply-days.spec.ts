import { describe, expect, it } from '@jest/globals';
import { launchTimestamp } from '@shardnode/protocol/block';
import { readVectors } from '@shardnode/testing/vectors';
import { supplyText } from '../reads/supply-reads.js';
import { supplyInstants } from './supply-days.js';

interface Vectors {
  supplyDays: { entries: { from: number; until: number; instants: number[] }[] };
  supplyText: { entries: { attoCoin: string; text: string }[] };
}
const vectors = readVectors<Vectors & Record<string, unknown>>('explorer-examples.json');

describe('the supply', () => {
  it('supplyDays', () => {
    for (const { from, until, instants } of vectors.supplyDays.entries)
      expect(supplyInstants(BigInt(from), BigInt(until), 100)).toEqual(instants.map(BigInt));
  });

  it('supplyText', () => {
    for (const { attoCoin, text } of vectors.supplyText.entries) expect(supplyText(BigInt(attoCoin))).toBe(text);
  });

  it('begins at the launch, and goes on from any batch', () => {
    const now = launchTimestamp + 400n * 86_400_000n;
    const all = supplyInstants(undefined, now, 1_000);
    expect(all[0]).toBe(launchTimestamp);
    const parts: bigint[] = [];
    for (let more = supplyInstants(undefined, now, 7); more.length > 0; more = supplyInstants(parts.at(-1), now, 7))
      parts.push(...more);
    expect(parts).toEqual(all);
    expect(supplyInstants(undefined, launchTimestamp, 7)).toEqual([]);
  });
});
