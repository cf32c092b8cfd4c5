import { describe, expect, it } from '@jest/globals';
import { parseAddress } from '@shardnode/protocol/address';
import { blake2b, blake2bHash } from '@shardnode/protocol/crypto';
import { bytesToHex, decode, hexToBytes } from '@shardnode/protocol/encoding';
import { developmentNetwork } from '@shardnode/protocol/network';
import {
  type AssetLockupScript,
  assetLockupScriptCodec,
  groupOfLockupScript,
  type Hash,
  lockupScriptCodec,
  outputHint,
} from '@shardnode/protocol/primitives';
import { type AssetOutput, type Output, outputKey } from '@shardnode/protocol/transaction';
import { readVectors } from '@shardnode/testing/vectors';
import {
  type BlockEffects,
  applyChanges,
  changesOfEffects,
  compareKeys,
  decodeTrieNode,
  emptyWorldState,
  encodeTrieBranch,
  encodeTrieLeaf,
  genesisWorldState,
  hasOutput,
  LoadedNodes,
  type NibblePath,
  nibbleAt,
  outputOfStateValue,
  outputStateKey,
  outputStateValue,
  referenceOfKey,
  stateHash,
  type TrieChange,
  trieFromEntries,
  TrieFault,
  trieGet,
  type TrieNodeStore,
  trieScan,
  trieUpdate,
} from './index.js';

type Json = Record<string, unknown>;
const vectors = readVectors<Record<string, Json[] & Json>>('state-trie.json');
const noBytes = new Uint8Array(0);
const bytesOf = (hex: unknown): Uint8Array => hexToBytes(hex as string);
const storeOf = (nodes: LoadedNodes): TrieNodeStore => ({
  loadNodes: async (hashes) => new Map(hashes.flatMap((hash) => (nodes.get(hash) ? [[hash, nodes.get(hash)!]] : []))),
});
const pathOf = (nibbles: string): NibblePath => ({
  bytes: hexToBytes(nibbles + (nibbles.length % 2 === 0 ? '' : '0')),
  start: 0,
  length: nibbles.length,
});

class Trie {
  readonly nodes = new LoadedNodes();
  root: Hash;
  constructor(key: Uint8Array, value: Uint8Array) {
    const { root, added } = trieFromEntries([{ key, value }]);
    this.nodes.add(added);
    this.root = root;
  }
  change(...changes: TrieChange[]): void {
    const sorted = changes.sort((a, b) => compareKeys(a.key, b.key));
    const { root, added } = trieUpdate(this.nodes, this.root, sorted);
    this.nodes.add(added);
    this.root = root;
  }
  count(hash = this.root): number {
    const node = this.nodes.node(hash)!;
    if (node.kind === 'leaf') return 1;
    let total = 1;
    for (let slot = 0, at = node.childrenStart; slot < 16; slot++) {
      if (((node.mask >> slot) & 1) === 1) total += this.count(bytesToHex(node.raw.slice(at + 1, at + 33)));
      at += ((node.mask >> slot) & 1) === 1 ? 33 : 1;
    }
    return total;
  }
  scan(prefix = '', max = Infinity): Promise<string[]> {
    return trieScan(storeOf(this.nodes), this.root, hexToBytes(prefix), max).then((entries) =>
      entries.map(({ key }) => bytesToHex(key)),
    );
  }
}

const emptyState = (): { nodes: LoadedNodes; root: Hash } => {
  const { state, nodes } = emptyWorldState();
  const loaded = new LoadedNodes();
  loaded.add(nodes);
  return { nodes: loaded, root: state.outputRoot };
};

