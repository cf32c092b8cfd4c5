import { describe, expect, it } from '@jest/globals';
import { blake2bHash } from '@shardnode/protocol/crypto';
import { bytesToHex, hexToBytes } from '@shardnode/protocol/encoding';
import { type Hash } from '@shardnode/protocol/primitives';
import { fc } from '@shardnode/testing/properties';
import { StateMiss } from '../state-miss.js';
import { type TrieNodeStore } from '../trie-node-source.js';
import {
  compareKeys,
  LoadedNodes,
  loadPaths,
  type TrieChange,
  TrieFault,
  trieFromEntries,
  trieGet,
  trieScan,
  trieUpdate,
  withState,
} from './index.js';

const zeroKey = new Uint8Array(4);
const seed: TrieChange = { key: zeroKey, value: Uint8Array.of(1) };
const sorted = (changes: Iterable<TrieChange>): TrieChange[] => [...changes].sort((a, b) => compareKeys(a.key, b.key));

/** A store that counts its round trips. */
const storeOf = (nodes: ReadonlyMap<Hash, Uint8Array>): TrieNodeStore & { trips: number } => ({
  trips: 0,
  async loadNodes(hashes) {
    this.trips++;
    return new Map(hashes.flatMap((hash) => (nodes.has(hash) ? [[hash, nodes.get(hash)!]] : [])));
  },
});

/** Keys of 4 bytes over few nibble values, so that paths split, merge and collapse at every depth. */
const keys = fc
  .array(fc.constantFrom(0x00, 0x01, 0x10, 0x11, 0x12, 0xf1), { minLength: 4, maxLength: 4 })
  .map((bytes) => Uint8Array.from(bytes));
const values = fc.uint8Array({ minLength: 0, maxLength: 40 });
const batches = fc.array(
  fc.array(fc.record({ key: keys, value: fc.option(values, { nil: undefined }) }), { maxLength: 12 }),
  { maxLength: 8 },
);

/** Makes random changes applicable: last one wins, nothing absent is removed, the initial entry stays. */
const applicable = (entries: ReadonlyMap<string, Uint8Array>, batch: readonly TrieChange[]): TrieChange[] => {
  const last = new Map<string, TrieChange>();
  for (const { key, value } of batch) {
    // The key inside the value: nodes of equal bytes at two places would make "replaced" ambiguous.
    last.set(bytesToHex(key), { key, value: value && Uint8Array.from([...key, ...value]) });
  }
  return sorted(last.values()).filter(
    ({ key, value }) => value !== undefined || (entries.has(bytesToHex(key)) && compareKeys(key, zeroKey) !== 0),
  );
};

const without = (all: ReadonlySet<Hash>, some: ReadonlySet<Hash>): Set<Hash> =>
  new Set([...all].filter((hash) => !some.has(hash)));

const reachable = (nodes: LoadedNodes, hash: Hash): Hash[] => {
  const node = nodes.node(hash)!;
  expect(blake2bHash(node.raw)).toBe(hash);
  if (node.kind === 'leaf') return [hash];
  const children = [...Array(16).keys()].flatMap((slot) => {
    if ((node.mask & (1 << slot)) === 0) return [];
    let before = 0;
    for (let i = 0; i < slot; i++) before += (node.mask >> i) & 1;
    const start = node.childrenStart + slot + 1 + 32 * before;
    return [bytesToHex(node.raw.slice(start, start + 32))];
  });
  expect(children.length).toBeGreaterThan(1);
  return [hash, ...children.flatMap((child) => reachable(nodes, child))];
};

