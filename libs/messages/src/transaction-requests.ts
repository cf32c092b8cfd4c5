/** Requests to a group-node about transactions and the mempool. */
import { groupPayloads } from './group-request-schemas.js';
import { type ChainSelector } from './request-items.js';
import { type RequestDefinition, requestTable } from './request-definition.js';

export interface OptionalChain {
  readonly from?: number;
  readonly to?: number;
}
/** Why an acknowledged transaction left the mempool unmined (decision 12). */
interface DropReason {
  readonly code: string;
  readonly detail: string;
  readonly conflictingTxId?: string;
}
export type TransactionStatusReply =
  | {
      readonly type: 'Confirmed';
      readonly blockHash: string;
      readonly txIndex: number;
      readonly chainFrom: number;
      readonly chainTo: number;
      readonly chainConfirmations: number;
      readonly fromGroupConfirmations: number;
      readonly toGroupConfirmations: number;
    }
  | { readonly type: 'MemPooled'; readonly chainFrom: number; readonly chainTo: number }
  | { readonly type: 'TxNotFound'; readonly reason?: DropReason };
export interface TransactionDetailsReply {
  /** Full transaction as in its block. */
  readonly transaction: Uint8Array;
  readonly blockHash: string;
  readonly txIndex: number;
}
/** A pending transaction at its own group, the group of its inputs. */
export interface PendingItem extends ChainSelector {
  /** Encoded transaction template. */
  readonly template: Uint8Array;
}
export interface SubmitReply {
  readonly txId: string;
  readonly fromGroup: number;
  readonly toGroup: number;
}

export interface TransactionRequests {
  'read.transaction.status': RequestDefinition<OptionalChain & { readonly txId: string }, TransactionStatusReply>;
  'read.transaction.details': RequestDefinition<OptionalChain & { readonly txId: string }, TransactionDetailsReply>;
  /**
   * Outgoing transactions in the order of the pool, with `to` those to one group; a page is bounded in bytes, and by
   * `maxBytes` if that is less: continue at `offset` plus the number received.
   */
  'read.mempool.list': RequestDefinition<
    { readonly offset?: number; readonly limit?: number; readonly to?: number; readonly maxBytes?: number },
    { readonly transactions: readonly PendingItem[]; readonly total: number }
  >;
  /**
   * `template`: encoded transaction template. Replies when the transaction is durable (and, with instant mining,
   * mined).
   */
  'command.mempool.submit': RequestDefinition<{ readonly template: Uint8Array }, SubmitReply>;
  /**
   * Announces it to the group of its receivers again; `not-found` if no outgoing transaction with this id is pending.
   */
  'command.mempool.rebroadcast': RequestDefinition<{ readonly txId: string }, Record<string, never>>;
  /** Validates all outgoing transactions; refused ones leave the mempool with their reason. */
  'command.mempool.validate': RequestDefinition<Record<string, never>, { readonly removed: number }>;
  /** Removes all transactions, also queued ones and those from other groups. Stores no reason. */
  'command.mempool.clear': RequestDefinition<Record<string, never>, { readonly removed: number }>;
}

const payloads = groupPayloads;

export const transactionRequests = requestTable<TransactionRequests>({
  'read.transaction.status': { senders: ['gateway', 'explorer'], deadlineMs: 5_000, schema: payloads.transactionId },
  'read.transaction.details': { senders: ['gateway', 'explorer'], deadlineMs: 5_000, schema: payloads.transactionId },
  'read.mempool.list': { senders: ['gateway', 'explorer'], deadlineMs: 5_000, schema: payloads.page },
  'command.mempool.submit': { senders: ['gateway', 'wallet-service'], deadlineMs: 10_000, schema: payloads.template },
  'command.mempool.rebroadcast': { senders: ['gateway'], deadlineMs: 5_000, schema: payloads.pendingId },
  'command.mempool.validate': { senders: ['gateway'], deadlineMs: 10_000, schema: payloads.nothing },
  'command.mempool.clear': { senders: ['gateway'], deadlineMs: 10_000, schema: payloads.nothing },
});
