/** Pulls of followers of the explorer feed (protocol 09 §4). Plain JSON; errors are those of `feedErrors`. */
import { type ErrorData } from '@shardnode/core/errors';
import { feedPayloads } from './feed-request-schemas.js';
import {
  type BlockRef,
  type ChainHead,
  type ContractStateForm,
  type SentBlock,
  type FeedPlace,
  type FeedVal,
  type PoolTx,
} from './feed-types.js';
import { requestTable, type RequestDefinition, type ServiceName } from './request-definition.js';

export interface FeedInfo {
  readonly v: 1;
  readonly group: number;
  readonly groups: number;
  readonly networkId: number;
  /** Hashes of the genesis blocks of the chains (group, 0), (group, 1), ... */
  readonly genesis: readonly string[];
  readonly epoch: string;
  readonly version: string;
  readonly synced: boolean;
  /** Height in the chain (group, group) from which events are stored. */
  readonly eventsFrom: number;
  readonly blockTargetTimeMs: number;
  readonly maxForkDepth: number;
  readonly coinSymbol: string;
}

export interface ChainPullRequest {
  readonly chainFrom: number;
  readonly chainTo: number;
  /** Blocks that the follower has, descending heights; empty: from genesis on. */
  readonly locators: readonly FeedPlace[];
  /** Blocks; default 200. */
  readonly limit?: number;
  /** Of the encoded reply; default 700,000. */
  readonly maxBytes?: number;
  /** Default true. */
  readonly withEvents?: boolean;
}

export interface ChainPullReply {
  readonly epoch: string;
  readonly chainFrom: number;
  readonly chainTo: number;
  /** The first canonical locator; null: `blocks` starts with genesis. */
  readonly fork: FeedPlace | null;
  readonly blocks: readonly SentBlock[];
  readonly head: BlockRef;
  /** The last of `blocks` is below `head`. */
  readonly more: boolean;
}

export interface FeedCall {
  readonly address: string;
  readonly methodIndex: number;
  readonly args?: readonly FeedVal[];
}

export type FeedCallResult =
  { readonly ok: true; readonly returns: readonly FeedVal[] } | { readonly ok: false; readonly error: string };

export interface ScriptFailure {
  /** For people; `{COIN}` and `{coin}` stand for the symbol of the coin. */
  readonly reason: string;
  /** Kind and place, as in errors of calls. */
  readonly facts: ErrorData;
}

type ContractCalls = RequestDefinition<
  { readonly calls: readonly FeedCall[] },
  { readonly results: readonly FeedCallResult[]; readonly blockHash: string }
>;

export interface FeedRequests {
  'read.info': RequestDefinition<Record<string, never>, FeedInfo>;
  'read.chain.heads': RequestDefinition<
    Record<string, never>,
    { readonly epoch: string; readonly heads: readonly ChainHead[] }
  >;
  /** Canonical blocks above the newest locator that is canonical here. `GenesisMismatch`, `NotThisGroup`. */
  'read.chain.pull': RequestDefinition<ChainPullRequest, ChainPullReply>;
  /** A block, canonical or not. `UnknownBlock`, `NotThisGroup`. */
  'read.block.get': RequestDefinition<
    { readonly hash: string; readonly withEvents?: boolean },
    { readonly block: SentBlock; readonly canonical: boolean; readonly height: number }
  >;
  /** A part of the serialized block from `offset` on, at most 524,288 bytes, base64. */
  'read.block.chunk': RequestDefinition<
    { readonly hash: string; readonly offset: number },
    { readonly offset: number; readonly size: number; readonly data: string; readonly last: boolean }
  >;
  /** Pending transactions of this group by id, after `after`. `seq`: of the last change that the list contains. */
  'read.pool.list': RequestDefinition<
    { readonly after?: string },
    {
      readonly epoch: string;
      readonly seq: number;
      readonly transactions: readonly PoolTx[];
      readonly more: boolean;
      readonly size: number;
    }
  >;
  /** In the state that the node builds on. `UnknownContract`, `NotThisGroup`. */
  'read.contract.state': RequestDefinition<{ readonly address: string }, ContractStateForm>;
  /** Each call starts from the state after `blockHash`; one that fails does not fail the others. */
  'read.feed.contract-calls': ContractCalls;
  /**
   * The name of `read.feed.contract-calls` in the version before, for explorers of that version during an upgrade. It goes
   * with the next version.
   */
  'read.contract.calls': ContractCalls;
  /**
   * Why a transaction of a block of (group, group) has a script that failed, by running the block again. `UnknownBlock`,
   * `NotThisGroup`.
   */
  'read.transaction.failure': RequestDefinition<
    { readonly blockHash: string; readonly txId: string },
    { readonly failure: ScriptFailure | null }
  >;
}

export type FeedRequestName = keyof FeedRequests;

const payloads = feedPayloads;
const senders: readonly ServiceName[] = ['explorer'];

/** Deadlines: protocol 09 §2. */
export const feedRequests = requestTable<FeedRequests>({
  'read.info': { senders, deadlineMs: 2_000, schema: payloads.nothing },
  'read.chain.heads': { senders, deadlineMs: 2_000, schema: payloads.nothing },
  'read.chain.pull': { senders, deadlineMs: 5_000, schema: payloads.chainPull },
  'read.block.get': { senders, deadlineMs: 5_000, schema: payloads.block },
  'read.block.chunk': { senders, deadlineMs: 5_000, schema: payloads.chunk },
  'read.pool.list': { senders, deadlineMs: 5_000, schema: payloads.pool },
  'read.contract.state': { senders, deadlineMs: 5_000, schema: payloads.contract },
  'read.feed.contract-calls': { senders, deadlineMs: 15_000, schema: payloads.calls },
  'read.contract.calls': { senders, deadlineMs: 15_000, schema: payloads.calls },
  'read.transaction.failure': { senders, deadlineMs: 15_000, schema: payloads.failure },
});
