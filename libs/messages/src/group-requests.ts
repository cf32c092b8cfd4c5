/**
 * Requests to a group-node. Block bodies, headers and transactions are bytes; hashes and scripts lower-case
 * hexadecimal; amounts (attoCoin, u256) and 64-bit times decimal text; the rest JSON. Request and reply have one type
 * each. The table `groupRequests` has patterns, sender permissions and deadlines.
 */
import { type UnminablePolicy } from '@shardnode/protocol/building';
import { contractRequests, type ContractRequests, type EventItem } from './contract-requests.js';
import { groupPayloads } from './group-request-schemas.js';
import { feedRequests, type FeedRequests } from './feed-requests.js';
import { type BuiltTransaction, type OutputToSpend, type TokenAmount } from './request-items.js';
import { requestTable, type RequestDefinition } from './request-definition.js';

export { type UnminablePolicy } from '@shardnode/protocol/building';

export interface ChainSelector {
  readonly from: number;
  readonly to: number;
}
export interface OptionalChain {
  readonly from?: number;
  readonly to?: number;
}
export interface BlockReply {
  readonly block: Uint8Array;
  readonly height: number;
  readonly isCanonical: boolean;
  /** Only if requested. */
  readonly events?: readonly EventItem[];
}
export interface HeaderReply {
  readonly header: Uint8Array;
  readonly height: number;
  readonly isCanonical: boolean;
}
export interface ChainBlocks extends ChainSelector {
  readonly blocks: readonly Pick<BlockReply, 'block' | 'height' | 'events'>[];
}
/**
 * Bytes of blocks and events in one reply to `read.chain.blocks`. Their JSON has at least twice as many characters, and
 * an answer of the gateway at most 8 MiB.
 */
export const mostBytesOfBlocks = 4 * 1024 * 1024;
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
export interface BalanceReply {
  readonly balance: string;
  readonly lockedBalance: string;
  readonly tokenBalances: readonly TokenAmount[];
  readonly lockedTokenBalances: readonly TokenAmount[];
  readonly utxoNum: number;
}
export interface UtxoItem {
  readonly hint: number;
  readonly key: string;
  readonly amount: string;
  readonly tokens: readonly TokenAmount[];
  /** Milliseconds, decimal text. */
  readonly lockTime: string;
  readonly additionalData: string;
}
/** Position in a walk over the outputs of an address. */
export interface UtxoPosition {
  readonly amount: string;
  readonly key: string;
}
/**
 * The parts of a walk, in this order, so that outputs stored during the walk are not missed: pending ones (blocks and
 * mempool, by output reference), then stored ones without and with a token, by amount and key.
 */
