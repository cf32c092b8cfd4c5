import { type Block } from '@shardnode/protocol/block';
import { isAncestorNode, nodesBetween, outDep } from '@shardnode/protocol/dag';
import { type LockupKey, lockupKey } from '@shardnode/protocol/policy';
import { type Hash, referenceId } from '@shardnode/protocol/primitives';
import { blockEffects, readOutput, type StoredOutput, type WorldState } from '@shardnode/protocol/state';
import { type AnnouncedTips } from '../dag/announced-tips.js';
import { type GroupMemory } from '../memory/group-memory.js';
import { type OwnView, ownView } from './own-view.js';

/**
 * The group's outputs in the view of queries: a stored world state, and in front of it the blocks that it does not
 * contain.
 */
export interface ShownView extends OwnView {
  /** Best dependencies of the group, 2G-1 hashes. */
  readonly best: readonly Hash[];
  /**
   * The view without the incoming blocks that only siblings include yet: the outputs that a block made now could spend.
   */
  readonly plain: OwnView;
  /** Newest block of each in-chain (k, own) that is shown, by k. */
  readonly incomingTips: ReadonlyMap<number, Hash>;
  /** Outputs of the base that pending blocks spend, by owner. */
  readonly spent: ReadonlyMap<LockupKey, readonly StoredOutput[]>;
  /** Ids of outputs that only siblings' incoming blocks create: shown, but a block made now could not spend them. */
  readonly ahead: ReadonlySet<string>;
  /** Unspent outputs that pending blocks create, by owner, in the order of the blocks (protocol 02 §3.3, level 1). */
  readonly created: ReadonlyMap<LockupKey, readonly StoredOutput[]>;
}

const append = <Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void => {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
};

/**
 * Outputs of a base that a block spends, memoized, because they are looked up until the block is in the world state.
 */
const resolvedInputs = new WeakMap<Block, { readonly base: Hash; readonly outputs: readonly StoredOutput[] }>();

const spentOfBase = (memory: GroupMemory, block: Block, base: Hash, state: WorldState): readonly StoredOutput[] => {
  const known = resolvedInputs.get(block);
  if (known?.base === base) return known.outputs;
  const outputs: StoredOutput[] = [];
  for (const { inputs } of blockEffects(block).transactions) {
    for (const reference of inputs) {
      const output = readOutput(memory.nodes, state.outputRoot, reference);
      if (output?.kind === 'asset') outputs.push({ reference, output });
    }
  }
  resolvedInputs.set(block, { base, outputs });
  return outputs;
};

const spentByOwner = (memory: GroupMemory, { pending, base, state }: OwnView): Map<LockupKey, StoredOutput[]> => {
  const spent = new Map<LockupKey, StoredOutput[]>();
  for (const block of pending) {
    if (block.header.chainIndex.from !== memory.group) continue;
    for (const stored of spentOfBase(memory, block, base, state)) {
      append(spent, lockupKey(stored.output.lockupScript), stored);
    }
  }
  return spent;
};

const createdByOwner = ({ view }: OwnView): Map<LockupKey, StoredOutput[]> => {
  const created = new Map<LockupKey, StoredOutput[]>();
  const seen = new Set<string>();
  for (const { reference, output } of view.created) {
    if (output.kind !== 'asset' || view.isSpent(reference)) continue;
    const id = referenceId(reference);
    if (seen.has(id)) continue;
    seen.add(id);
    append(created, lockupKey(output.lockupScript), { reference, output });
  }
  return created;
};

/**
 * Incoming blocks that a sibling's best dependencies include and ours do not (protocol 03 §12.6): queries must show
 * these coins before the next intra-group block of the sender's group.
 */
const incomingAhead = (
  memory: GroupMemory,
  best: readonly Hash[],
  announced: AnnouncedTips,
): { readonly appended: Hash[]; readonly tips: Map<number, Hash> } => {
  const { dag, group, settings } = memory;
  const appended: Hash[] = [];
  const tips = new Map<number, Hash>();
  for (let sibling = 0; sibling < settings.groups; sibling++) {
    if (sibling === group) continue;
    const dependency = dag.node(best[sibling < group ? sibling : sibling - 1]!);
    const included = outDep(dependency, group);
    const hash = announced.newestKnown(dag, sibling, settings.groups - 1 + group);
    const tip = hash === undefined ? included : dag.node(hash);
    const isAhead = isAncestorNode(included, tip);
    if (isAhead) appended.push(...nodesBetween(tip, included).map((node) => node.hash));
    tips.set(sibling, isAhead ? tip.hash : included.hash);
  }
  return { appended, tips };
};

const onlyAhead = (own: OwnView, plain: OwnView): ReadonlySet<string> => {
  if (own === plain) return new Set();
  const includable = new Set(plain.view.created.map(({ reference }) => referenceId(reference)));
  return new Set(own.view.created.map(({ reference }) => referenceId(reference)).filter((id) => !includable.has(id)));
};

/** The view of queries at these dependencies, without its indexes by owner. */
export interface ViewAhead extends OwnView {
  readonly best: readonly Hash[];
  readonly incomingTips: ReadonlyMap<number, Hash>;
}

/**
 * Returns `before` when it is equal to the result: the cost grows with the pending blocks. Throws as `showView` does.
 */
export const viewAhead = (
  memory: GroupMemory,
  best: readonly Hash[],
  announced: AnnouncedTips,
  before: ViewAhead | undefined,
): ViewAhead => {
  const { appended, tips } = incomingAhead(memory, best, announced);
  const isSame = before?.best === best && [...tips].every(([sibling, tip]) => before.incomingTips.get(sibling) === tip);
  return isSame ? before : { ...ownView(memory, best, appended), best, incomingTips: tips };
};

/** Builds the view. Synchronous; throws DataMissing and StateMiss for data to load first. */
export const showView = (memory: GroupMemory, best: readonly Hash[], announced: AnnouncedTips): ShownView => {
  const { appended, tips } = incomingAhead(memory, best, announced);
  const plain = ownView(memory, best);
  const own = appended.length > 0 ? ownView(memory, best, appended) : plain;
  return {
    ...own,
    plain,
    ahead: onlyAhead(own, plain),
    best,
    incomingTips: tips,
    spent: spentByOwner(memory, own),
    created: createdByOwner(own),
  };
};
