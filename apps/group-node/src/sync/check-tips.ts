import { chainIndexOfHash } from '@shardnode/protocol/block';
import { type Hash } from '@shardnode/protocol/primitives';
import { refuse, type Verdict } from '@shardnode/protocol/validation';

/**
 * Checks that the announced best dependencies of a group are of the chains that their slots require (protocol 03 §4.1):
 * the intra-group chains of the others, then the own chains. Otherwise this node would build on a block of another
 * chain.
 */
export const checkTips = (from: number, best: readonly Hash[], groups: number): Verdict => {
  const all = Array.from({ length: groups }, (_, group) => group);
  const required = [
    ...all.filter((group) => group !== from).map((group) => ({ from: group, to: group })),
    ...all.map((to) => ({ from, to })),
  ];
  const wrong = required.findIndex((chain, slot) => {
    const hash = best[slot];
    if (hash === undefined) return true;
    const given = chainIndexOfHash(hash, groups);
    return given.from !== chain.from || given.to !== chain.to;
  });
  return wrong < 0 ? undefined : refuse('InvalidFlowChainIndex', `slot ${wrong} of the tips is of another chain`);
};