export type UtxoPart = 'pending' | 'plain' | 'bearing';
export interface AddressRequest {
  /** Encoded lockup script, hex. */
  readonly lockupScript: string;
}
export interface DestinationItem {
  /** Encoded asset lockup script, hex. */
  readonly lockupScript: string;
  readonly amount: string;
  readonly tokens: readonly TokenAmount[];
  readonly lockTime?: string;
  /** Hex. */
  readonly message?: string;
}
export interface BuildTransferRequest {
  /** Encoded scripts of the sender, hex. */
  readonly lockupScript: string;
  readonly unlockScript: string;
  readonly destinations: readonly DestinationItem[];
  readonly gasAmount?: number;
  readonly gasPrice?: string;
  readonly utxos?: readonly OutputToSpend[];
  readonly targetBlockHash?: string;
  /** `document`: Rule R of protocol 02 §2.5; `reference`: Rule E. */
  readonly gasFormula: 'document' | 'reference';
  /** Absent: `refuse`. */
  readonly unminable?: UnminablePolicy;
}
export interface BuildSweepRequest {
  /** Encoded scripts of the sender, hex. */
  readonly lockupScript: string;
  readonly unlockScript: string;
  /** Encoded asset lockup script, hex. */
  readonly destination: string;
  /** Only outputs below it are swept. */
  readonly maxAmountPerUtxo?: string;
  /** Milliseconds, decimal text. */
  readonly lockTime?: string;
  /** Of each transaction. */
  readonly gasAmount?: number;
  readonly gasPrice?: string;
  readonly targetBlockHash?: string;
  /** Absent: `refuse`. */
  readonly unminable?: UnminablePolicy;
}
/** Outputs that a sweep leaves at the address although they were asked for, and why. */
export interface UnsweptOutputs {
  /** `LockedUtxo`, or the name of the refusal of a sweep of them alone. */
  readonly code: string;
  /** With the placeholders of the coin's names. */
  readonly detail: string;
  /** The first end of a lock, milliseconds since 1970, as digits. */
  readonly spendableAt?: string;
}
export interface SweepReply {
  /** Empty if there is nothing to sweep. */
  readonly transactions: readonly BuiltTransaction[];
  readonly fromGroup: number;
  readonly toGroup: number;
  /** Outputs remain: submit these transactions, then repeat the request. */
  readonly more: boolean;
  readonly left?: UnsweptOutputs;
}
export interface SourceItem {
  /** Encoded scripts of the sender, hex. */
  readonly lockupScript: string;
  readonly unlockScript: string;
  readonly destinations: readonly DestinationItem[];
  readonly gasAmount?: number;
  readonly utxos?: readonly OutputToSpend[];
}
export interface BuildManySendersRequest {
  readonly sources: readonly SourceItem[];
  readonly gasPrice?: string;
  readonly targetBlockHash?: string;
  /** Absent: `refuse`. */
  readonly unminable?: UnminablePolicy;
}
export interface SubmitReply {
  readonly txId: string;
  readonly fromGroup: number;
  readonly toGroup: number;
}
export interface PullRequest {
  /** Group of the requester, which determines bodies or headers (architecture, section 3). */
  readonly asker: number;
  readonly chain: ChainSelector;
  /** Canonical hashes of the requester, ascending heights (protocol 03 §13.1). */
  readonly locator: readonly string[];
}
export interface PullReply {
  /** All branches above the last common height, ascending, at most 51 heights; raw blocks or headers. */
  readonly items: readonly Uint8Array[];
  readonly kind: 'blocks' | 'headers';
  /** Highest height of the chain at the responder. */
  readonly maxHeight: number;
  /** More heights exist after this page: request the next page. */
  readonly more: boolean;
  /** Canonical hash at the last height of this page; the locator of the next page. */
  readonly last?: string;
  /**
   * The responder's clock, milliseconds since 1970, decimal text. So the requester can detect a wrong clock before it
   * is synced.
   */
  readonly sentAt: string;
}

/** A block on which a sibling builds and that a group-node does not have. */
export interface SplitReport {
  /** The sibling that builds on it. */
  readonly sibling: number;
  /** Hash of the block, and the groups of its chain. */
  readonly block: string;
  readonly from: number;
  readonly to: number;
  /** The rule that refuses it; `missing`: no sibling sends it; `undecided`: a fault of the group-node. */
  readonly cause: string;
}

export interface NodeStatusReply {
  readonly group: number;
  readonly synced: boolean;
  /** Reason why it is not synced, for people. */
  readonly reason?: string;
  /** Milliseconds by which its clock is ahead of its siblings', if that is the reason (00-decisions, 31). */
  readonly clockOffset?: number;
  /** The block, if a split is the reason. */
  readonly split?: SplitReport;
  readonly mempoolSize: number;
  /**
   * While not synced: number of blocks that its siblings have announced and it lacks, and for how many milliseconds.
   */
  readonly blocksBehind?: number;
  readonly behindForMs?: number;
}

/** Health of a service: content of `/health/ready`, with its version and the uptime of its process. */
export interface ReportedHealth {
  readonly ready: boolean;
  readonly reasons: readonly string[];
  readonly problems: readonly {
    readonly [field: string]: string | number | undefined;
    readonly check: string;
    readonly reason: string;
    readonly action?: string;
    readonly since: string;
    readonly seconds: number;
  }[];
  readonly version: string;
  readonly uptimeSeconds: number;
}

