import { blake2bHash } from '@shardnode/protocol/crypto';
import { encode } from '@shardnode/protocol/encoding';
import {
  booleanArray,
  byteaArray,
  hashArray,
  int4Array,
  int8Array,
  textArray,
  uuidArray,
} from '@shardnode/core/database';
import { hexToBytes } from '@shardnode/protocol/encoding';
import {
  type AssetLockupScript,
  assetLockupScriptCodec,
  type Hash,
  type OutputReference,
} from '@shardnode/protocol/primitives';
import { type AssetOutput } from '@shardnode/protocol/transaction';
import { type CommitPart, inSlices } from './commit-part.js';
import { type Utxo } from './model.js';

/** 16 bytes that identify an address in rows and indexes, whatever the size of its lockup script; 32 digits. */
export const ownerOf = (lockupScript: AssetLockupScript): string =>
  blake2bHash(encode(assetLockupScriptCodec, lockupScript)).slice(0, 32);

/** Net change of the projection: `spent` are keys, removed first. */
export interface UtxoChanges {
  readonly spent: readonly Hash[];
  readonly created: readonly Utxo[];
}

const nothing = {
  hashes: hashArray([]),
  numbers: int4Array([]),
  owners: uuidArray([]),
  texts: textArray([]),
  times: int8Array([]),
  flags: booleanArray([]),
  bytes: byteaArray([]),
};

const spentPart = (keys: readonly Hash[]): CommitPart => {
  const { hashes, numbers, owners, texts, times, flags, bytes } = nothing;
  return {
    writes: 'change_utxos',
    values: [hashArray(keys), hashes, numbers, owners, texts, times, flags, bytes, texts, bytes],
    rows: keys.length,
  };
};

const changePart = (spent: readonly Hash[], created: readonly Utxo[], headTimestamp: bigint): CommitPart => {
  const outputs = created.map(({ output }) => output);
  const tokens = outputs.map((output) => output.tokens[0]);
  return {
    writes: 'change_utxos',
    values: [
      hashArray(spent),
      hashArray(created.map(({ reference }) => reference.key)),
      int4Array(created.map(({ reference }) => reference.hint)),
      uuidArray(outputs.map((output) => ownerOf(output.lockupScript))),
      textArray(outputs.map((output) => output.amount.toString())),
      int8Array(outputs.map((output) => output.lockTime)),
      booleanArray(outputs.map((output) => output.lockTime > headTimestamp)),
      byteaArray(tokens.map((token) => token && hexToBytes(token.id))),
      textArray(tokens.map((token) => token?.amount.toString())),
      byteaArray(outputs.map((output) => output.additionalData)),
    ],
    rows: spent.length + created.length,
  };
};

/** @param headTimestamp of the new head of the projection, milliseconds: later lock times are marked */
export const utxoParts = (changes: UtxoChanges, headTimestamp: bigint): CommitPart[] => {
  const { spent, created } = changes;
  if (spent.length + created.length === 0) return [];
  const single = inSlices([...spent, ...created]).length === 1;
  if (single) return [changePart(spent, created, headTimestamp)];
  return [...inSlices(spent).map(spentPart), ...inSlices(created).map((slice) => changePart([], slice, headTimestamp))];
};

export const headPart = (blockHash: Hash, timestamp: bigint): CommitPart => ({
  writes: 'write_head',
  values: [hexToBytes(blockHash), timestamp],
  rows: 1,
});

/** Columns of an unspent output, as all queries name them. */
export const utxoColumns =
  'key, hint, amount::text AS amount, lock_time, token_id, token_amount::text AS token_amount, additional_data';

export interface UtxoRow {
  readonly key: Buffer;
  readonly hint: number;
  readonly amount: string;
  readonly lock_time: bigint;
  readonly token_id: Buffer | null;
  readonly token_amount: string | null;
  readonly additional_data: Buffer;
}

const noTokens: AssetOutput['tokens'] = [];
const noData = new Uint8Array(0);

export const utxoOfRow = (row: UtxoRow, lockupScript: AssetLockupScript): Utxo => {
  const reference: OutputReference = { hint: row.hint, key: row.key.toString('hex') };
  const tokens =
    row.token_id === null ? noTokens : [{ id: row.token_id.toString('hex'), amount: BigInt(row.token_amount ?? 0) }];
  const output: AssetOutput = {
    kind: 'asset',
    amount: BigInt(row.amount),
    lockupScript,
    lockTime: row.lock_time,
    tokens,
    additionalData: row.additional_data.length === 0 ? noData : new Uint8Array(row.additional_data),
  };
  return { reference, output };
};
