import { searchHeader } from '@shardnode/testing/builders';
import { developmentNetwork as settings } from '@shardnode/protocol/network';
import { type Hash, type OutputReference, outputHint, zeroHash } from '@shardnode/protocol/primitives';
import {
  applyChanges,
  type ContractChanges,
  genesisWorldState,
  LoadedNodes,
  stateHash,
  type WorldState,
} from '@shardnode/protocol/state';
import { type AssetOutput } from '@shardnode/protocol/transaction';
import { blake2bHash } from '@shardnode/protocol/crypto';
import { type BlockCommit, type Utxo } from '../../src/store/index.js';
import { genesisCommits } from './history-commits.js';

/** The easiest target of all. */
const target = 0x20ffffff;
let counter = 0;

/** An unspent output with a key of its own. */
export const inventedUtxo = (
  output: Omit<AssetOutput, 'kind' | 'additionalData' | 'tokens' | 'lockTime'> & Partial<AssetOutput>,
): Utxo => {
  const key = blake2bHash(new TextEncoder().encode(`output ${++counter}`));
  const whole: AssetOutput = { lockTime: 0n, tokens: [], additionalData: new Uint8Array(0), ...output, kind: 'asset' };
  return { reference: { hint: outputHint(output.lockupScript), key }, output: whole };
};

/** Blocks of one intra-group chain with invented effects and no transactions: the store does not look into blocks. */
export class InventedChain {
  readonly genesis: readonly BlockCommit[];
  private readonly nodes = new LoadedNodes();
  private readonly states = new Map<Hash, { readonly state: WorldState; readonly height: number }>();
  readonly genesisHash: Hash;

  constructor(readonly group: number) {
    this.genesis = genesisCommits(settings, group);
    const own = this.genesis.find((commit) => commit.worldState)!;
    this.genesisHash = own.header.hash;
    const { state, nodes } = genesisWorldState(settings, group);
    this.nodes.add(nodes);
    this.states.set(this.genesisHash, { state, height: 0 });
  }

  stateAfter(block: Hash): WorldState {
    return this.states.get(block)!.state;
  }

  /** A block after `parent`; it extends the projection unless `projection` says otherwise. */
  block(
    parent: Hash,
    changes: {
      readonly removed?: readonly OutputReference[];
      readonly added?: readonly Utxo[];
      readonly contracts?: ContractChanges;
    },
    other: Partial<BlockCommit> = {},
  ): BlockCommit {
    const before = this.states.get(parent)!;
    const { removed = [], added = [], contracts } = changes;
    const applied = applyChanges(this.nodes, before.state, { removed, added }, contracts);
    this.nodes.add(applied.added);
    const blockDeps = Array.from({ length: 7 }, (_, i) => (i === 3 + this.group ? parent : zeroHash));
    const timestamp = 1_700_000_000_000n + BigInt(before.height) * 1000n;
    const fields = {
      version: 0,
      blockDeps,
      depStateHash: zeroHash,
      txsHash: blake2bHash(new TextEncoder().encode(`block ${++counter}`)),
      timestamp,
      target,
    };
    const header = searchHeader(fields, { from: this.group, to: this.group }, settings);
    const height = before.height + 1;
    this.states.set(header.hash, { state: applied.state, height });
    const { outputRoot, contractRoot } = applied.state;
    return {
      header,
      height,
      weight: BigInt(height),
      orders: [{ height, hashes: [header.hash] }],
      tips: [header.hash],
      body: header.raw,
      transactionIds: [],
      worldState: {
        outputRoot,
        contractRoot,
        stateHash: stateHash(applied.state),
        addedNodes: applied.added,
        replacedNodes: applied.replaced,
        removed,
        added,
        ...(contracts && { immutable: contracts.immutable, events: contracts.events }),
      },
      projection: { undo: [], apply: [header.hash] },
      ...other,
    };
  }
}
