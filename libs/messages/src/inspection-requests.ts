/** Requests to a group-node about states and verdicts, for operators, replays and the ledger oracle. */
import { type AddressRequest, type UtxoItem } from './address-requests.js';
import { groupPayloads } from './group-request-schemas.js';
import { type ChainSelector } from './request-items.js';
import { type RequestDefinition, requestTable } from './request-definition.js';

/** A block that a node has imported, stored or not yet (`isStored`). For operators, replays and the ledger oracle. */
export interface InspectedBlock {
  readonly height: number;
  /** Accumulated weight (protocol 03 §7.2), decimal text. */
  readonly weight: string;
  /** Whether it is the canonical block at its height now. */
  readonly isCanonical: boolean;
  /** Whether it is durable and visible to all other reads. */
  readonly isStored: boolean;
  /** State after the block; only for intra-group blocks of the node's own group. */
  readonly state?: InspectedState;
  /** Best dependencies of the node's group (protocol 03 §7.6) at the same moment. */
  readonly bestDependencies: readonly string[];
}
/** Roots of a world state (protocol 04 §3.4). */
export interface InspectedState {
  readonly outputRoot: string;
  readonly contractRoot: string;
  readonly codeRoot: string;
}
export interface InspectedChain {
  readonly maxHeight: number;
  /** Height of the heaviest tip. */
  readonly currentHeight: number;
  readonly tips: readonly string[];
  /** Heights with more than one block, ascending; canonical hash first. */
  readonly forks: readonly { readonly height: number; readonly hashes: readonly string[] }[];
  /** First height of the next page: a page ends after 10,000 heights. */
  readonly next?: number;
}
export interface StateEntry {
  /** Key and value in the output trie, hex. */
  readonly key: string;
  readonly value: string;
}
/** `code` and `detail` name the violated rule; a `fault` is neither valid nor invalid. */
export interface VerdictReply {
  readonly verdict: 'valid' | 'refused' | 'fault';
  readonly code?: string;
  readonly detail?: string;
  /** The refused transaction of the block, and the name of the violated rule, with its reason in parentheses. */
  readonly transactionId?: string;
  readonly reason?: string;
}

export interface InspectionRequests {
  /**
   * Waits up to `waitMs` (at most 8,000) for the import of the block. Replies with the state right after the import;
   * `not-found` after the wait.
   */
  'read.inspection.block': RequestDefinition<{ readonly hash: string; readonly waitMs?: number }, InspectedBlock>;
  /** Stores imported blocks first, so that the reply includes them. */
  'read.inspection.chain': RequestDefinition<ChainSelector & { readonly fromHeight?: number }, InspectedChain>;
  /**
   * Entries of the output trie of an own intra-group block below a prefix of the key (hex), ascending; `limit` at most
   * 2,000. If not `complete`: request the 256 prefixes that are one byte longer.
   */
  'read.inspection.state-entries': RequestDefinition<
    { readonly hash: string; readonly prefix: string; readonly limit?: number },
    { readonly entries: readonly StateEntry[]; readonly complete: boolean }
  >;
  /** Unspent outputs without the mempool, `limit` at most 2,000; imported blocks are stored first. */
  'read.inspection.unspent': RequestDefinition<
    AddressRequest & { readonly offset?: number; readonly limit?: number },
    { readonly utxos: readonly UtxoItem[]; readonly total: number }
  >;
  /** The verdict of validation on a block of an own chain. Does not add the block. */
  'read.inspection.verdict': RequestDefinition<{ readonly block: Uint8Array }, VerdictReply>;
  /** The verdict of mempool admission on an encoded template. Does not add the transaction. */
  'read.inspection.admission': RequestDefinition<{ readonly template: Uint8Array }, VerdictReply>;
}

const payloads = groupPayloads;

export const inspectionRequests = requestTable<InspectionRequests>({
  'read.inspection.block': { senders: ['operator'], deadlineMs: 10_000, schema: payloads.hashAndWait },
  'read.inspection.chain': { senders: ['operator'], deadlineMs: 10_000, schema: payloads.chainFromHeight },
  'read.inspection.state-entries': { senders: ['operator'], deadlineMs: 10_000, schema: payloads.stateEntries },
  'read.inspection.unspent': { senders: ['operator'], deadlineMs: 10_000, schema: payloads.outputs },
  'read.inspection.verdict': { senders: ['operator'], deadlineMs: 10_000, schema: payloads.block },
  'read.inspection.admission': { senders: ['operator'], deadlineMs: 10_000, schema: payloads.template },
});
