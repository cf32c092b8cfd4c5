import { type Block } from '../block/index.js';
import {
  bestDependencies,
  blocksForStateView,
  type ChainReader,
  type DagNode,
  expectedTargetOfNodes,
  type SpentReader,
} from '../dag/index.js';
import { type NetworkSettings } from '../network/index.js';
import { type ChainIndex, type Hash, referenceId } from '../primitives/index.js';
import { blockEffects } from '../state/index.js';

/** Context for choosing the dependencies of a template. */
export interface TemplateSurroundings {
  readonly settings: NetworkSettings;
  readonly reader: ChainReader;
  readonly spent: SpentReader;
  readonly chain: ChainIndex;
  /** Local clock, milliseconds. */
  readonly now: bigint;
  /** Bodies of own and incoming chains; read only if two blocks since the last state have equal timestamps. */
  readonly body: (hash: Hash) => Block;
  /** Best dependencies of group `chain.from` if the caller has them. */
  readonly bestDeps?: readonly Hash[];
}

/** The header fields of a template that do not depend on its transactions. */
export interface TemplatePlan {
  readonly chain: ChainIndex;
  /** 2G-1 hashes, loosened by the uncle dependency gap. */
  readonly blockDeps: readonly Hash[];
  /** The same before loosening: transactions must not conflict with these either. */
  readonly bestDeps: readonly Hash[];
  /** Milliseconds. */
  readonly timestamp: bigint;
  readonly target: number;
}

const createsOneOf = (block: Block, references: ReadonlySet<string>): boolean =>
  blockEffects(block).transactions.some(({ outputs }) =>
    outputs.some(({ reference }) => references.has(referenceId(reference))),
  );

/**
 * Blocks of the group that spend an output of a block with the same timestamp, both since the last state (protocol 03
 * §8.8): such a pair can make every later intra-group block impossible to store.
 */
const equalTimestampSpenders = (surroundings: TemplateSurroundings, deps: readonly Hash[]): Hash[] => {
  const { reader, spent, chain, body } = surroundings;
  const pending = blocksForStateView(reader, chain.from, deps).map((hash) => reader.node(hash));
  const byTime = new Map<bigint, DagNode[]>();
  for (const node of pending) byTime.set(node.timestamp, [...(byTime.get(node.timestamp) ?? []), node]);
  const found: Hash[] = [];
  for (const nodes of byTime.values()) {
    if (nodes.length < 2) continue;
    for (const spender of nodes.filter((node) => node.from === chain.from)) {
      const references = spent.spentBy(spender.hash) ?? spentIn(body(spender.hash));
      const creators = nodes.filter((node) => node !== spender);
      if (references.size > 0 && creators.some((node) => createsOneOf(body(node.hash), references))) {
        found.push(spender.hash);
      }
    }
  }
  return found;
};

const spentIn = (block: Block): ReadonlySet<string> =>
  new Set(blockEffects(block).transactions.flatMap(({ inputs }) => inputs.map(referenceId)));

/** Best dependencies without the blocks that rule (d) of protocol 03 §8.8 forbids templates to build on. */
const depsToBuildOn = (surroundings: TemplateSurroundings): readonly Hash[] => {
  const { reader, spent, chain, settings } = surroundings;
  const avoid: Hash[] = [];
  let deps = surroundings.bestDeps ?? bestDependencies(reader, spent, chain.from, settings);
  for (;;) {
    const spenders = equalTimestampSpenders(surroundings, deps);
    if (spenders.length === 0) return deps;
    avoid.push(...spenders);
    deps = bestDependencies(reader, spent, chain.from, settings, avoid);
  }
};

const later = (a: bigint, b: bigint): bigint => (a > b ? a : b);

/**
 * Now, or one millisecond after the blocks that it builds on (protocol 03 §11.1 step 2). Without an uncle dependency
 * gap these are all dependencies (§8.8 rule (a)); with a gap, loosening leaves only older ones, so only the parent
 * matters.
 */
const templateTimestamp = (
  settings: NetworkSettings,
  deps: readonly DagNode[],
  parent: DagNode,
  now: bigint,
): bigint => {
  const before = settings.uncleDependencyGap > 0n ? [parent] : deps;
  const newest = before.reduce((latest, node) => later(latest, node.timestamp), 0n);
  return now > newest ? now : newest + 1n;
};

/** The nearest ancestor-or-self that is old enough to depend on (protocol 03 §11.1 step 3). */
const loosened = (node: DagNode, latest: bigint): DagNode => {
  let walk = node;
  while (walk.timestamp > latest && walk.parent) walk = walk.parent;
  return walk;
};

/** Dependencies, timestamp and target of a template (protocol 03 §11.1 steps 1 to 4). May throw SpentInputsMissing. */
export const planTemplate = (surroundings: TemplateSurroundings): TemplatePlan => {
  const { settings, reader, chain, now } = surroundings;
  const bestDeps = depsToBuildOn(surroundings);
  const best = bestDeps.map((hash) => reader.node(hash));
  const parentSlot = settings.groups - 1 + chain.to;
  const timestamp = templateTimestamp(settings, best, best[parentSlot]!, now);
  const latest = timestamp - settings.uncleDependencyGap;
  const deps = best.map((node, slot) => (slot === parentSlot ? node : loosened(node, latest)));
  return {
    chain,
    blockDeps: deps.map((node) => node.hash),
    bestDeps,
    timestamp,
    target: expectedTargetOfNodes(settings, chain, deps),
  };
};
