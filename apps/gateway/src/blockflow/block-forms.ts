import { type z } from 'zod';
import { bytesToHex } from '@shardnode/protocol/encoding';
import { type Block, type SealedHeader } from '@shardnode/protocol/block';
import { timestampForm } from '@shardnode/http';
import { transactionForm } from '../transactions/transaction-forms.js';
import { type BlockEntry, type BlockHeaderEntry } from './blockflow.schemas.js';

export type BlockAnswer = z.output<typeof BlockEntry>;
export type BlockHeaderAnswer = z.output<typeof BlockHeaderEntry>;

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
export const blockForm = (block: Block, height: number): BlockAnswer => ({
  ...headerForm(block.header, height),
  transactions: block.transactions.map(transactionForm),
  nonce: bytesToHex(block.header.nonce),
  version: block.header.version,
  depStateHash: block.header.depStateHash,
  txsHash: block.header.txsHash,
  target: block.header.target.toString(16).padStart(8, '0'),
  ghostUncles: [],
});