const walkers: Record<string, (section: Json[] & Json) => void> = {
  description: () => undefined,
  nodeEncoding: (section) => {
    it.each(section.map((entry) => [entry.name, entry] as const))('%s', (_, entry) => {
      const path = pathOf(entry.pathNibbles as string);
      const children = (entry.children ?? {}) as Record<string, string | null>;
      const raw =
        entry.kind === 'leaf'
          ? encodeTrieLeaf(path, bytesOf(entry.data))
          : encodeTrieBranch(
              path,
              [...Array(16).keys()].map((slot) => childOf(children, slot)),
            );
      expect(bytesToHex(raw)).toBe(entry.bytes);
      expect(blake2bHash(raw)).toBe(entry.hash);
      const node = decodeTrieNode(raw);
      expect(node.kind).toBe(entry.kind);
      const nibbles = Array.from({ length: node.path.length }, (_, i) =>
        nibbleAt(node.path.bytes, node.path.start + i),
      );
      expect(nibbles.map((nibble) => nibble.toString(16)).join('')).toBe(entry.pathNibbles);
      if (node.kind === 'leaf') expect(bytesToHex(node.data)).toBe(entry.data);
    });
  },
  sequences: (section) => {
    it.each(section.map((entry) => [entry.name, entry] as const))('%s', (_, entry) => {
      const trie = new Trie(bytesOf(entry.genesisKey), bytesOf(entry.genesisValue));
      for (const step of entry.steps as Json[]) {
        if (step.op !== 'init') stepOf(trie, step);
        expect(trie.root).toBe(step.root);
        if (step.reachableNodes !== undefined) expect(trie.count()).toBe(step.reachableNodes);
      }
    });
  },
  orderIndependence: (section) => {
    const entryOf = (i: number): TrieChange => ({
      key: blake2b(new TextEncoder().encode(`key-${i}`)),
      value: blake2b(new TextEncoder().encode(`value-${i}`)),
    });
    it.each((section.insertionOrders as number[][]).map((order) => [order.join(' '), order] as const))(
      '%s',
      (_, order) => {
        const trie = new Trie(new Uint8Array(32), new Uint8Array(32));
        for (const i of order) trie.change(entryOf(i));
        expect(trie.root).toBe(section.root);
        const atOnce = new Trie(new Uint8Array(32), new Uint8Array(32));
        atOnce.change(...order.map(entryOf));
        expect(atOnce.root).toBe(section.root);
      },
    );
  },
  outputTrie: (section) => {
    it('outputs of every lockup kind, roots and scans', async () => {
      const trie = new Trie(new Uint8Array(36), hexToBytes(`0101${'00'.repeat(32)}00`));
      let scanned = false;
      for (const step of section.steps as Json[]) {
        if (step.op === 'put') trie.change(outputChange(step));
        if (step.op === 'remove') {
          if (!scanned) await expectScans(trie, section.scansBeforeTheRemove as Json[]);
          scanned = true;
          trie.change({ key: bytesOf(step.key), value: undefined });
        }
        expect(['init', 'put', 'remove']).toContain(step.op);
        expect(trie.root).toBe(step.root);
      }
      expect(scanned).toBe(true);
    });
  },
  emptyWorldState: (section) => {
    it('has the initial entries, roots and state hash', () => {
      const { state, nodes } = emptyWorldState();
      const parts = { outputTrie: state.outputRoot, contractTrie: state.contractRoot, legacyCodeTrie: state.codeRoot };
      for (const [name, root] of Object.entries(parts)) {
        const part = section[name] as Json;
        expect(root).toBe(part.root);
        expect(bytesToHex(trieGet(nodes, root, bytesOf(part.key))!)).toBe(part.value);
      }
      expect(stateHash(state)).toBe(section.stateHash);
    });
  },
  realHeader: (section) => {
    it('carries the state hash of a genesis state', () => {
      const header = bytesOf(section.withoutNonceHex);
      expect(bytesToHex(header.slice(2 + 7 * 32, 2 + 8 * 32))).toBe(section.depStateHash);
      const state = vectors.genesisWorldStates!.find((entry) => entry.genesisBlockHash === section.intraDependency);
      expect(state?.stateHash).toBe(section.depStateHash);
    });
  },
  genesisWorldStates: (section) => {
    it.each(section.map((entry) => [`${String(entry.network)} group ${String(entry.group)}`, entry] as const))(
      '%s',
      (_, entry) => {
        const { nodes, root } = emptyState();
        const outputs = (entry.outputs ?? []) as Json[];
        const changes = outputs.map((output): TrieChange => {
          const lockupScript = parseAddress(output.address as string) as AssetLockupScript;
          const value: AssetOutput = {
            kind: 'asset',
            amount: BigInt(output.amount as string),
            lockupScript,
            lockTime: BigInt(output.lockTime as number),
            tokens: [],
            additionalData: bytesOf(output.additionalData),
          };
          const key = outputKey(entry.genesisTxId as Hash, output.index as number);
          const change = {
            key: outputStateKey({ hint: outputHint(lockupScript), key }),
            value: outputStateValue(value),
          };
          expect(bytesToHex(change.key)).toBe(output.trieKey);
          expect(bytesToHex(change.value)).toBe(output.trieValue);
          return change;
        });
        const { contractRoot, codeRoot } = emptyWorldState().state;
        expect(contractRoot).toBe(entry.contractRoot);
        const state = { outputRoot: entry.outputRoot as Hash, contractRoot, codeRoot };
        expect(stateHash(state)).toBe(entry.stateHash);
        // Large allocations are given by their roots alone.
        if (outputs.length !== entry.numOutputs) return;
        changes.sort((a, b) => compareKeys(a.key, b.key));
        expect(trieUpdate(nodes, root, changes).root).toBe(entry.outputRoot);
      },
    );
  },
  blockApplication: (section) => {
    it('operation by operation, and as the net effect of the blocks', () => {
      const start = vectors.genesisWorldStates!.find((entry) => entry.outputRoot === section.initialOutputRoot)!;
      const { nodes, root } = emptyState();
      const group = start.group as number;
      const initial = (start.outputs as Json[])
        .map((output) => ({ key: bytesOf(output.trieKey), value: bytesOf(output.trieValue) }))
        .sort((a, b) => compareKeys(a.key, b.key));
      const base = trieUpdate(nodes, root, initial);
      nodes.add(base.added);
      let current = base.root;
      for (const operation of section.operations as Json[]) {
        if (operation.op === 'skip') continue;
        expect(['put', 'remove']).toContain(operation.op);
        const value = operation.op === 'put' ? bytesOf(operation.value) : undefined;
        const update = trieUpdate(nodes, current, [{ key: bytesOf(operation.key), value }]);
        nodes.add(update.added);
        current = update.root;
        expect(current).toBe(operation.root);
      }
      expect(current).toBe(section.finalOutputRoot);
      const state = { ...emptyWorldState().state, outputRoot: base.root };
      // Given in the reverse order, so that only the sort by timestamp can put them right.
      const effects = (section.blocks as Json[]).map(effectsOf).reverse();
      const changes = changesOfEffects(group, 4, effects, (reference) => hasOutput(nodes, base.root, reference));
      const applied = applyChanges(nodes, state, changes);
      expect(applied.state.outputRoot).toBe(section.finalOutputRoot);
      expect(stateHash(applied.state)).toBe(section.finalStateHash);
    });
  },
};

