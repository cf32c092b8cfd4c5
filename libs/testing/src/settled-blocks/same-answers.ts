import {
  bestDependencies,
  type BlockDag,
  blocksForStateView,
  confirmations,
  expectedTarget,
  hashesAfterLocator,
  locator,
} from '@shardnode/protocol/dag';
import { allChainIndexes, type Hash } from '@shardnode/protocol/primitives';
import { checkHeader } from '@shardnode/protocol/validation';
import { oneOf } from '../seeded-random/index.js';
import { nothingSpent } from './header-histories.js';

/** Something that a node is asked. */
export type Question = (dag: BlockDag) => unknown;

const farAhead = 3_786_912_000_000n;

/** The next step of group `from`: best dependencies, the state that they show, the targets of its next blocks. */
export const nextSteps =
  (from: number): Question =>
  (dag) => {
    const { settings } = dag;
    const best = bestDependencies(dag, nothingSpent, from, settings);
    const targets = Array.from({ length: settings.groups }, (_, to) =>
      expectedTarget(dag, settings, { from, to }, best),
    );
    return { best, view: blocksForStateView(dag, from, best), targets };
  };

/** Random questions about known and unknown blocks of any depth. */
export const randomQuestions = (known: readonly Hash[], random: () => number): Record<string, Question> => {
  const hash = oneOf(known, random);
  const other = oneOf(known, random);
  const unknown = `${'f'.repeat(60)}${hash.slice(60)}`;
  const depth = random();
  const heightOf = (dag: BlockDag): number => Math.floor(depth * (dag.maxHeight(dag.node(hash).chainIndex) + 2));
  return {
    block: (dag) => {
      const { height, weight, header, parent, deps } = dag.node(hash);
      return { height, weight, header, parent: parent?.hash, deps: deps.map((dep) => dep.hash) };
    },
    isCanonical: (dag) => dag.isCanonical(hash),
    known: (dag) => [dag.has(hash), dag.missing([hash, unknown, other])],
    hashes: (dag) => dag.hashesAt(dag.node(hash).chainIndex, heightOf(dag)),
    confirmations: (dag) => (dag.isCanonical(hash) ? confirmations(dag, hash) : undefined),
    locator: (dag) => locator(dag, dag.node(hash).chainIndex),
    afterLocator: (dag) => hashesAfterLocator(dag, dag.node(hash).chainIndex, [hash, unknown]),
    header: (dag) => {
      const { header } = dag.node(hash);
      return checkHeader({ settings: dag.settings, reader: dag, header, now: farAhead });
    },
  };
};

/** The lists and tips of all chains. */
export const allChains: Question = (dag) =>
  allChainIndexes(dag.settings.groups).map((chain) => ({
    tips: [...dag.tips(chain)].sort(),
    heights: [dag.maxHeight(chain), dag.currentHeight(chain)],
    lists: Array.from({ length: dag.maxHeight(chain) + 1 }, (_, height) => dag.hashesAt(chain, height)),
  }));
