import { describe, expect, it } from '@jest/globals';
import { developmentNetwork } from '@shardnode/protocol/network';
import { BlockDag } from '@shardnode/protocol/dag';
import { genesisHeaders, nextHeader, WindowedDag } from '@shardnode/testing/settled-blocks';
import { type GroupState } from '../view/group-state.js';
import { SettledHeads } from './settled-heads.js';

const chain = { from: 1, to: 1 };

/** A chain of twenty blocks of which four are in memory. */
const open = () => {
  const windowed = new WindowedDag(developmentNetwork, { window: 4, settled: 0 });
  const whole = new BlockDag(developmentNetwork, genesisHeaders(developmentNetwork));
  const hashes = Array.from({ length: 20 }, () => {
    const header = nextHeader(whole, chain, 10n);
    whole.add(header);
    windowed.add(header);
    return header.hash;
  });
  const memory = { dag: windowed.dag, loaded: async <T>(run: () => T): Promise<T> => windowed.read(run) };
  const arriving = new Set<string>();
  const heads = new SettledHeads({ memory } as unknown as GroupState, (hash) => arriving.has(hash));
  return { heads, hashes, windowed, arriving };
};

describe('heads of siblings that are settled here', () => {
  it('are found in the store, for as long as the sibling names them', async () => {
    const { heads, hashes } = open();
    const [old, newer] = hashes;
    const unknown = `${'f'.repeat(60)}${old!.slice(60)}`;
    await heads.record(2, [old!, unknown]);
    expect([old!, newer!, unknown].map((hash) => heads.has(hash))).toEqual([true, false, false]);
    await heads.record(3, [newer!]);
    await heads.record(2, [hashes.at(-1)!]);
    expect([old!, newer!].map((hash) => heads.has(hash))).toEqual([false, true]);
  });

  it('are not looked for when they are in memory or arrive', async () => {
    const { heads, hashes, windowed, arriving } = open();
    const { loads } = windowed;
    const coming = `${'e'.repeat(60)}${hashes[0]!.slice(60)}`;
    arriving.add(coming);
    await heads.record(2, [hashes.at(-1)!, coming]);
    expect(windowed.loads).toBe(loads);
  });
});
