import { type DagNode, fromMemory } from '@shardnode/protocol/dag';
import { type ChainIndex, type Hash } from '@shardnode/protocol/primitives';
import { type GroupState } from '../view/group-state.js';

/** Blocks by which the fastest chain may lead an own one. */
const lead = 12;

const ancestorBehind = (node: DagNode, count: number): DagNode | undefined => {
  let walk: DagNode | undefined = node;
  for (let i = 0; walk && i < count; i++) walk = walk.parent;
  return walk;
};

/**
 * Selects own chains that must not fall behind. A chain that leads the others gets harder, by 5 % per block beyond 17,
 * and the next blocks take that as the usual difficulty (protocol 03 §9.3): a network with one busy sender would soon
 * only search nonces. Therefore every group moves its quiet chains when any chain has moved far enough. The blocks of
 * the others see it two rounds later, when the gap is still below 37, where the integer difficulty first changes.
 */
export class Pace {
  /** Milliseconds; `lead` blocks of the fastest chain are newer. */
  private bound = 0n;

  /** A block of any chain was imported. */
  saw({ memory }: GroupState, hash: Hash): void {
    // The ancestors of a late block of a settled height do not matter.
    const behind = fromMemory(() => ancestorBehind(memory.dag.node(hash), lead));
    if (behind && behind.timestamp > this.bound) this.bound = behind.timestamp;
  }

  /** Own chains without a block since, those between groups first, so that the intra-group block includes them. */
  lagging({ memory, shown, settings, group }: GroupState): ChainIndex[] {
    const chains = Array.from({ length: settings.groups }, (_, to) => ({ from: group, to })).filter(({ to }) => {
      const tip = fromMemory(() => memory.dag.node(shown.best[settings.groups - 1 + to]!));
      return !tip || tip.timestamp < this.bound;
    });
    return chains.sort((a, b) => Number(a.to === group) - Number(b.to === group));
  }
}