/** Report of a node, for comparison with its siblings. */
export interface NodeReportReply extends NodeStatusReply {
  readonly networkId: number;
  /** Hashes of the genesis blocks of all chains, by flat index: nodes with different ones are of different networks. */
  readonly genesis: readonly string[];
  /** Heights of the heaviest tips of all chains, by flat index. */
  readonly heights: readonly number[];
  /** Blocks and headers that wait for dependencies. */
  readonly buffered: number;
  /** The node's clock, milliseconds since 1970, decimal text. */
  readonly clock: string;
  /** Number of tips of all chains, by flat index. This and the following fields are absent from older versions. */
  readonly tips?: readonly number[];
  readonly mempool?: {
    readonly size: number;
    readonly capacity: number;
    /** Age of the oldest transaction; 0 when there is none. */
    readonly oldestSeconds: number;
  };
  readonly siblings?: readonly SiblingReport[];
  readonly health?: ReportedHealth;
}

/** State of a sibling as seen by a group-node. */
export interface SiblingReport {
  readonly group: number;
  /** Number of missing blocks of the sibling's chains that it has announced. */
  readonly blocksBehind: number;
  /** Seconds for which some of its blocks have been missing; 0: none is. */
  readonly behindForSeconds: number;
  /** Seconds since its last message; absent: none yet. */
  readonly silentForSeconds?: number;
  /** The node's clock minus the sibling's in milliseconds; absent while unknown. */
  readonly clockOffsetMs?: number;
}

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

/** A pending transaction at its own group, the group of its inputs. */
export interface PendingItem extends ChainSelector {
  /** Encoded transaction template. */
  readonly template: Uint8Array;
}

