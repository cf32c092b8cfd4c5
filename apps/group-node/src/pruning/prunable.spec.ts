import { beforeEach, describe, expect, it } from '@jest/globals';
import { genesisBlocks } from '@shardnode/protocol/block';
import { BlockDag } from '@shardnode/protocol/dag';
import { developmentNetwork as settings } from '@shardnode/protocol/network';
import { type Hash, zeroHash } from '@shardnode/protocol/primitives';
import { searchHeader } from '@shardnode/testing/builders';
import { prunable } from './prunable.js';

const { groups } = settings;
const group = 1;
const intra = { from: group, to: group };
const otherGroups = [0, 2, 3];
const horizon = 4;
const genesis = genesisBlocks(settings).map(({ header }) => header);

describe('heights whose states can be pruned (docs/data-layout.md)', () => {
  let dag: BlockDag;
  let timestamp: bigint;
  beforeEach(() => {
    dag = new BlockDag(settings, genesis);
    timestamp = 1_700_000_000_000n;
  });

  /** A block of the chain to `to`, over an intra-group block. */
  const add = (to: number, over: Hash): Hash => {
    const intraDeps = otherGroups.map((other) => dag.genesis({ from: other, to: other }));
    const outDeps = Array.from({ length: groups }, (_, slot) =>
      slot === group ? over : dag.bestTip({ from: group, to: slot }),
    );
    const blockDeps = [...intraDeps, ...outDeps];
    const fields = { version: 0, blockDeps, depStateHash: zeroHash, txsHash: zeroHash, timestamp, target: 0x20ffffff };
    const header = searchHeader(fields, { from: group, to }, settings);
    timestamp += 1n;
    dag.add(header, dag.plan(header).weight);
    return header.hash;
  };
  const extend = (from: Hash, count: number): Hash => {
    let last = from;
    for (let i = 0; i < count; i++) last = add(group, last);
    return last;
  };
  const canonical = (height: number): Hash => dag.canonicalAt(intra, height)!;
  /** Each of the chains to the other groups grows by one block over each of these heights. */
  const growOthers = (heights: readonly number[]): void => {
    for (const to of otherGroups) for (const height of heights) add(to, canonical(height));
  };
  const found = (...inUse: Hash[]) => prunable({ dag, group, horizon, inUse });

  it('are none before a state is older than the horizon', () => {
    extend(dag.genesis(intra), horizon);
    growOthers([1, 2, 3, 4, 4, 4]);
    expect(found()).toEqual({ height: -1, heldBy: undefined });
    extend(canonical(horizon), 1);
    expect(found()).toEqual({ height: 1, heldBy: undefined });
  });

  it('are those below the horizon', () => {
    extend(dag.genesis(intra), 10);
    growOthers([10, 10, 10, 10, 10]);
    expect(found(canonical(10))).toEqual({ height: 6, heldBy: undefined });
  });

  it('end where a branch begins, as long as the branch reaches the horizon', () => {
    const top = extend(dag.genesis(intra), 12);
    extend(canonical(3), 5);
    growOthers([12, 12, 12, 12, 12]);
    expect(dag.bestTip(intra)).toBe(top);
    expect(found()).toEqual({ height: 3, heldBy: 'branch' });
    extend(top, 1);
    expect(found()).toEqual({ height: 9, heldBy: undefined });
  });

  it('end at a state that is in use', () => {
    extend(dag.genesis(intra), 10);
    growOthers([10, 10, 10, 10, 10]);
    expect(found(canonical(7), canonical(5))).toEqual({ height: 5, heldBy: 'in-use' });
  });

  it('end at the state of a block of a chain to another group on which a branch may still begin', () => {
    extend(dag.genesis(intra), 20);
    growOthers([5, 6, 7]);
    expect(found()).toEqual({ height: 0, heldBy: 'chain' });
    growOthers([8, 9, 10]);
    expect(found()).toEqual({ height: 6, heldBy: 'chain' });
  });
});
