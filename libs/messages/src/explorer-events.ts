import { z } from 'zod';
import { count, flag, group, hash, list, milliseconds, object, oneOf, text, uint256Text, upTo } from './fields.js';
import { messageSchema } from './message-schema.js';
import { type EventRow } from './peer-events.js';

/** A block as the lists of the explorer show it (protocol 08 §5.4). */
export interface LiveBlock {
  readonly hash: string;
  /** Milliseconds since 1970. */
  readonly timestamp: number;
  readonly chainFrom: number;
  readonly chainTo: number;
  readonly height: number;
  readonly txNumber: number;
  readonly mainChain: boolean;
  /** Decimal text. */
  readonly hashRate: string;
}

/** The top of a chain was replaced. */
export interface LiveReorganisation {
  readonly chainFrom: number;
  readonly chainTo: number;
  readonly forkHeight: number;
  /** Hashes, newest first. */
  readonly removed: readonly string[];
  /** Oldest first. */
  readonly added: readonly LiveBlock[];
}

export interface LivePending {
  readonly hash: string;
  readonly chainFrom: number;
  readonly chainTo: number;
  /** When the explorer saw it first, milliseconds since 1970. */
  readonly lastSeen: number;
}

/** Changes of the mempools; `overflow`: more than a message lists, and the lists are empty. */
export interface LivePendingChange {
  readonly added: readonly LivePending[];
  readonly removed: readonly string[];
  readonly overflow?: true;
}

export interface LiveStats {
  readonly totalTransactions: number;
  readonly totalBlocks: number;
  /** Of the whole network, hashes per second, decimal text. */
  readonly hashRate: string;
  readonly averageBlockTimeMs: number;
  readonly pendingCount: number;
  /** Age of the newest block, milliseconds. */
  readonly lagMs: number;
}

/** Changes of transactions of addresses: pending, in a block, or no longer in it. */
export interface LiveTransactions {
  readonly kind: 'pending' | 'confirmed' | 'reverted';
  readonly transactions: readonly { readonly hash: string; readonly addresses: readonly string[] }[];
}

/** Data of a change of the index, by its name on the stream (protocol 08 §6); `transactions` become `address` events. */
export interface LiveData {
  block: LiveBlock;
  reorg: LiveReorganisation;
  pending: LivePendingChange;
  stats: LiveStats;
  transactions: LiveTransactions;
}
export type LiveName = keyof LiveData;

/** A committed change of the explorer's index. */
export type LiveChange = {
  readonly [Name in LiveName]: {
    readonly v: 1;
    /** Identity of the writer's process. */
    readonly epoch: string;
    /** 1, 2, ... in an epoch. */
    readonly n: number;
    readonly name: Name;
    readonly data: LiveData[Name];
  };
}[LiveName];

/** Events of the explorer's writer for the processes that serve its API (protocol 08 §6). */
export interface ExplorerEvents {
  'explorer.live': LiveChange;
}
export type ExplorerEventName = keyof ExplorerEvents;

/** Entries of both lists of `pending` (protocol 08 §6). */
export const mostLivePending = 200;
/** Addresses of one message of `transactions`: it stays far below the longest message of the bus. */
export const mostLiveAddresses = 1_000;
/** Blocks of one `reorg`, removed or added. */
export const mostLiveBlocks = 1_000;
/** Characters; addresses of many keys are the longest texts. */
const longestAddress = 8_192;

const place = (groups: number) => ({ chainFrom: group(groups), chainTo: group(groups) });
const block = (groups: number) =>
  object({
    hash,
    timestamp: milliseconds,
    ...place(groups),
    height: count,
    txNumber: count,
    mainChain: flag,
    hashRate: uint256Text,
  });
const reorganisation = (groups: number) =>
  object({
    ...place(groups),
    forkHeight: count,
    removed: list(hash, mostLiveBlocks),
    added: list(block(groups), mostLiveBlocks),
  });
const pendingChange = (groups: number) =>
  object({
    added: list(object({ hash, ...place(groups), lastSeen: milliseconds }), mostLivePending),
    removed: list(hash, mostLivePending),
    overflow: z.literal(true, { error: 'expected true' }).optional(),
  });
const total = upTo(Number.MAX_SAFE_INTEGER);
const stats = object({
  totalTransactions: total,
  totalBlocks: total,
  hashRate: uint256Text,
  averageBlockTimeMs: total,
  pendingCount: count,
  lagMs: total,
});
const transactions = object({
  kind: oneOf('pending', 'confirmed', 'reverted'),
  transactions: list(object({ hash, addresses: list(text(longestAddress), mostLiveAddresses) }), mostLiveAddresses),
});

const change = <const Name extends LiveName, Data extends z.ZodType>(name: Name, data: Data) =>
  object({
    v: z.literal(1, { error: 'expected 1' }),
    epoch: text(64),
    n: upTo(Number.MAX_SAFE_INTEGER),
    name: z.literal(name, { error: `expected ${name}` }),
    data,
  });

export const explorerEvents: { readonly [Name in ExplorerEventName]: EventRow<ExplorerEvents[Name]> } = {
  'explorer.live': {
    schema: messageSchema((groups) =>
      z.discriminatedUnion(
        'name',
        [
          change('block', block(groups)),
          change('reorg', reorganisation(groups)),
          change('pending', pendingChange(groups)),
          change('stats', stats),
          change('transactions', transactions),
        ],
        { error: 'expected block, reorg, pending, stats or transactions' },
      ),
    ),
  },
};

export const isExplorerEvent = (name: string): name is ExplorerEventName => Object.hasOwn(explorerEvents, name);