export interface GroupRequests extends ContractRequests, FeedRequests {
  'read.node.status': RequestDefinition<Record<string, never>, NodeStatusReply>;
  'read.node.report': RequestDefinition<Record<string, never>, NodeReportReply>;
  'read.chain.info': RequestDefinition<ChainSelector, { readonly currentHeight: number }>;
  'read.chain.hashes': RequestDefinition<
    ChainSelector & { readonly height: number },
    { readonly hashes: readonly string[] }
  >;
  /**
   * `AnswerTooLarge` when the block has more than `maxBytes`, or its events have. Without it a block is never refused, and
   * events are above `mostBytesOfBlocks`.
   */
  'read.chain.block': RequestDefinition<
    { readonly hash: string; readonly withEvents?: boolean; readonly maxBytes?: number },
    BlockReply
  >;
  'read.chain.header': RequestDefinition<{ readonly hash: string }, HeaderReply>;
  'read.chain.is-canonical': RequestDefinition<{ readonly hash: string }, { readonly isCanonical: boolean }>;
  /**
   * Canonical blocks of the node's own 4 chains with fromTs <= timestamp <= toTs (milliseconds). `maxBytes`: of bodies
   * and events; blocks later than `until` are left out. Without `maxBytes`: `AnswerTooLarge` in place of a part, but an
   * interval of one millisecond is whole.
   */
  'read.chain.blocks': RequestDefinition<
    {
      readonly fromTs: number;
      readonly toTs: number;
      readonly withEvents?: boolean;
      readonly maxBytes?: number;
    },
    { readonly chains: readonly ChainBlocks[]; readonly until?: number }
  >;
  /** Work of the canonical blocks of the node's own 4 chains in the interval (milliseconds), decimal text. */
  'read.chain.work': RequestDefinition<{ readonly fromTs: number; readonly toTs: number }, { readonly work: string }>;
  /** Work of the heaviest tips of the node's own 4 chains, added up; decimal text. */
  'read.chain.difficulty': RequestDefinition<Record<string, never>, { readonly work: string }>;
  'read.transaction.status': RequestDefinition<OptionalChain & { readonly txId: string }, TransactionStatusReply>;
  'read.transaction.details': RequestDefinition<OptionalChain & { readonly txId: string }, TransactionDetailsReply>;
  'read.address.balance': RequestDefinition<AddressRequest & { readonly mempool: boolean }, BalanceReply>;
  'read.address.utxos': RequestDefinition<
    AddressRequest & { readonly offset?: number; readonly limit?: number },
    /** `more`: requested outputs are missing, because they are too many for one message. */
    { readonly utxos: readonly UtxoItem[]; readonly more?: true }
  >;
  /** One page of one part of the outputs of an address; `next`: position to continue after. */
  'read.address.walk': RequestDefinition<
    AddressRequest & { readonly part: UtxoPart; readonly after?: UtxoPosition },
    { readonly utxos: readonly UtxoItem[]; readonly next?: UtxoPosition }
  >;
  'read.building.transfer': RequestDefinition<BuildTransferRequest, BuiltTransaction>;
  'read.building.sweep': RequestDefinition<BuildSweepRequest, SweepReply>;
  'read.building.many-senders': RequestDefinition<BuildManySendersRequest, BuiltTransaction>;
  /**
   * Outgoing transactions in the order of the pool, with `to` those to one group; a page is bounded in bytes, and by
   * `maxBytes` if that is less: continue at `offset` plus the number received.
   */
  'read.mempool.list': RequestDefinition<
    { readonly offset?: number; readonly limit?: number; readonly to?: number; readonly maxBytes?: number },
    { readonly transactions: readonly PendingItem[]; readonly total: number }
  >;
  /** One for each group: receiver of the mining reward for chains to that group. */
  'read.mining.addresses': RequestDefinition<Record<string, never>, { readonly lockupScripts: readonly string[] }>;
  /** Waits (bounded by the deadline) until the node's reads include the outputs of the in-chain block (decision 16). */
  'read.view.includes': RequestDefinition<{ readonly blockHash: string }, { readonly included: boolean }>;
  'read.sync.pull': RequestDefinition<PullRequest, PullReply>;
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
  'command.mining.mine-one': RequestDefinition<ChainSelector, { readonly blockHash: string }>;
  /** Mines in rounds over the own chains, as with `MINING=interval`, until `stop`. Both are idempotent. */
  'command.mining.start': RequestDefinition<Record<string, never>, Record<string, never>>;
  'command.mining.stop': RequestDefinition<Record<string, never>, Record<string, never>>;
  /** Applies until the process ends. */
  'command.mining.set-addresses': RequestDefinition<
    { readonly lockupScripts: readonly string[] },
    Record<string, never>
  >;
  /** Compares the height index of the own chains with the stored headers, in the background; one check at a time. */
  'command.chain.check-index': RequestDefinition<Record<string, never>, { readonly started: boolean }>;
  /**
   * Replies once the block is stored (`added`), was known already (`known`), or waits for dependencies (`buffered`).
   */
  'command.block.submit': RequestDefinition<
    { readonly block: Uint8Array },
    { readonly outcome: 'added' | 'known' | 'buffered' }
  >;
}

export type GroupRequestName = keyof GroupRequests;

const payloads = groupPayloads;

