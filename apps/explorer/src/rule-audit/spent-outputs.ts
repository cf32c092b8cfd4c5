import { hashArray } from '@shardnode/core/database';
import { bytesToHex } from '@shardnode/protocol/encoding';
import { type Hash } from '@shardnode/protocol/primitives';
import { type OutputView } from '@shardnode/protocol/state';
import { type Output, type Transaction } from '@shardnode/protocol/transaction';
import { blockIdOfTx } from '../blocks/row-ids.js';
import { type Snapshot } from '../database/snapshot.js';
import { type OutputColumns, outputColumns, outputOf } from './audited-blocks.js';

interface StoredOutput {
  readonly output: Output;
  readonly hint: number;
  readonly txId: bigint;
  /** Row id of the transaction that spends it; undefined: unspent. */
  readonly spentBy: bigint | undefined;
}

/** Outputs of the index that transactions spend. */
export class SpentOutputs {
  private constructor(private readonly outputs: ReadonlyMap<Hash, StoredOutput>) {}

  static async load({ schema, query }: Snapshot, transactions: readonly Transaction[]): Promise<SpentOutputs> {
    const keys = transactions.flatMap(({ unsigned, contractInputs }) => [
      ...unsigned.inputs.map(({ outputReference }) => outputReference.key),
      ...contractInputs.map(({ key }) => key),
    ]);
    if (keys.length === 0) return new SpentOutputs(new Map());
    const rows = await query<OutputColumns & { key: Buffer; hint: number; spent_by: bigint | null }>(
      'outputs-of-inputs-to-audit',
      `SELECT o.key, o.hint, o.spent_by, ${outputColumns(schema)} FROM ${schema}.outputs o
         JOIN ${schema}.addresses a ON a.address_id = o.address_id WHERE o.key = ANY($1::bytea[])`,
      [hashArray([...new Set(keys)])],
    );
    const stored = rows.map((row) => [
      bytesToHex(row.key),
      { output: outputOf(row), hint: row.hint, txId: row.tx_id, spentBy: row.spent_by ?? undefined },
    ]) satisfies [Hash, StoredOutput][];
    return new SpentOutputs(new Map(stored));
  }

  /**
   * Outputs that a transaction may spend: those that no other one spends. Asset outputs of its own block are not among them
   * (protocol 02 §9.1).
   * @param txId its row id; undefined of one that is not applied
   */
  viewOf(txId: bigint | undefined): OutputView {
    return {
      output: ({ key, hint }) => {
        const stored = this.outputs.get(key);
        if (!stored || stored.hint !== hint || stored.spentBy !== txId) return undefined;
        const isOfBlock = txId !== undefined && blockIdOfTx(stored.txId) === blockIdOfTx(txId);
        return isOfBlock && stored.output.kind === 'asset' ? undefined : stored.output;
      },
    };
  }
}
