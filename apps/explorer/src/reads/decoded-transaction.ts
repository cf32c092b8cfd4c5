import { bytesToHex, decode, DecodeError, encode, hexToBytes } from '@shardnode/protocol/encoding';
import { statefulScriptCodec } from '@shardnode/protocol/script';
import {
  fromGroupOf,
  toGroupOf,
  transactionId,
  type UnsignedTransaction,
  unsignedTransactionCodec,
} from '@shardnode/protocol/transaction';
import { type DecodedAnswer } from '../answers/transactions.js';
import { inputRowsOf, outputRowsOf } from '../blocks/block-rows.js';
import { assetOutputForm, inputForms, tokenForms } from '../blocks/transaction-forms.js';
import { explorerError } from '../errors.js';
import { type Snapshot } from '../database/snapshot.js';
import { outputsByKey } from './transaction-reads.js';

/** An unsigned transaction with its groups. */
export interface ReadUnsigned {
  readonly unsigned: UnsignedTransaction;
  readonly fromGroup: number;
  readonly toGroup: number;
}

const refused = (detail: string) => explorerError('InvalidRequest', detail, { field: 'unsignedTx' });

const decodedOf = (hex: string): UnsignedTransaction => {
  try {
    return decode(unsignedTransactionCodec, hexToBytes(hex));
  } catch (error) {
    if (error instanceof DecodeError) throw refused(error.message);
    throw error;
  }
};

/** Decodes an unsigned transaction. @throws ServiceError `InvalidRequest` */
export const readUnsigned = (hex: string, groups: number): ReadUnsigned => {
  const unsigned = decodedOf(hex);
  const fromGroup = fromGroupOf(unsigned, groups);
  if (fromGroup === undefined) throw refused('Cannot get fromGroup from inputs');
  return { unsigned, fromGroup, toGroup: toGroupOf(unsigned, groups) ?? fromGroup };
};

/** An unsigned transaction as the API shows it, its inputs looked up in the index (protocol 08 §5.6). */
export const decodedTransaction = async (
  snapshot: Snapshot,
  { unsigned, fromGroup, toGroup }: ReadUnsigned,
): Promise<DecodedAnswer> => {
  const hash = transactionId(unsigned);
  // Of an unknown output nothing is said, not even the address that the unlock script shows.
  const inputs = inputRowsOf({ unsigned, contractInputs: [] }).map((row) => ({ ...row, signer: undefined }));
  const spent = await outputsByKey(
    snapshot,
    inputs.map(({ key }) => key),
  );
  const outputs = outputRowsOf({ unsigned, generatedOutputs: [] }, hash);
  return {
    fromGroup,
    toGroup,
    unsignedTx: {
      hash,
      version: unsigned.version,
      networkId: unsigned.networkId,
      scriptOpt: unsigned.script ? bytesToHex(encode(statefulScriptCodec, unsigned.script)) : null,
      gasAmount: unsigned.gasAmount,
      gasPrice: unsigned.gasPrice.toString(),
      inputs: inputForms(inputs, spent),
      outputs: outputs.map((row) => ({
        ...assetOutputForm(row),
        tokens: tokenForms(row.tokens),
        lockTime: Number(row.lockTime ?? 0n),
      })),
    },
  };
};
