import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Block } from '@shardnode/protocol/block';
import { decode, encode, hexToBytes } from '@shardnode/protocol/encoding';
import { type Hash } from '@shardnode/protocol/primitives';
import {
  chainIndexOf,
  transactionId,
  type TransactionTemplate,
  transactionTemplateCodec,
  unsignedTransactionCodec,
} from '@shardnode/protocol/transaction';
import { type History, type ReplayTarget } from '@shardnode/testing/replay';
import { type PoolTransaction } from '../../src/index.js';

interface RecordedPending {
  readonly unsignedTx: string;
  readonly signature?: string;
  readonly signatures?: readonly string[];
}

/** The signed transactions of `pending.json`. */
const recordedTemplates = (path: string): TransactionTemplate[] =>
  (JSON.parse(readFileSync(path, 'utf8')) as readonly RecordedPending[]).map(
    ({ unsignedTx, signature, signatures = signature === undefined ? [] : [signature] }) => ({
      unsigned: decode(unsignedTransactionCodec, hexToBytes(unsignedTx)),
      inputSignatures: signatures.map(hexToBytes),
      scriptSignatures: [],
    }),
  );

/** Transactions of blocks, without their coinbases. */
const templatesOf = (blocks: readonly Block[]): TransactionTemplate[] =>
  blocks.flatMap(({ transactions }) =>
    transactions.slice(0, -1).map(({ unsigned, inputSignatures, scriptSignatures }) => ({
      unsigned,
      inputSignatures,
      scriptSignatures,
    })),
  );

/** A moment of a history. */
export interface Moment {
  readonly history: History;
  readonly node: ReplayTarget;
  /** Blocks that are not on the main chains. */
  readonly sideBlocks: readonly Block[];
  /** Those of them that the explorer has just undone. */
  readonly undone: readonly Block[];
  /** Whether all blocks are imported. */
  readonly isLast: boolean;
  /** Whether the recorded explorer has ever seen the transaction pending. */
  readonly wasSeen: (id: Hash) => boolean;
}

const isAdmitted = async (node: ReplayTarget, template: TransactionTemplate): Promise<boolean> =>
  (await node.checkAdmission!(encode(transactionTemplateCodec, template))) === undefined;

const admittedOf = async (node: ReplayTarget, templates: readonly TransactionTemplate[]) => {
  const flags = await Promise.all(templates.map((template) => isAdmitted(node, template)));
  return templates.filter((_, i) => flags[i]);
};

/**
 * Pending transactions at a moment. Forks give them back: those that the node admits, and of those that were undone just
 * now the ones that the recorded mempool still had. At the end also those that come with the history.
 */
export const pendingTemplates = async (moment: Moment): Promise<readonly TransactionTemplate[]> => {
  const { history, node, sideBlocks, undone, isLast, wasSeen } = moment;
  const path = join(history.folder, 'pending.json');
  const recorded = isLast && existsSync(path) ? recordedTemplates(path) : [];
  const admitted = await admittedOf(node, [...recorded, ...templatesOf(sideBlocks)]);
  if (!recorded.every((template) => admitted.includes(template)))
    throw new Error(`a transaction of ${path} is refused`);
  const held = templatesOf(undone).filter(({ unsigned }) => wasSeen(transactionId(unsigned)));
  return [...admitted, ...held];
};

/** Transactions in the form of a mempool. @param seenAt milliseconds since 1970, by the id of a transaction */
export const poolOf = (
  templates: readonly TransactionTemplate[],
  groups: number,
  seenAt: (id: Hash) => number,
): PoolTransaction[] => {
  const pool = new Map<Hash, PoolTransaction>();
  for (const template of templates) {
    const txId = transactionId(template.unsigned);
    const chain = chainIndexOf(template.unsigned, groups);
    if (chain) pool.set(txId, { txId, chain, template, seenAt: BigInt(seenAt(txId)) });
  }
  return [...pool.values()];
};