export const groupRequests = requestTable<GroupRequests>({
  ...contractRequests,
  ...feedRequests,
  'read.node.status': {
    senders: ['gateway', 'wallet-service', 'group-node'],
    deadlineMs: 1_000,
    schema: payloads.nothing,
  },
  'read.node.report': { senders: ['operator', 'gateway'], deadlineMs: 2_000, schema: payloads.nothing },
  'read.chain.info': { senders: ['gateway', 'explorer'], deadlineMs: 2_000, schema: payloads.chain },
  'read.chain.hashes': {
    senders: ['gateway', 'explorer', 'operator'],
    deadlineMs: 2_000,
    schema: payloads.chainAndHeight,
  },
  'read.chain.block': { senders: ['gateway', 'explorer', 'operator'], deadlineMs: 5_000, schema: payloads.blockToRead },
  'read.chain.header': { senders: ['gateway', 'explorer'], deadlineMs: 5_000, schema: payloads.hash },
  'read.chain.is-canonical': { senders: ['gateway', 'explorer'], deadlineMs: 2_000, schema: payloads.hash },
  'read.chain.blocks': { senders: ['gateway', 'explorer'], deadlineMs: 5_000, schema: payloads.blocksToRead },
  'read.chain.work': { senders: ['gateway'], deadlineMs: 5_000, schema: payloads.interval },
  'read.chain.difficulty': { senders: ['gateway'], deadlineMs: 2_000, schema: payloads.nothing },
  'read.transaction.status': { senders: ['gateway', 'explorer'], deadlineMs: 5_000, schema: payloads.transactionId },
  'read.transaction.details': { senders: ['gateway', 'explorer'], deadlineMs: 5_000, schema: payloads.transactionId },
  'read.address.balance': { senders: ['gateway', 'wallet-service'], deadlineMs: 5_000, schema: payloads.balance },
  'read.address.utxos': { senders: ['gateway', 'wallet-service'], deadlineMs: 5_000, schema: payloads.outputs },
  'read.address.walk': { senders: ['gateway'], deadlineMs: 10_000, schema: payloads.walk },
  'read.building.transfer': { senders: ['gateway', 'wallet-service'], deadlineMs: 5_000, schema: payloads.transfer },
  'read.building.sweep': { senders: ['gateway', 'wallet-service'], deadlineMs: 10_000, schema: payloads.sweep },
  'read.building.many-senders': { senders: ['gateway'], deadlineMs: 5_000, schema: payloads.manySenders },
  'read.mempool.list': { senders: ['gateway', 'explorer'], deadlineMs: 5_000, schema: payloads.page },
  'read.mining.addresses': { senders: ['gateway'], deadlineMs: 2_000, schema: payloads.nothing },
  'read.view.includes': { senders: ['gateway', 'wallet-service'], deadlineMs: 2_000, schema: payloads.blockHash },
  'read.sync.pull': { senders: ['group-node', 'explorer', 'operator'], deadlineMs: 5_000, schema: payloads.pull },
  'read.inspection.block': { senders: ['gateway', 'operator'], deadlineMs: 10_000, schema: payloads.hashAndWait },
  'read.inspection.chain': { senders: ['gateway', 'operator'], deadlineMs: 10_000, schema: payloads.chainFromHeight },
  'read.inspection.state-entries': { senders: ['gateway'], deadlineMs: 10_000, schema: payloads.stateEntries },
  'read.inspection.unspent': { senders: ['gateway'], deadlineMs: 10_000, schema: payloads.outputs },
  'read.inspection.verdict': { senders: ['gateway'], deadlineMs: 10_000, schema: payloads.block },
  'read.inspection.admission': { senders: ['gateway'], deadlineMs: 10_000, schema: payloads.template },
  'command.mempool.submit': { senders: ['gateway', 'wallet-service'], deadlineMs: 10_000, schema: payloads.template },
  'command.mempool.rebroadcast': { senders: ['gateway'], deadlineMs: 5_000, schema: payloads.pendingId },
  'command.mempool.validate': { senders: ['gateway'], deadlineMs: 10_000, schema: payloads.nothing },
  'command.mempool.clear': { senders: ['gateway'], deadlineMs: 10_000, schema: payloads.nothing },
  'command.mining.start': { senders: ['gateway'], deadlineMs: 2_000, schema: payloads.nothing },
  'command.mining.stop': { senders: ['gateway'], deadlineMs: 2_000, schema: payloads.nothing },
  'command.mining.set-addresses': { senders: ['gateway'], deadlineMs: 2_000, schema: payloads.lockupScripts },
  'command.chain.check-index': { senders: ['gateway'], deadlineMs: 2_000, schema: payloads.nothing },
  'command.mining.mine-one': { senders: ['gateway'], deadlineMs: 10_000, schema: payloads.chain },
  'command.block.submit': { senders: ['gateway', 'operator'], deadlineMs: 10_000, schema: payloads.block },
});
