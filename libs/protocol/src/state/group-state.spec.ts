import { describe, expect, it } from '@jest/globals';
import { type Block } from '@shardnode/protocol/block';
import { blake2bHash } from '@shardnode/protocol/crypto';
import { type AssetLockupScript, type Hash, outputHint, referenceId, scriptHint } from '@shardnode/protocol/primitives';
import {
  type AssetOutput,
  type Output,
  type Transaction,
  transactionId,
  referenceOf,
} from '@shardnode/protocol/transaction';
import { assetOutput, inventedOutput } from '@shardnode/testing/builders';
import { testKeyOfGroup } from '@shardnode/testing/keys';
import {
  addressOutputs,
  applyChanges,
  type BlockEffects,
  changesOfEffects,
  emptyWorldState,
  groupView,
  loadAssetOutputs,
  LoadedNodes,
  outputStateKey,
  readOutput,
  type ReferencedOutput,
  stateChanges,
  touchedStateKeys,
  TrieFault,
  type TrieNodeStore,
} from './index.js';

const groups = 4;
const group = 1;
const own = testKeyOfGroup(1).lockupScript;
const foreign = testKeyOfGroup(2).lockupScript;
const coin = 10n ** 18n;
const emptyStore: TrieNodeStore = { loadNodes: async () => new Map() };

const transaction = (
  inputs: readonly ReferencedOutput[],
  outputs: readonly AssetOutput[],
  more: Partial<Transaction> = {},
): Transaction => ({
  unsigned: {
    version: 0,
    networkId: 4,
    script: undefined,
    gasAmount: 20_000,
    gasPrice: 1n,
    inputs: inputs.map(({ reference }) => ({
      outputReference: reference,
      unlockScript: { kind: 'p2pkh', publicKey: new Uint8Array(33) },
    })),
    fixedOutputs: outputs,
  },
  scriptExecutionOk: true,
  contractInputs: [],
  generatedOutputs: [],
  inputSignatures: [],
  scriptSignatures: [],
  ...more,
});

/** The views look at the chain, the timestamp and the transactions of a block, and at nothing else. */
const block = (from: number, to: number, timestamp: bigint, transactions: readonly Transaction[]): Block =>
  ({ header: { chainIndex: { from, to }, timestamp }, transactions, raw: new Uint8Array(0) }) as unknown as Block;

const created = (tx: Transaction, index: number): ReferencedOutput => {
  const output = [...tx.unsigned.fixedOutputs, ...tx.generatedOutputs][index]!;
  return { reference: referenceOf(output, transactionId(tx.unsigned), index), output };
};

const viewOver = (base: readonly ReferencedOutput[], pending: readonly Block[]) => {
  const stored = new Map(base.map(({ reference, output }) => [referenceId(reference), output]));
  return groupView(group, groups, (reference) => stored.get(referenceId(reference)), pending);
};

