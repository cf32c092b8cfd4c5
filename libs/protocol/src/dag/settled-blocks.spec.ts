import { describe, expect, it } from '@jest/globals';
import { allChains, genesisHeaders, nextHeader, playBoth, WindowedDag } from '@shardnode/testing/settled-blocks';
import { type SealedHeader } from '../block/index.js';
import { developmentNetwork } from '../network/index.js';
import { BlockDag, BlocksMissing, UnknownBlock } from './index.js';

const chain = { from: 1, to: 2 };
const window = 8;
const length = 40;

/** A chain of so many headers above `base`, which differs from others by its times. */
const branch = (base: readonly SealedHeader[], count: number, later: bigint): SealedHeader[] => {
  const dag = new BlockDag(developmentNetwork, genesisHeaders(developmentNetwork));
  for (const header of base) dag.add(header);
  return Array.from({ length: count }, () => {
    const header = nextHeader(dag, chain, later);
    dag.add(header);
    return header;
  });
};

const main = branch([], length, 10n);

/** The main chain, with as few settled heights in memory as can be. */
const playMain = () => {
  const windowed = new WindowedDag(developmentNetwork, { window, settled: 0 });
  const whole = new BlockDag(developmentNetwork, genesisHeaders(developmentNetwork));
  for (const header of main) {
    windowed.add(header);
    whole.add(header);
  }
  return { windowed, whole };
};

const seeds = Array.from({ length: 10 }, (_, seed) => seed);

describe('a DAG with a window', () => {
  it.each([
    [window - 1, true],
    [window, false],
    [window + 1, false],
  ])('has a block %s below the top in memory: %s', (depth, isThere) => {
    const { windowed, whole } = playMain();
    const { hash } = main[length - 1 - depth]!;
    expect(windowed.dag.holds(hash)).toBe(isThere);
    const missed = (read: () => unknown): unknown => {
      try {
        return read();
      } catch (error) {
        return error;
      }
    };
    const height = length - depth;
    const byHash = missed(() => windowed.dag.node(hash));
    const byHeight = missed(() => windowed.dag.hashesAt(chain, height));
    if (isThere) expect(byHeight).toEqual([hash]);
    else {
      expect(byHash).toEqual(new BlocksMissing([hash]));
      expect(byHeight).toEqual(new BlocksMissing([], [{ chain, height }]));
    }
    expect(windowed.read((dag) => dag.header(hash))).toEqual(whole.header(hash));
    expect(windowed.dag.lowest(chain)).toBe(length - window + 1);
  });

  it.each([window - 1, window, window + 1])('takes a late block whose parent is %s below the top', (depth) => {
    const { windowed, whole } = playMain();
    const [late] = branch(main.slice(0, length - depth), 1, 11n);
    expect(windowed.add(late!)).toEqual(whole.add(late!));
    expect(windowed.read(allChains)).toEqual(allChains(whole));
    const [next] = branch([...main.slice(0, length - depth), late!], 1, 12n);
    expect(windowed.add(next!)).toEqual(whole.add(next!));
    windowed.restart();
    expect(windowed.read(allChains)).toEqual(allChains(whole));
  });

  it.each([window - 1, window, window + 1])('turns over to a branch that begins %s below the top', (depth) => {
    const { windowed, whole } = playMain();
    for (const header of branch(main.slice(0, length - depth), depth + 2, 11n)) {
      expect(windowed.add(header)).toEqual(whole.add(header));
    }
    expect(whole.hashesAt(chain, length - depth + 1)).toHaveLength(2);
    expect(windowed.read(allChains)).toEqual(allChains(whole));
  });

  it('asks the store once for a hash that it does not have, and never on a chain within the window', () => {
    const { windowed } = playMain();
    const unknown = `${'f'.repeat(60)}${main[0]!.hash.slice(60)}`;
    const { loads } = windowed;
    expect(windowed.read((dag) => [dag.has(unknown), dag.missing([unknown])])).toEqual([false, [unknown]]);
    expect(() => windowed.dag.node(unknown)).toThrow(UnknownBlock);
    expect(windowed.loads).toBe(loads + 1);
    const elsewhere = windowed.dag.genesis({ from: 0, to: 3 }).replace(/^../, 'ff');
    expect(windowed.dag.has(elsewhere)).toBe(false);
    expect(() => windowed.dag.node(elsewhere)).toThrow(UnknownBlock);
  });

  it('drops nothing while somebody holds it', () => {
    const windowed = new WindowedDag(developmentNetwork, { window, settled: 0 });
    const release = windowed.dag.hold();
    for (const header of main) windowed.add(header);
    expect(windowed.dag.size).toBe(length + 16);
    release();
    expect(windowed.dag.size).toBe(window + 16);
  });

  it.each(seeds)('answers as one without in the random history %s', (seed) => {
    playBoth(developmentNetwork, seed, (windowed, whole) => expect(windowed).toEqual(whole));
  });
});
