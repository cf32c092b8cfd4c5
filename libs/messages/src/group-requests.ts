/**
 * Requests to a group-node. Bodies of blocks, headers and transactions travel as bytes; hashes and scripts as lower-case
 * hexadecimal; amounts (attoCoin, u256) and 64-bit times as decimal text; the rest as JSON. A type per side, one table
 * (`groupRequests`) for pattern, sender permission and deadline.
 */
import { type UnminablePolicy } from '@shardnode/protocol/building';
import { contractRequests, type ContractRequests, type EventItem } from './contract-requests.js';
import { groupPayloads } from './group-request-schemas.js';
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
  /** If they were asked for. */
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
/** Where a walk over the stored outputs of an address stands. */
export interface UtxoPosition {
  readonly amount: string;
  readonly key: string;
}
/**
 * The parts of a walk, in this order, so that no output is missed that is stored meanwhile: what waits to be stored (blocks
 * and mempool, by output reference), then stored ones without and with a token, by amount and key.
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
export interface SweepReply {
  /** None when there is nothing to sweep. */
  readonly transactions: readonly BuiltTransaction[];
  readonly fromGroup: number;
  readonly toGroup: number;
  /** Outputs are left over: submit these transactions, then ask again. */
  readonly more: boolean;
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
  /** Who asks: decides between bodies and headers (architecture, section 3). */
  readonly asker: number;
  readonly chain: ChainSelector;
  /** Canonical hashes of the asker, ascending heights (protocol 03 §13.1). */
  readonly locator: readonly string[];
}
export interface PullReply {
  /** All branches above the last common height, ascending, at most 51 heights; raw blocks or headers. */
  readonly items: readonly Uint8Array[];
  readonly kind: 'blocks' | 'headers';
  /** Highest height of the chain at the answerer. */
  readonly maxHeight: number;
  /** The heights after the last one of this page exist: ask again. */
  readonly more: boolean;
  /** Canonical hash at the last height of this page: as a locator it asks for the page after it. */
  readonly last?: string;
  /** The answerer's clock, milliseconds since 1970, decimal text: so the asker knows before it is synced whether its own is off. */
  readonly sentAt: string;
}
export interface NodeStatusReply {
  readonly group: number;
  readonly synced: boolean;
  /** Why it is not synced, for people. */
  readonly reason?: string;
  /** Milliseconds that its clock is ahead of its siblings', when that is the reason (00-decisions, 31). */
  readonly clockOffset?: number;
  readonly mempoolSize: number;
  /** While it is not synced: blocks that its siblings have told of and it lacks, and for how many milliseconds. */
  readonly blocksBehind?: number;
  readonly behindForMs?: number;
}

/** What a service says of its own health: that of `/health/ready`, with its version and the uptime of its process. */
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

