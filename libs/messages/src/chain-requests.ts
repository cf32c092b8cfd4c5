/** Requests to a group-node about chains and blocks. */
import { type EventItem } from './contract-requests.js';
import { groupPayloads } from './group-request-schemas.js';
import { type ChainSelector } from './request-items.js';
import { type RequestDefinition, requestTable } from './request-definition.js';

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

export interface ChainRequests {
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

const payloads = groupPayloads;

export const chainRequests = requestTable<ChainRequests>({
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
  'command.chain.check-index': { senders: ['gateway'], deadlineMs: 2_000, schema: payloads.nothing },
  'command.block.submit': { senders: ['operator'], deadlineMs: 10_000, schema: payloads.block },
});
