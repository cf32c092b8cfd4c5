import { bytesToHex, sameBytes } from '../../encoding/index.js';
import { blake2b } from '../../crypto/index.js';
import { type Hash } from '../../primitives/index.js';
import { StateMiss } from '../state-miss.js';
import { type TrieNodesInMemory } from '../trie-node-source.js';
import {
  commonNibbles,
  compareKeys,
  joinPaths,
  keyFromPath,
  nibbleAt,
  type NibblePath,
  pathNibble,
  subPath,
} from './nibble-path.js';
import { TrieFault } from './trie-fault.js';
import { decodedNode } from './trie-get.js';
import {
  childHash,
  encodeTrieBranch,
  encodeTrieLeaf,
  type NewChild,
  type TrieBranch,
  type TrieNode,
  unchanged,
} from './trie-node.js';

/** A value to store under a key, or (undefined) a key to remove. */
export interface TrieChange {
  readonly key: Uint8Array;
  readonly value: Uint8Array | undefined;
}

export interface TrieUpdate {
  readonly root: Hash;
  /** The final nodes that the new root has and the old trie did not reach on the changed paths. */
  readonly added: ReadonlyMap<Hash, Uint8Array>;
  /** Nodes of the old trie on the changed paths that are not in the new one; to be pruned later (protocol 04 §9.6). */
  readonly replaced: readonly Hash[];
}

interface LeafDraft {
  readonly kind: 'leaf';
  readonly path: NibblePath;
  readonly data: Uint8Array;
}
interface BranchDraft {
  readonly kind: 'branch';
  readonly path: NibblePath;
  /** Source of unchanged slots. */
  readonly base: TrieBranch | undefined;
  /** Undefined: all slots are those of `base`. */
  readonly slots: readonly NewSlot[] | undefined;
}
/** A node of the new trie; its hash is computed when the whole pass has succeeded. */
type Draft = LeafDraft | BranchDraft;
/** Content of a slot of a branch: nothing, the hash of a stored node, or a new node. */
type Slot = Hash | Draft | undefined;
/** A stored child always has the same slot as in `base`. */
type NewSlot = Draft | undefined | typeof unchanged;

interface Pass {
  readonly nodes: TrieNodesInMemory;
  readonly changes: readonly TrieChange[];
  readonly missing: Set<Hash>;
  readonly replaced: Set<Hash>;
}

const isStored = (slot: Slot): slot is Hash => typeof slot === 'string';

const draftOf = (node: TrieNode): Draft =>
  node.kind === 'leaf'
    ? { kind: 'leaf', path: node.path, data: node.data }
    : { kind: 'branch', path: node.path, base: node, slots: undefined };

const slotOf = (branch: BranchDraft, index: number): Slot => {
  const slot = branch.slots ? branch.slots[index] : unchanged;
  if (slot !== unchanged) return slot;
  return branch.base && childHash(branch.base, index);
};

const absentKey = (key: Uint8Array): TrieFault => new TrieFault('KeyNotFound', `remove ${bytesToHex(key)}`);

/** A new subtree of sorted entries that share their first `depth` nibbles (protocol 04 §2.8). */
const build = (entries: readonly TrieChange[], from: number, to: number, depth: number): Draft | undefined => {
  if (from === to) return undefined;
  const first = entries[from]!;
  if (first.value === undefined) throw absentKey(first.key);
  const rest: NibblePath = { bytes: first.key, start: depth, length: first.key.length * 2 - depth };
  if (to - from === 1) return { kind: 'leaf', path: rest, data: first.value };
  const common = commonNibbles(rest, entries[to - 1]!.key, depth);
  const slots = new Array<NewSlot>(16).fill(undefined);
  forEachNibble(entries, from, to, depth + common, (nibble, start, end) => {
    slots[nibble] = build(entries, start, end, depth + common + 1);
  });
  return { kind: 'branch', path: subPath(rest, 0, common), base: undefined, slots };
};

const forEachNibble = (
  changes: readonly TrieChange[],
  from: number,
  to: number,
  depth: number,
  visit: (nibble: number, start: number, end: number) => void,
): void => {
  for (let start = from; start < to;) {
    const nibble = nibbleAt(changes[start]!.key, depth);
    let end = start + 1;
    while (end < to && nibbleAt(changes[end]!.key, depth) === nibble) end++;
    visit(nibble, start, end);
    start = end;
  }
};

/** The leaf among the changes: replaced, removed, or one more entry of the subtree that takes its place. */
const updateLeaf = (pass: Pass, leaf: LeafDraft, from: number, to: number, depth: number): Draft | undefined => {
  const key = keyFromPath(pass.changes[from]!.key, depth, leaf.path);
  const entries: TrieChange[] = [];
  let placed = false;
  for (let i = from; i < to; i++) {
    const change = pass.changes[i]!;
    const order = placed ? 1 : compareKeys(key, change.key);
    if (order <= 0) placed = true;
    if (order < 0) entries.push({ key, value: leaf.data });
    if (order === 0 && change.value === undefined) continue;
    if (order === 0 && to - from === 1 && sameBytes(leaf.data, change.value!)) return leaf;
    entries.push(change);
  }
  if (!placed) entries.push({ key, value: leaf.data });
  return build(entries, 0, entries.length, depth);
};

/** A branch with its path split after `length` nibbles; the lower part keeps the children (protocol 04 §2.5). */
const splitBranch = (branch: BranchDraft, length: number): BranchDraft => {
  const slots = new Array<NewSlot>(16).fill(undefined);
  slots[pathNibble(branch.path, length)] = { ...branch, path: subPath(branch.path, length + 1) };
  return { kind: 'branch', path: subPath(branch.path, 0, length), base: undefined, slots };
};