/** A node as an operator compares it with its siblings. */
export interface NodeReportReply extends NodeStatusReply {
  readonly networkId: number;
  /** Hashes of the first blocks of all chains, by flat index: two nodes with other ones are of two networks. */
  readonly genesis: readonly string[];
  /** Heights of the heaviest tips of all chains, by flat index. */
  readonly heights: readonly number[];
  /** Blocks and headers that wait for dependencies. */
  readonly buffered: number;
  /** The node's clock, milliseconds since 1970, decimal text. */
  readonly clock: string;
  /** Tips of all chains, how many, by flat index; this and what follows is absent from older versions. */
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

/** How a group-node and one of its siblings stand to each other, as the group-node sees it. */
export interface SiblingReport {
  readonly group: number;
  /** Blocks of the sibling's chains that it has told of and that are missing. */
  readonly blocksBehind: number;
  /** For how long something of it has been missing; 0: nothing is. */
  readonly behindForSeconds: number;
  /** Since it was heard; absent: never. */
  readonly silentForSeconds?: number;
  /** The node's clock minus the sibling's, milliseconds; absent while it is not known. */
  readonly clockOffsetMs?: number;
}

/** What a node has imported, also what is not stored yet (`isStored`). For operators, replays and the ledger oracle. */
export interface InspectedBlock {
  readonly height: number;
  /** Accumulated weight (protocol 03 §7.2), decimal text. */
  readonly weight: string;
  /** First at its height now. */
  readonly isCanonical: boolean;
  /** Durable, and seen by all other reads. */
  readonly isStored: boolean;
  /** Of intra-group blocks of the node's own group. */
  readonly state?: InspectedState;
  /** Of the node's group (protocol 03 §7.6), of the same moment. */
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
  /** Ask again from this height: a page ends after 10,000 heights. */
  readonly next?: number;
}
export interface StateEntry {
  /** Key and value in the output trie, hex. */
  readonly key: string;
  readonly value: string;
}
/** `code` and `detail` name the rule that refuses; a `fault` is neither valid nor invalid. */
export interface VerdictReply {
  readonly verdict: 'valid' | 'refused' | 'fault';
  readonly code?: string;
  readonly detail?: string;
  /** The transaction of the block that is refused, and the name of its rule, with its own reason in parentheses. */
  readonly transactionId?: string;
  readonly reason?: string;
}

/** A transaction that waits at its own group, the group of its inputs. */
export interface PendingItem extends ChainSelector {
  /** Encoded transaction template. */
  readonly template: Uint8Array;
}

export interface GroupRequests extends ContractRequests {
  'read.node.status': RequestDefinition<Record<string, never>, NodeStatusReply>;
  'read.node.report': RequestDefinition<Record<string, never>, NodeReportReply>;
  'read.chain.info': RequestDefinition<ChainSelector, { readonly currentHeight: number }>;
  'read.chain.hashes': RequestDefinition<
    ChainSelector & { readonly height: number },
    { readonly hashes: readonly string[] }
  >;
  'read.chain.block': RequestDefinition<{ readonly hash: string; readonly withEvents?: boolean }, BlockReply>;
  'read.chain.header': RequestDefinition<{ readonly hash: string }, HeaderReply>;
  'read.chain.is-canonical': RequestDefinition<{ readonly hash: string }, { readonly isCanonical: boolean }>;
  /** Canonical blocks of the node's own 4 chains with fromTs <= timestamp <= toTs (milliseconds). */
  'read.chain.blocks': RequestDefinition<
    { readonly fromTs: number; readonly toTs: number; readonly withEvents?: boolean },
    { readonly chains: readonly ChainBlocks[] }
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
    /** `more`: outputs that were asked for are left out, because they are too many for one message. */
    { readonly utxos: readonly UtxoItem[]; readonly more?: true }
  >;
  /** One page of one part of the outputs of an address; `next`: go on after it. */
  'read.address.walk': RequestDefinition<
    AddressRequest & { readonly part: UtxoPart; readonly after?: UtxoPosition },
    { readonly utxos: readonly UtxoItem[]; readonly next?: UtxoPosition }
  >;
  'read.building.transfer': RequestDefinition<BuildTransferRequest, BuiltTransaction>;
  'read.building.sweep': RequestDefinition<BuildSweepRequest, SweepReply>;
  'read.building.many-senders': RequestDefinition<BuildManySendersRequest, BuiltTransaction>;
  /** Outgoing transactions in the order of the pool; a page is bounded in bytes: go on at `offset` plus what came. */
  'read.mempool.list': RequestDefinition<
    { readonly offset?: number; readonly limit?: number },
    { readonly transactions: readonly PendingItem[]; readonly total: number }
  >;
  /** One for each group: who is paid for blocks of the chains that lead there. */
  'read.mining.addresses': RequestDefinition<Record<string, never>, { readonly lockupScripts: readonly string[] }>;
  /** Waits (bounded by the deadline) until the node shows the outputs of the in-chain block: decision 16's promise. */
  'read.view.includes': RequestDefinition<{ readonly blockHash: string }, { readonly included: boolean }>;
  'read.sync.pull': RequestDefinition<PullRequest, PullReply>;
  /** Waits up to `waitMs` (at most 8,000) for the import of the block, and answers as of right after it; `not-found` then. */
  'read.inspection.block': RequestDefinition<{ readonly hash: string; readonly waitMs?: number }, InspectedBlock>;
  /** What is imported is stored first, so that the answer shows it. */
  'read.inspection.chain': RequestDefinition<ChainSelector & { readonly fromHeight?: number }, InspectedChain>;
  /**
   * Entries of the output trie of an own intra-group block below a prefix of the key (hex), ascending; `limit` at most
   * 2,000. Not `complete`: ask for the 256 prefixes that are a byte longer.
   */
  'read.inspection.state-entries': RequestDefinition<
    { readonly hash: string; readonly prefix: string; readonly limit?: number },
    { readonly entries: readonly StateEntry[]; readonly complete: boolean }
  >;
  /** Unspent outputs without the mempool, `limit` at most 2,000; what is imported is stored first. */
  'read.inspection.unspent': RequestDefinition<
    AddressRequest & { readonly offset?: number; readonly limit?: number },
    { readonly utxos: readonly UtxoItem[]; readonly total: number }
  >;
  /** The verdict of validation on a block of an own chain; it is not added. */
  'read.inspection.verdict': RequestDefinition<{ readonly block: Uint8Array }, VerdictReply>;
  /** The verdict of mempool admission on an encoded template; it is not added. */
  'read.inspection.admission': RequestDefinition<{ readonly template: Uint8Array }, VerdictReply>;
  /** `template`: encoded transaction template. Answers when the transaction is durable (and, with instant mining, mined). */
  'command.mempool.submit': RequestDefinition<{ readonly template: Uint8Array }, SubmitReply>;
  /** Announces it to the group of its receivers again; `not-found` when no outgoing one with this id waits. */
  'command.mempool.rebroadcast': RequestDefinition<{ readonly txId: string }, Record<string, never>>;
  /** Judges all outgoing ones; those that validation refuses leave with their reason. */
  'command.mempool.validate': RequestDefinition<Record<string, never>, { readonly removed: number }>;
  /** Removes all, also those that wait for a turn or come from other groups; no reason is kept. */
  'command.mempool.clear': RequestDefinition<Record<string, never>, { readonly removed: number }>;
  'command.mining.mine-one': RequestDefinition<ChainSelector, { readonly blockHash: string }>;
  /** Rounds over the own chains, as `MINING=interval` makes them, until `stop`. Both may be repeated. */
  'command.mining.start': RequestDefinition<Record<string, never>, Record<string, never>>;
  'command.mining.stop': RequestDefinition<Record<string, never>, Record<string, never>>;
  /** Until the process ends. */
  'command.mining.set-addresses': RequestDefinition<
    { readonly lockupScripts: readonly string[] },
    Record<string, never>
  >;
  /** Compares the height index of the own chains with the stored headers, in the background; one check at a time. */
  'command.chain.check-index': RequestDefinition<Record<string, never>, { readonly started: boolean }>;
  /** Answers once the block is stored (`added`), was there already (`known`), or waits for dependencies (`buffered`). */
  'command.block.submit': RequestDefinition<
    { readonly block: Uint8Array },
    { readonly outcome: 'added' | 'known' | 'buffered' }
  >;
}

export type GroupRequestName = keyof GroupRequests;

const payloads = groupPayloads;

export const groupRequests = requestTable<GroupRequests>({
  ...contractRequests,
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
