import { describe, expect, it } from '@jest/globals';
import { BlockDag } from '@shardnode/protocol/dag';
import { workOf } from '@shardnode/protocol/block';
import { developmentNetwork } from '@shardnode/protocol/network';
import { MemoryNode, nextBlock } from '@shardnode/testing/memory-node';
import { type GroupState } from '../view/group-state.js';
import { Pace } from './pace.js';

const settings = developmentNetwork;

const stateOf = (
  { dag, bestDependencies }: { dag: BlockDag; bestDependencies: (group: number) => readonly string[] },
  group: number,
) => ({ memory: { dag }, shown: { best: bestDependencies(group) }, settings, group }) as unknown as GroupState;

describe('pace of the own chains', () => {
  it('calls for quiet chains when one runs ahead, so that its difficulty stays trivial', () => {
    const node = new MemoryNode(settings);
    const network = { dag: node.dag, bestDependencies: (group: number) => node.bestDependencies(group) };
    const paces = Array.from({ length: settings.groups }, () => new Pace());
    const mine = (chain: { from: number; to: number }): void => {
      const block = nextBlock(node, chain);
      expect(node.importBlock(block.raw).kind).toBe('added');
      expect(workOf(block.header.target)).toBe(1n);
      paces.forEach((pace, group) => pace.saw(stateOf(network, group), block.header.hash));
    };
    let calls = 0;
    for (let i = 0; i < 120; i++) {
      mine({ from: 0, to: 0 });
      paces.forEach((pace, group) => {
        for (const chain of pace.lagging(stateOf(network, group))) {
          calls += 1;
          mine(chain);
        }
      });
    }
    expect(calls).toBeGreaterThan(100);
    expect(calls).toBeLessThan(300);
  });

  it('calls for no chain while they move together', () => {
    const node = new MemoryNode(settings);
    const network = { dag: node.dag, bestDependencies: (group: number) => node.bestDependencies(group) };
    const pace = new Pace();
    for (let round = 0; round < 20; round++) {
      for (let to = 3; to >= 0; to--) {
        const block = nextBlock(node, { from: 0, to });
        node.importBlock(block.raw);
        pace.saw(stateOf(network, 0), block.header.hash);
      }
      expect(pace.lagging(stateOf(network, 0))).toEqual([]);
    }
  });
});
