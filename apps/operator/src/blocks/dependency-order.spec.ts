import { describe, expect, it } from '@jest/globals';
import { DependencyOrder, type OrderedBlock } from './dependency-order.js';

const block = (hash: string, ...dependencies: string[]): OrderedBlock => ({
  hash,
  dependencies,
  raw: new Uint8Array(),
});
const blocks = [block('a', 'genesis'), block('b', 'a'), block('c', 'a', 'b'), block('d', 'b', 'genesis')];

describe('the order of dependencies', () => {
  it('puts each block after its dependencies, in any order of arrival', () => {
    for (let turn = 0; turn < blocks.length; turn++) {
      const order = new DependencyOrder(['genesis']);
      const turned = [...blocks.slice(turn), ...blocks.slice(0, turn)].reverse();
      const given = turned.flatMap((one) => order.add(one)).map(({ hash }) => hash);
      expect([...given].sort()).toEqual(['a', 'b', 'c', 'd']);
      for (const { hash, dependencies } of blocks) {
        for (const before of dependencies) expect(given.indexOf(before)).toBeLessThan(given.indexOf(hash));
      }
      expect(order.waitingCount).toBe(0);
    }
  });

  it('names missing dependencies, and takes each block once', () => {
    const order = new DependencyOrder(['genesis']);
    expect(order.add(blocks[2]!)).toEqual([]);
    expect(order.add(blocks[2]!)).toEqual([]);
    expect([...order.missing()].sort()).toEqual(['a', 'b']);
    expect(order.add(blocks[1]!)).toEqual([]);
    expect(order.missing()).toEqual(['a']);
    expect(order.add(blocks[0]!).map(({ hash }) => hash)).toEqual(['a', 'b', 'c']);
    expect(order.add(blocks[0]!)).toEqual([]);
  });
});
