/** The output trie with a million entries: time of an update of 2,000 changes, hashing included. */
import { blake2b } from '@shardnode/protocol/crypto';
import { compareKeys, LoadedNodes, type TrieChange, trieFromEntries, trieUpdate } from '@shardnode/protocol/state';
import { median } from '@shardnode/testing/statistics';
import { counted, isShort, printRows } from './rows.js';

const entryCount = Number(process.env['BENCH_ENTRIES'] ?? (isShort ? 100_000 : 1_000_000));
const rounds = 11;

/** 36 random-looking bytes; every tenth output belongs to one large address. */
const keyOf = (number: number): Uint8Array => {
  const key = new Uint8Array(36);
  const seed = new Uint8Array(8);
  new DataView(seed.buffer).setFloat64(0, number);
  key.set(blake2b(seed), 4);
  key.set(number % 10 === 0 ? [1, 2, 3, 5] : key.subarray(32, 36));
  return key;
};
/** As long as a plain output. */
const valueOf = (number: number): Uint8Array => new Uint8Array(53).fill(number & 255);
const put = (number: number): TrieChange => ({ key: keyOf(number), value: valueOf(number) });
const sorted = (changes: TrieChange[]): TrieChange[] => changes.sort((a, b) => compareKeys(a.key, b.key));

const built = trieFromEntries(sorted(Array.from({ length: entryCount }, (_, i) => put(i))));
const nodes = new LoadedNodes();
nodes.add(built.added);

let root = built.root;
const times: number[] = [];
for (let round = 0; round < rounds; round++) {
  const removed = Array.from({ length: 1000 }, (_, i) => ({ key: keyOf(round * 1000 + i), value: undefined }));
  const changes = sorted([...removed, ...Array.from({ length: 1000 }, (_, i) => put(entryCount + round * 1000 + i))]);
  const started = performance.now();
  const update = trieUpdate(nodes, root, changes);
  times.push(performance.now() - started);
  nodes.add(update.added);
  root = update.root;
}
printRows([
  {
    row: `update of 2,000 changes, ${entryCount.toLocaleString('en-US')} outputs`,
    figure: `${median(times).toFixed(0)} ms`,
    bar: '250 ms',
    beside: `slowest ${Math.max(...times).toFixed(0)} ms; ${counted(built.added.size, 'nodes')}`,
  },
]);
