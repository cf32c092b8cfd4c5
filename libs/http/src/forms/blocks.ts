import { bytesToHex } from '@shardnode/protocol/encoding';
import { type Block, type SealedHeader } from '@shardnode/protocol/block';
import { type BlockAnswer, type BlockHeaderAnswer } from '../schemas/index.js';
import { timestampForm } from './timestamps.js';
import { type TransactionForms } from './transactions.js';

/** Header of a block with its height (protocol 07 §2.4). */
export const headerForm = (header: SealedHeader, height: number): BlockHeaderAnswer => ({
  hash: header.hash,
  timestamp: timestampForm(header.timestamp),
  chainFrom: header.chainIndex.from,
  chainTo: header.chainIndex.to,
  height,
  deps: [...header.blockDeps],
});

/** A whole block (protocol 07 §2.4). */
export const blockForm = (block: Block, height: number, forms: TransactionForms): BlockAnswer => ({
  ...headerForm(block.header, height),
  transactions: block.transactions.map(forms.transaction),
  nonce: bytesToHex(block.header.nonce),
  version: block.header.version,
  depStateHash: block.header.depStateHash,
  txsHash: block.header.txsHash,
  target: block.header.target.toString(16).padStart(8, '0'),
  ghostUncles: [],
});