describe('the state trie', () => {
  it('updated step by step equals the trie built from the sorted set; replaced nodes are exactly the lost ones', () => {
    fc.assert(
      fc.property(batches, (steps) => {
        const nodes = new LoadedNodes();
        const first = trieFromEntries([seed]);
        nodes.add(first.added);
        let root = first.root;
        const entries = new Map([[bytesToHex(zeroKey), seed.value!]]);
        for (const step of steps) {
          const changes = applicable(entries, step);
          const update = trieUpdate(nodes, root, changes);
          const before = new Set(reachable(nodes, root));
          nodes.add(update.added);
          for (const { key, value } of changes) {
            if (value === undefined) entries.delete(bytesToHex(key));
            else entries.set(bytesToHex(key), value);
          }
          root = update.root;
          const after = new Set(reachable(nodes, root));
          expect(new Set(update.replaced)).toEqual(without(before, after));
          for (const hash of update.added.keys()) expect(after.has(hash)).toBe(true);
          for (const hash of without(after, before)) expect(update.added.has(hash)).toBe(true);
          const all = sorted([...entries].map(([key, value]) => ({ key: hexToBytes(key), value })));
          expect(root).toBe(trieFromEntries(all).root);
        }
        for (const [key, value] of entries) expect(trieGet(nodes, root, hexToBytes(key))).toEqual(value);
      }),
    );
  });

  it('loaded from a cold store gives the same result as from memory, in few round trips', async () => {
    await fc.assert(
      fc.asyncProperty(batches, async (steps) => {
        const warm = new LoadedNodes();
        const written = new Map<Hash, Uint8Array>();
        const first = trieFromEntries([seed]);
        warm.add(first.added);
        first.added.forEach((raw, hash) => written.set(hash, raw));
        let root = first.root;
        const entries = new Map([[bytesToHex(zeroKey), seed.value!]]);
        for (const step of steps) {
          const changes = applicable(entries, step);
          const store = storeOf(written);
          const expected = trieUpdate(warm, root, changes);
          const cold = new LoadedNodes();
          expect(await withState(store, cold, () => trieUpdate(cold, root, changes))).toEqual(expected);
          // One trip a level (8 nibbles and the root) and one for children that are merged.
          expect(store.trips).toBeLessThanOrEqual(10);
          const paths = new LoadedNodes();
          await loadPaths(
            storeOf(written),
            paths,
            root,
            changes.map((change) => change.key),
          );
          for (const { key } of changes) expect(trieGet(paths, root, key)).toEqual(trieGet(warm, root, key));
          warm.add(expected.added);
          expected.added.forEach((raw, hash) => written.set(hash, raw));
          for (const { key, value } of changes) {
            if (value === undefined) entries.delete(bytesToHex(key));
            else entries.set(bytesToHex(key), value);
          }
          root = expected.root;
        }
        const all = await trieScan(storeOf(written), root, new Uint8Array(0), Infinity);
        expect(all.map(({ key }) => bytesToHex(key))).toEqual([...entries.keys()].sort());
        const prefix = Uint8Array.of(0x11);
        const some = await trieScan(storeOf(written), root, prefix, 2, (_, value) => value.length % 2 === 0);
        const wanted = [...entries].filter(([key, value]) => key.startsWith('11') && value.length % 2 === 0).sort();
        expect(some.map(({ key }) => bytesToHex(key))).toEqual(wanted.slice(0, 2).map(([key]) => key));
      }),
    );
  });

  it('names all nodes that a pass over several branches misses', () => {
    const changes = [0x10, 0x20, 0x30].map((byte) => ({
      key: Uint8Array.of(byte, 0, 0, 0),
      value: Uint8Array.of(byte),
    }));
    const { root, added } = trieFromEntries([seed, ...changes]);
    const rootOnly = new LoadedNodes();
    rootOnly.add([[root, added.get(root)!]]);
    const update = changes.map(({ key }) => ({ key, value: undefined }));
    let miss: unknown;
    try {
      trieUpdate(rootOnly, root, update);
    } catch (error) {
      miss = error;
    }
    expect(miss).toBeInstanceOf(StateMiss);
    // Three leaves that go, and the one that the root merges with is met once they are here.
    expect((miss as StateMiss).nodeHashes).toHaveLength(3);
  });

  it('knows that a key is absent at the branch whose path it leaves, or inside which it ends (protocol 04 §2.4)', () => {
    const stored = Uint8Array.of(0x11, 0x11, 0x11, 0);
    const changes = [stored, Uint8Array.of(0x11, 0x11, 0x11, 0x10)].map((key) => ({ key, value: key }));
    const { root, added } = trieFromEntries(changes);
    const rootOnly = new LoadedNodes();
    rootOnly.add([[root, added.get(root)!]]);
    expect(() => trieGet(rootOnly, root, stored)).toThrow(StateMiss);
    for (const absent of [zeroKey, stored.slice(0, 3)]) expect(trieGet(rootOnly, root, absent)).toBeUndefined();
  });

  it('treats a missing key to remove, the last entry, a lost node and broken bytes as faults', async () => {
    const { root, added } = trieFromEntries([seed]);
    const nodes = new LoadedNodes();
    nodes.add(added);
    const remove =
      (key: Uint8Array): (() => unknown) =>
      () =>
        trieUpdate(nodes, root, [{ key, value: undefined }]);
    expect(remove(Uint8Array.of(0, 0, 0, 1))).toThrow(new TrieFault('KeyNotFound', 'remove 00000001'));
    expect(remove(zeroKey)).toThrow(TrieFault);
    await expect(
      withState(storeOf(new Map()), new LoadedNodes(), () => trieGet(new LoadedNodes(), root, zeroKey)),
    ).rejects.toThrow(TrieFault);
    for (const broken of ['', '00', '0002aa', '01', '0102' + '00'.repeat(15), '06123002aa', '0001aabb']) {
      expect(() => nodes.add([['aa'.repeat(32), hexToBytes(broken)]])).toThrow(TrieFault);
    }
  });

  it('loads its own nodes alone: other misses and errors of a run are for the caller', async () => {
    const others = [new StateMiss([], ['aa'.repeat(32)]), new RangeError('not of the state')];
    for (const error of others) {
      const run = withState(storeOf(new Map()), new LoadedNodes(), () => {
        throw error;
      });
      await expect(run).rejects.toBe(error);
    }
  });

  it('forgets the nodes that nobody asked for, and only those', () => {
    const nodes = new LoadedNodes(40_000);
    const leaf = (i: number): [Hash, Uint8Array] => [i.toString(16).padStart(64, '0'), hexToBytes('06123002aabb')];
    nodes.add([leaf(0)]);
    for (let i = 1; i < 1000; i++) {
      nodes.add([leaf(i)]);
      expect(nodes.get(leaf(0)[0])).toBeDefined();
    }
    expect(nodes.size).toBeLessThan(200);
    const present = Array.from({ length: 1000 }, (_, i) => leaf(i)[0]).filter((hash) => nodes.has(hash));
    expect(nodes.size).toBe(present.length);
    expect(nodes.get(leaf(1)[0])).toBeUndefined();
    expect(nodes.get(leaf(999)[0])).toBeDefined();
  });

  it('forgets what updates have replaced, some updates later, and nothing that is reachable', () => {
    const kept = 64;
    const updates = 200;
    const key = (i: number): Uint8Array => Uint8Array.of((i * 37) & 255, i >> 8, i & 255, 0);
    const entries = Array.from({ length: 300 }, (_, i) => ({ key: key(i), value: Uint8Array.of(i >> 8, i & 255) }));
    const first = trieFromEntries(sorted(entries));
    const limited = new LoadedNodes(2 ** 20);
    limited.add(first.added);
    const roots = [first.root];
    let release: (() => void) | undefined;
    for (let turn = 1; turn <= updates; turn++) {
      const change = { key: key(turn), value: Uint8Array.of(turn, 1, 1) };
      const { root, added, replaced } = trieUpdate(limited, roots.at(-1)!, [change]);
      limited.add(added);
      limited.replace(replaced);
      roots.push(root);
      if (turn === 150) release = limited.hold();
    }
    // Held since: nothing more was forgotten.
    expect(roots.findIndex((root) => limited.has(root))).toBe(150 - kept);
    release!();
    expect(roots.findIndex((root) => limited.has(root))).toBe(updates - kept);
    const { length } = reachable(limited, roots.at(-1)!);
    expect(reachable(limited, roots.at(-1 - kept)!)).toHaveLength(length);
    expect(limited.size).toBeLessThan(2 * length);
    expect(() => reachable(limited, roots[0]!)).toThrow();
  });
});
