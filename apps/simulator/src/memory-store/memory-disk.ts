import {
  type ChangedChain,
  type DroppedTransaction,
  type PendingTransaction,
  type StateCommit,
  type StoredEvent,
  type TransactionLocation,
  type Utxo,
} from '@shardnode/group-node';
import { type SealedHeader } from '@shardnode/protocol/block';
import { blake2bHash } from '@shardnode/protocol/crypto';
import { encode } from '@shardnode/protocol/encoding';
import {
  type AssetLockupScript,
  assetLockupScriptCodec,
  type ChainIndex,
  type Hash,
} from '@shardnode/protocol/primitives';

export interface StoredHeader {
  readonly seq: number;
  readonly header: SealedHeader;
  readonly height: number;
  readonly weight: bigint;
  rank: number;
}

export interface ProjectionHead {
  readonly hash: Hash;
  /** Milliseconds. */
  readonly timestamp: bigint;
}

/** Identifies an address, whatever the size of its lockup script. */
const ownerOf = (lockupScript: AssetLockupScript): string => blake2bHash(encode(assetLockupScriptCodec, lockupScript));

/**
 * Committed data of a group-node: it outlives the node, as a disk does. Only whole commits change it, in one event-loop
 * tick.
 */
export class MemoryDisk {
  readonly headers = new Map<Hash, StoredHeader>();
  /** In the order of acceptance. */
  readonly accepted: StoredHeader[] = [];
  readonly bodies = new Map<Hash, Uint8Array>();
  readonly tips = new Map<number, { readonly chain: ChainIndex; readonly hashes: readonly Hash[] }>();
  readonly locations = new Map<Hash, TransactionLocation[]>();
  readonly states = new Map<Hash, StateCommit>();
  readonly nodes = new Map<Hash, Uint8Array>();
  readonly immutables = new Map<Hash, Uint8Array>();
  /** Blocks by contract; the index is the number of the page. */
  readonly eventPages = new Map<Hash, Hash[]>();
  readonly eventsOfBlock = new Map<Hash, readonly StoredEvent[]>();
  /** Blocks with events of a transaction, in the order of acceptance. */
  readonly eventBlocks = new Map<Hash, Hash[]>();
  readonly utxos = new Map<Hash, Utxo>();
  /** The same by owner and key. */
  readonly owned = new Map<string, Map<Hash, Utxo>>();
  readonly pending = new Map<Hash, PendingTransaction>();
  readonly dropped = new Map<Hash, DroppedTransaction>();
  head: ProjectionHead | undefined;
  /** Heads of the feed, by `to`. */
  readonly changed = new Map<number, ChangedChain>();

  ownedBy(lockupScript: AssetLockupScript): readonly Utxo[] {
    return [...(this.owned.get(ownerOf(lockupScript))?.values() ?? [])];
  }

  putUtxo(utxo: Utxo): void {
    const { key } = utxo.reference;
    const owner = ownerOf(utxo.output.lockupScript);
    this.utxos.set(key, utxo);
    const list = this.owned.get(owner);
    if (list) list.set(key, utxo);
    else this.owned.set(owner, new Map([[key, utxo]]));
  }

  removeUtxo(key: Hash): void {
    const utxo = this.utxos.get(key);
    if (!utxo) return;
    this.utxos.delete(key);
    this.owned.get(ownerOf(utxo.output.lockupScript))!.delete(key);
  }

  /** Whether the block is the first one of its height. */
  isCanonical(hash: Hash): boolean {
    return this.headers.get(hash)?.rank === 0;
  }
}

/** Copies bytes at the border of the disk: callers may retain returned bytes, and reuse those that they passed. */
export const copyOfBytes = (bytes: Uint8Array): Uint8Array => new Uint8Array(bytes);

export const copyOfUtxo = ({ reference, output }: Utxo): Utxo => ({
  reference: { hint: reference.hint, key: reference.key },
  output: {
    kind: 'asset',
    amount: output.amount,
    lockupScript: output.lockupScript,
    lockTime: output.lockTime,
    tokens: output.tokens.map(({ id, amount }) => ({ id, amount })),
    additionalData: copyOfBytes(output.additionalData),
  },
});