describe('the group view (protocol 03 §8.3)', () => {
  const stored: ReferencedOutput = inventedOutput(assetOutput(own, coin, { lockTime: 77n }), 'stored');

  it('reads the base where no pending block spends', () => {
    expect(viewOver([stored], []).output(stored.reference)).toEqual(stored.output);
    expect(viewOver([], []).output(stored.reference)).toBeUndefined();
  });

  it('does not see what an out-chain block spends, as transaction input or as contract input', () => {
    const spending = block(1, 3, 5n, [transaction([stored], [])]);
    expect(viewOver([stored], [spending]).output(stored.reference)).toBeUndefined();
    const asContractInput = block(1, 0, 5n, [transaction([], [], { contractInputs: [stored.reference] })]);
    expect(viewOver([stored], [asContractInput]).output(stored.reference)).toBeUndefined();
    expect(viewOver([stored], [asContractInput]).isSpent(stored.reference)).toBe(true);
  });

  it('lets in-chain blocks spend nothing', () => {
    const elsewhere = block(2, 1, 5n, [transaction([stored], [])]);
    expect(viewOver([stored], [elsewhere]).output(stored.reference)).toEqual(stored.output);
  });

  it('offers all outputs of in-chain blocks and the own asset outputs of out-chain blocks, lock time as written', () => {
    const contract: Output = { kind: 'contract', amount: 1n, contractId: `${'00'.repeat(31)}01`, tokens: [] };
    const tx = transaction([], [assetOutput(own, coin), assetOutput(foreign, coin)], { generatedOutputs: [contract] });
    const [ours, theirs, ofContract] = [0, 1, 2].map((i) => created(tx, i));
    const incoming = viewOver([], [block(2, 1, 5n, [tx])]);
    expect(incoming.output(ours!.reference)).toEqual({ ...ours!.output, lockTime: 0n });
    expect(incoming.output(theirs!.reference)).toEqual(theirs!.output);
    expect(incoming.output(ofContract!.reference)).toEqual(contract);
    const outgoing = viewOver([], [block(1, 2, 5n, [tx])]);
    expect(outgoing.output(ours!.reference)).toEqual(ours!.output);
    expect(outgoing.output(theirs!.reference)).toBeUndefined();
    expect(outgoing.output(ofContract!.reference)).toBeUndefined();
    expect(incoming.created).toEqual([ours]);
    expect(outgoing.created).toEqual([ours]);
  });

  it('prefers the base, then the first block of the list', () => {
    const tx = transaction([], [assetOutput(own, coin)]);
    const { reference, output } = created(tx, 0);
    const raised = { reference, output: { ...(output as AssetOutput), lockTime: 9n } };
    expect(viewOver([raised], [block(1, 2, 5n, [tx])]).output(reference)).toEqual(raised.output);
    const twice = viewOver([], [block(1, 2, 5n, [tx]), block(1, 3, 5n, [tx])]);
    expect(twice.created).toHaveLength(1);
  });

  it('does not see an output that pending blocks create and spend, in whatever order', () => {
    const creating = transaction([], [assetOutput(own, coin)]);
    const change = created(creating, 0);
    const blocks = [block(1, 2, 5n, [creating]), block(1, 3, 6n, [transaction([change], [])])];
    for (const pending of [blocks, [...blocks].reverse()]) {
      expect(viewOver([], pending).output(change.reference)).toBeUndefined();
    }
  });
});

describe('the effect of blocks on the output state (protocol 03 §8.5)', () => {
  const stored = inventedOutput(assetOutput(own, coin), 'stored');
  const existing = (reference: { key: Hash }): boolean => reference.key === stored.reference.key;
  const creating = transaction([stored], [assetOutput(own, 3n * coin), assetOutput(foreign, coin)]);
  const change = created(creating, 0);
  const spending = transaction([change], [assetOutput(own, 2n * coin, { lockTime: 1000n })]);
  const last = created(spending, 0);

  it('is net, sorted by timestamp, and raises lock times to the timestamp of the block', () => {
    const blocks = [block(1, 1, 30n, []), block(1, 0, 20n, [spending]), block(1, 2, 10n, [creating])];
    expect(stateChanges(group, groups, blocks, existing)).toEqual({ removed: [stored.reference], added: [last] });
    const only = stateChanges(group, groups, [block(1, 2, 10n, [creating])], existing);
    expect(only.added).toEqual([{ ...change, output: { ...change.output, lockTime: 10n } }]);
  });

  it('keeps the order of equal timestamps, also in long lists', () => {
    const fill = Array.from({ length: 20 }, () => block(1, 3, 10n, []));
    const rightWay = [...fill, block(1, 2, 10n, [creating]), ...fill, block(1, 0, 10n, [spending])];
    expect(stateChanges(group, groups, rightWay, existing).added).toEqual([last]);
    expect(() => stateChanges(group, groups, [...rightWay].reverse(), existing)).toThrow(TrieFault);
  });

  it('takes a missing or doubly spent reference as a fault, never as a skip', () => {
    expect(() => stateChanges(group, groups, [block(1, 2, 10n, [creating])], () => false)).toThrow(/^KeyNotFound/);
    const again = transaction([stored], []);
    const both = [block(1, 2, 10n, [creating]), block(1, 0, 11n, [again])];
    expect(() => stateChanges(group, groups, both, existing)).toThrow(TrieFault);
  });

  it('ignores inputs of in-chain blocks, outputs of other groups and contract outputs', () => {
    const contract: Output = { kind: 'contract', amount: 1n, contractId: `${'00'.repeat(31)}01`, tokens: [] };
    const tx = transaction([stored], [assetOutput(foreign, coin)], {
      generatedOutputs: [contract],
      contractInputs: [stored.reference],
    });
    expect(stateChanges(group, groups, [block(2, 1, 10n, [tx])], () => false)).toEqual({ removed: [], added: [] });
  });

  it('replaces a reference that is removed and created again', () => {
    const nodes = new LoadedNodes();
    const empty = emptyWorldState();
    nodes.add(empty.nodes);
    const first = applyChanges(nodes, empty.state, { removed: [], added: [stored] });
    nodes.add(first.added);
    const effects: BlockEffects[] = [
      {
        chainIndex: { from: 1, to: 1 },
        timestamp: 5n,
        transactions: [{ inputs: [stored.reference], contractInputs: [], outputs: [stored] }],
      },
    ];
    const changes = changesOfEffects(group, groups, effects, existing);
    expect(changes).toEqual({
      removed: [stored.reference],
      added: [{ ...stored, output: { ...stored.output, lockTime: 5n } }],
    });
    const second = applyChanges(nodes, first.state, changes);
    nodes.add(second.added);
    expect(readOutput(nodes, second.state.outputRoot, stored.reference)).toEqual(changes.added[0]!.output);
  });

  it('names the keys that it touches', () => {
    const blocks = [block(1, 2, 10n, [creating]), block(2, 1, 10n, [transaction([stored], [assetOutput(own, 7n)])])];
    const expected = [stored, change, created(blocks[1]!.transactions[0]!, 0)];
    expect(touchedStateKeys(group, groups, blocks)).toEqual(expected.map(({ reference }) => outputStateKey(reference)));
  });
});