const loadDraft = (pass: Pass, hash: Hash): Draft | undefined => {
  const node = decodedNode(pass.nodes, hash);
  if (!node) pass.missing.add(hash);
  return node && draftOf(node);
};

/** A branch has two children at least; one with a single child becomes that child (protocol 04 §2.6). */
const normalise = (pass: Pass, branch: BranchDraft): Draft | undefined => {
  let only = -1;
  for (let index = 0; index < 16; index++) {
    if (slotOf(branch, index) === undefined) continue;
    if (only >= 0) return branch;
    only = index;
  }
  if (only < 0) return undefined;
  const slot = slotOf(branch, only)!;
  if (!isStored(slot)) return { ...slot, path: joinPaths(branch.path, only, slot.path) };
  const child = loadDraft(pass, slot);
  if (!child) return branch;
  pass.replaced.add(slot);
  return { ...child, path: joinPaths(branch.path, only, child.path) };
};

const updateBranch = (pass: Pass, branch: BranchDraft, from: number, to: number, depth: number): Draft | undefined => {
  const { changes } = pass;
  // Keys are sorted: nibbles that the first and the last share with the path are shared by all between them.
  const common = Math.min(
    commonNibbles(branch.path, changes[from]!.key, depth),
    commonNibbles(branch.path, changes[to - 1]!.key, depth),
  );
  if (common < branch.path.length) return updateBranch(pass, splitBranch(branch, common), from, to, depth);
  let slots: NewSlot[] | undefined;
  forEachNibble(changes, from, to, depth + common, (nibble, start, end) => {
    const before = slotOf(branch, nibble);
    const after = updateSlot(pass, before, start, end, depth + common + 1);
    // Returns a stored child unchanged if it stays or is not loaded yet.
    if (after === before || isStored(after)) return;
    slots ??= branch.slots ? [...branch.slots] : new Array<NewSlot>(16).fill(unchanged);
    slots[nibble] = after;
  });
  return slots ? normalise(pass, { ...branch, slots }) : branch;
};

const updateDraft = (pass: Pass, draft: Draft, from: number, to: number, depth: number): Draft | undefined =>
  draft.kind === 'leaf' ? updateLeaf(pass, draft, from, to, depth) : updateBranch(pass, draft, from, to, depth);

/** Returns `slot` itself if nothing changed, or if a node is missing: then the whole pass is void. */
const updateSlot = (pass: Pass, slot: Slot, from: number, to: number, depth: number): Slot => {
  if (slot === undefined) return build(pass.changes, from, to, depth);
  if (!isStored(slot)) return updateDraft(pass, slot, from, to, depth);
  const draft = loadDraft(pass, slot);
  if (!draft) return slot;
  const updated = updateDraft(pass, draft, from, to, depth);
  if (updated === draft) return slot;
  pass.replaced.add(slot);
  return updated;
};

const allUnchanged: readonly NewSlot[] = new Array<NewSlot>(16).fill(unchanged);

/** Encodes and hashes a new node after its new children, each exactly once. */
const seal = (draft: Draft, added: Map<Hash, Uint8Array>): Uint8Array => {
  let raw: Uint8Array;
  if (draft.kind === 'leaf') {
    raw = encodeTrieLeaf(draft.path, draft.data);
  } else {
    const children = (draft.slots ?? allUnchanged).map((slot): NewChild =>
      slot === undefined || slot === unchanged ? slot : seal(slot, added),
    );
    raw = encodeTrieBranch(draft.path, children, draft.base);
  }
  const hash = blake2b(raw);
  added.set(bytesToHex(hash), raw);
  return hash;
};

const requireAscending = (changes: readonly TrieChange[]): void => {
  for (let i = 1; i < changes.length; i++) {
    const previous = changes[i - 1]!.key;
    if (compareKeys(previous, changes[i]!.key) >= 0)
      throw new RangeError('trie changes are not in ascending key order');
    if (previous.length !== changes[i]!.key.length) throw new RangeError('trie keys differ in length');
  }
};

/**
 * Applies changes, in strictly ascending key order, in one pass that writes only final nodes (protocol 04 §2.5, §2.6,
 * §2.8). Throws StateMiss with every missing node that the pass met; TrieFault(KeyNotFound) when a key to remove is
 * absent; TrieFault when the trie would become empty.
 */
export const trieUpdate = (nodes: TrieNodesInMemory, root: Hash, changes: readonly TrieChange[]): TrieUpdate => {
  requireAscending(changes);
  if (changes.length === 0) return { root, added: new Map(), replaced: [] };
  const pass: Pass = { nodes, changes, missing: new Set(), replaced: new Set() };
  const before = loadDraft(pass, root);
  const after = before && updateDraft(pass, before, 0, changes.length, 0);
  if (pass.missing.size > 0) throw new StateMiss([...pass.missing]);
  if (after === undefined) throw new TrieFault('KeyNotFound', 'the last entry of a trie cannot be removed');
  if (after === before) return { root, added: new Map(), replaced: [] };
  pass.replaced.add(root);
  const added = new Map<Hash, Uint8Array>();
  const newRoot = bytesToHex(seal(after, added));
  return { root: newRoot, added, replaced: [...pass.replaced].filter((hash) => !added.has(hash)) };
};

/** Builds a trie from entries in strictly ascending key order, at least one. */
export const trieFromEntries = (entries: readonly TrieChange[]): Omit<TrieUpdate, 'replaced'> => {
  requireAscending(entries);
  const draft = build(entries, 0, entries.length, 0);
  if (!draft) throw new RangeError('a trie has at least one entry');
  const added = new Map<Hash, Uint8Array>();
  return { root: bytesToHex(seal(draft, added)), added };
};
