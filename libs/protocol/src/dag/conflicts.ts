import { type Hash } from '../primitives/index.js';
import { nodesBetween } from './ancestry.js';
import { type DagNode } from './node.js';
import { type HeaderReader, type SpentReader } from './readers.js';
import { SpentInputsMissing } from './spent-inputs.js';
import { outTipNode } from './tips.js';

/** A reference that two blocks spend. */
export interface FlowConflict {
  readonly referenceId: string;
  readonly blocks: readonly [Hash, Hash];
}

const loadSpent = (spent: SpentReader, nodes: readonly DagNode[]): ReadonlySet<string>[] => {
  const missing: Hash[] = [];
  const sets = nodes.map((node) => {
    const references = spent.spentBy(node.hash);
    if (!references) missing.push(node.hash);
    return references;
  });
  if (missing.length > 0) throw new SpentInputsMissing(missing);
  return sets as ReadonlySet<string>[];
};

/**
 * The first two different blocks that spend the same reference (protocol 03 §6.3). `extra` is a block that is not
 * stored yet. Throws SpentInputsMissing with all blocks whose inputs are not in memory.
 */
export const firstConflict = (
  spent: SpentReader,
  nodes: readonly DagNode[],
  extra?: { readonly hash: Hash; readonly references: ReadonlySet<string> },
): FlowConflict | undefined => {
  if (nodes.length + (extra ? 1 : 0) < 2) return undefined;
  const sets = loadSpent(spent, nodes);
  const spender = new Map<string, Hash>();
  const visit = (hash: Hash, references: ReadonlySet<string>): FlowConflict | undefined => {
    for (const referenceId of references) {
      const other = spender.get(referenceId);
      if (other !== undefined) return { referenceId, blocks: [other, hash] };
      spender.set(referenceId, hash);
    }
    return undefined;
  };
  for (let i = 0; i < nodes.length; i++) {
    const conflict = visit(nodes[i]!.hash, sets[i]!);
    if (conflict) return conflict;
  }
  return extra && visit(extra.hash, extra.references);
};

/** The set D of protocol 03 §6.3: blocks of the chains (group,*) that the dependencies include and that are not yet applied to their common base. */
export const parallelNodes = (group: number, deps: readonly DagNode[]): DagNode[] => {
  const outs = deps.slice((deps.length - 1) / 2);
  const bases = outs.map((out) => outTipNode(out, group));
  const lowest = bases.reduce((best, base) => (base.height < best.height ? base : best));
  return outs.flatMap((out, to) => nodesBetween(out, outTipNode(lowest, to)));
};

/**
 * Double spend across the chains of a group (protocol 03 §6.3): the conflict, if any, among the block's own references
 * and the blocks that its dependencies include.
 */
export const findFlowConflict = (
  reader: HeaderReader,
  spent: SpentReader,
  block: {
    readonly hash: Hash;
    readonly group: number;
    readonly deps: readonly Hash[];
    readonly references: ReadonlySet<string>;
  },
): FlowConflict | undefined => {
  const deps = block.deps.map((dep) => reader.node(dep));
  return firstConflict(spent, parallelNodes(block.group, deps), block);
};