describe('the outputs of an address (protocol 04 §5.2)', () => {
  const keyHash = (own as Extract<AssetLockupScript, { kind: 'p2pkh' }>).publicKeyHash;
  /** The same hint: that of its first key. */
  const shared: AssetLockupScript = {
    kind: 'p2mpkh',
    publicKeyHashes: [keyHash, blake2bHash(new Uint8Array(1))],
    m: 1,
  };

  it('are those of its own lockup script, in key order, without the spent ones, then the pending ones', async () => {
    expect(scriptHint(shared)).toBe(outputHint(own));
    const ours = ['a', 'b', 'c'].map((name) => inventedOutput(assetOutput(own, coin), name));
    const alike = inventedOutput(assetOutput(shared, coin), 'd');
    const other = inventedOutput(assetOutput(foreign, coin), 'e');
    const nodes = new LoadedNodes();
    const empty = emptyWorldState();
    nodes.add(empty.nodes);
    const applied = applyChanges(nodes, empty.state, { removed: [], added: [...ours, alike, other] });
    nodes.add(applied.added);
    const tx = transaction([ours[1]!], [assetOutput(own, 5n), assetOutput(shared, 6n)]);
    const view = viewOver([], [block(1, 2, 9n, [tx])]);
    const { outputRoot } = applied.state;
    const list = await addressOutputs(emptyStore, outputRoot, own, view, nodes);
    const sorted = [ours[0]!, ours[2]!].sort((a, b) => (a.reference.key < b.reference.key ? -1 : 1));
    expect(list).toEqual([...sorted, created(tx, 0)]);
    expect(await addressOutputs(emptyStore, outputRoot, shared, view, nodes)).toEqual([alike, created(tx, 1)]);
  });
});

describe('the asset outputs under references', () => {
  it('are read in the order of the references; one that is not there is named', async () => {
    const [first, second, absent] = ['a', 'b', 'c'].map((name) => inventedOutput(assetOutput(own, coin), name));
    const nodes = new LoadedNodes();
    const empty = emptyWorldState();
    nodes.add(empty.nodes);
    const { added, state } = applyChanges(nodes, empty.state, { removed: [], added: [first!, second!] });
    nodes.add(added);
    const store: TrieNodeStore = {
      loadNodes: async (hashes) => new Map(hashes.map((hash) => [hash, nodes.get(hash)!])),
    };
    const read = (...outputs: ReferencedOutput[]) =>
      loadAssetOutputs(
        store,
        state.outputRoot,
        outputs.map(({ reference }) => reference),
      );
    expect(await read(second!, first!)).toEqual([second, first]);
    await expect(read(first!, absent!)).rejects.toThrow(absent!.reference.key);
  });
});
