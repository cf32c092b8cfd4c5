import { bytesToHex } from '@shardnode/protocol/encoding';
import { type TransactionAnswer } from '../answers/transactions.js';
import { blockRowsOf } from '../blocks/block-rows.js';
import { blockOfBody } from '../blocks/side-body.js';
import { inputForms, outputForm } from '../blocks/transaction-forms.js';
import { type BlockPlace } from './block-reads.js';
import { type Page } from '../database/page.js';
import { type Snapshot } from '../database/snapshot.js';
import { outputsByKey } from './transaction-reads.js';

/**
 * Transactions of a block beside the main chain, in its order, from its body: nothing of them is spent, inputs are
 * resolved as far as their outputs are applied (protocol 08 §5.5). Empty when the body has been dropped.
 */
export const transactionsOfSideBlock = async (
  snapshot: Snapshot,
  { body, height }: BlockPlace,
  { limit, offset }: Page,
  groups: number,
): Promise<TransactionAnswer[]> => {
  if (body === undefined) return [];
  const { block, transactions } = blockRowsOf({ height, block: blockOfBody(body, groups), events: [] }, groups);
  const wanted = transactions.slice(offset, offset + limit);
  const spent = await outputsByKey(
    snapshot,
    wanted.flatMap(({ inputs }) => inputs.map(({ key }) => key)),
  );
  return wanted.map(({ hash, transaction, script, isCoinbase, inputs, outputs }, index) => ({
    hash,
    blockHash: block.hash,
    timestamp: Number(block.timestamp),
    inputs: inputForms(inputs, spent),
    outputs: outputs.map(outputForm),
    version: transaction.unsigned.version,
    networkId: transaction.unsigned.networkId,
    scriptOpt: script === undefined ? null : bytesToHex(script),
    gasAmount: transaction.unsigned.gasAmount,
    gasPrice: transaction.unsigned.gasPrice.toString(),
    scriptExecutionOk: transaction.scriptExecutionOk,
    inputSignatures: transaction.inputSignatures.map(bytesToHex),
    scriptSignatures: transaction.scriptSignatures.map(bytesToHex),
    coinbase: isCoinbase,
    chainFrom: block.chain.from,
    chainTo: block.chain.to,
    blockHeight: height,
    txOrder: offset + index,
  }));
};