const childOf = (children: Record<string, string | null>, slot: number): Uint8Array | undefined => {
  const hash = children[slot.toString(16)] ?? children[String(slot)];
  return !hash ? undefined : hexToBytes(hash);
};

const stepOf = (trie: Trie, step: Json): void => {
  const key = bytesOf(step.key);
  switch (step.op) {
    case 'put':
      return trie.change({ key, value: bytesOf(step.value) });
    case 'remove':
      return trie.change({ key, value: undefined });
    case 'removeMissing':
      return expect(() => trie.change({ key, value: undefined })).toThrow(TrieFault);
    default:
      throw new Error(`unknown step ${String(step.op)}`);
  }
};

const outputChange = (step: Json): TrieChange => {
  const lockupScript = decode(lockupScriptCodec, bytesOf(step.lockupScript));
  const tokens = ((step.tokens ?? []) as { id: Hash; amount: string }[]).map(({ id, amount }) => ({
    id,
    amount: BigInt(amount),
  }));
  const amount = BigInt(step.amount as string);
  const output: Output =
    lockupScript.kind === 'p2c'
      ? { kind: 'contract', amount, contractId: lockupScript.contractId, tokens }
      : {
          kind: 'asset',
          amount,
          lockupScript,
          lockTime: BigInt((step.lockTime ?? 0) as number),
          tokens,
          additionalData: bytesOf(step.additionalData ?? ''),
        };
  const reference = { hint: outputHint(lockupScript), key: outputKey(step.txId as Hash, step.outputIndex as number) };
  expect(reference.hint).toBe(step.hint);
  const change = { key: outputStateKey(reference), value: outputStateValue(output) };
  expect(bytesToHex(change.key)).toBe(step.key);
  expect(bytesToHex(change.value)).toBe(step.value);
  expect(outputOfStateValue(change.value)).toEqual(output);
  expect(referenceOfKey(change.key)).toEqual(reference);
  return change;
};

const expectScans = async (trie: Trie, scans: Json[]): Promise<void> => {
  for (const scan of scans) expect(await trie.scan(scan.prefix as string, scan.max as number)).toEqual(scan.keys);
};

const effectsOf = (block: Json): BlockEffects => ({
  chainIndex: { from: (block.chain as number[])[0]!, to: (block.chain as number[])[1]! },
  timestamp: BigInt(block.timestamp as number),
  transactions: (block.txs as Json[]).map((transaction) => ({
    inputs: (transaction.inputs as string[]).map((key) => referenceOfKey(hexToBytes(key))),
    contractInputs: [],
    outputs: (transaction.outputs as Json[]).map((fields, index) => {
      const lockupScript = decode(assetLockupScriptCodec, bytesOf(fields.lockupScript));
      expect(groupOfLockupScript(lockupScript, 4)).toBe(fields.group);
      const output: AssetOutput = {
        kind: 'asset',
        amount: BigInt(fields.amount as string),
        lockupScript,
        lockTime: BigInt(fields.lockTime as number),
        tokens: [],
        additionalData: noBytes,
      };
      const key = outputKey(transaction.id as Hash, index);
      return { reference: { hint: outputHint(lockupScript), key }, output };
    }),
  })),
});

describe('state-trie.json', () => {
  for (const [name, section] of Object.entries(vectors)) {
    describe(name, () => {
      const walk = walkers[name];
      if (walk) walk(section);
      it('has a walker', () => expect(walk).toBeDefined());
    });
  }
});

describe('genesis world states', () => {
  it('of the development network are those of the recorded history', () => {
    const file = readVectors<{ genesisBlocks: { chain: number[]; worldState?: Json }[] }>(
      'chain-transfers/genesis.json',
    );
    const states = file.genesisBlocks.filter((block) => block.worldState);
    expect(states).toHaveLength(4);
    for (const { chain, worldState } of states) {
      const { state, nodes } = genesisWorldState(developmentNetwork, chain[0]!);
      expect(state.outputRoot).toBe(worldState!.outputs);
      expect(state.contractRoot).toBe(worldState!.contracts);
      expect(state.codeRoot).toBe(worldState!.code);
      expect(stateHash(state)).toBe(worldState!.stateHash);
      expect(nodes.has(state.outputRoot) && nodes.has(state.contractRoot) && nodes.has(state.codeRoot)).toBe(true);
    }
  });
});
