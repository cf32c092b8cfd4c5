/** Requests to a group-node about the node itself: state, synchronisation with siblings, mining. */
import { groupPayloads } from './group-request-schemas.js';
import { type ChainSelector } from './request-items.js';
import { type RequestDefinition, requestTable } from './request-definition.js';

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

export interface NodeRequests {
  'read.node.status': RequestDefinition<Record<string, never>, NodeStatusReply>;
  'read.node.report': RequestDefinition<Record<string, never>, NodeReportReply>;
  /** One for each group: receiver of the mining reward for chains to that group. */
  'read.mining.addresses': RequestDefinition<Record<string, never>, { readonly lockupScripts: readonly string[] }>;
  /** Waits (bounded by the deadline) until the node's reads include the outputs of the in-chain block (decision 16). */
  'read.view.includes': RequestDefinition<{ readonly blockHash: string }, { readonly included: boolean }>;
  'read.sync.pull': RequestDefinition<PullRequest, PullReply>;
  'command.mining.mine-one': RequestDefinition<ChainSelector, { readonly blockHash: string }>;
  /** Mines in rounds over the own chains, as with `MINING=interval`, until `stop`. Both are idempotent. */
  'command.mining.start': RequestDefinition<Record<string, never>, Record<string, never>>;
  'command.mining.stop': RequestDefinition<Record<string, never>, Record<string, never>>;
  /** Applies until the process ends. */
  'command.mining.set-addresses': RequestDefinition<
    { readonly lockupScripts: readonly string[] },
    Record<string, never>
  >;
}

const payloads = groupPayloads;

export const nodeRequests = requestTable<NodeRequests>({
  'read.node.status': {
    senders: ['gateway', 'wallet-service', 'group-node'],
    deadlineMs: 1_000,
    schema: payloads.nothing,
  },
  'read.node.report': { senders: ['operator', 'gateway'], deadlineMs: 2_000, schema: payloads.nothing },
  'read.mining.addresses': { senders: ['gateway'], deadlineMs: 2_000, schema: payloads.nothing },
  'read.view.includes': { senders: ['gateway', 'wallet-service'], deadlineMs: 2_000, schema: payloads.blockHash },
  'read.sync.pull': { senders: ['group-node', 'explorer', 'operator'], deadlineMs: 5_000, schema: payloads.pull },
  'command.mining.mine-one': { senders: ['gateway'], deadlineMs: 10_000, schema: payloads.chain },
  'command.mining.start': { senders: ['gateway'], deadlineMs: 2_000, schema: payloads.nothing },
  'command.mining.stop': { senders: ['gateway'], deadlineMs: 2_000, schema: payloads.nothing },
  'command.mining.set-addresses': { senders: ['gateway'], deadlineMs: 2_000, schema: payloads.lockupScripts },
});
