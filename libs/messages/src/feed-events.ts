import { z } from 'zod';
import { bytes, chain, count, flag, group, hash, list, milliseconds, object, oneOf, text, upTo } from './fields.js';
import { type ChainChange, type FeedHeartbeat, type PoolChange } from './feed-types.js';
import { messageSchema } from './message-schema.js';
import { type EventRow } from './peer-events.js';

/**
 * Events of group-nodes for followers: explorers, gateways, anyone (protocol 09 §3). Hints: they may be lost, repeated
 * or reordered.
 */
export interface FeedEvents {
  /**
   * A block of chain (from, to) that group-node `from` has stored, canonical or not: gateways push it to clients
   * (protocol 07 §18). Followers ignore it.
   */
  'feed.block': { readonly from: number; readonly to: number; readonly height: number; readonly block: Uint8Array };
  'feed.chain': ChainChange;
  'feed.pool': PoolChange;
  'feed.heartbeat': FeedHeartbeat;
}
export type FeedEventName = keyof FeedEvents;

/** Blocks above the fork that a change names; the last ones of a longer change. */
export const mostAddedBlocks = 50;
/** Entries of both lists of a pool change. */
export const mostPoolEntries = 200;
/** Base64 of the longest transaction. */
const longestTemplate = 2 * 2 ** 20;

const version = z.literal(1, { error: 'expected 1' });
const epoch = text(64);
/** Below 2^53. */
const seq = upTo(Number.MAX_SAFE_INTEGER);
const place = { height: count, hash };
const blockRef = () => object({ ...place, timestamp: milliseconds, txCount: count, size: count });

/** Groups that the payload and the subject of an event both have; `feed.pool` names none in its payload. */
export const feedEventGroups: {
  readonly [Name in FeedEventName]: (payload: FeedEvents[Name]) => { readonly from?: number; readonly to?: number };
} = {
  'feed.block': ({ from }) => ({ from }),
  'feed.chain': ({ chainFrom: from, chainTo: to }) => ({ from, to }),
  'feed.pool': () => ({}),
  'feed.heartbeat': ({ group: from }) => ({ from }),
};

/** The subject has the chain, or the group. */
export const feedEvents: { readonly [Name in FeedEventName]: EventRow<FeedEvents[Name]> } = {
  'feed.block': { schema: messageSchema((groups) => object({ ...chain(groups), height: count, block: bytes })) },
  'feed.chain': {
    schema: messageSchema((groups) =>
      object({
        v: version,
        epoch,
        seq,
        chainFrom: group(groups),
        chainTo: group(groups),
        kind: oneOf('extend', 'reorg'),
        fork: object(place),
        added: list(blockRef(), mostAddedBlocks),
        removed: list(object(place)),
        truncated: flag,
        head: blockRef(),
        publishedAt: milliseconds,
      }),
    ),
  },
  'feed.pool': {
    schema: messageSchema((groups) =>
      object({
        v: version,
        epoch,
        seq,
        added: list(
          object({
            txId: hash,
            chainFrom: group(groups),
            chainTo: group(groups),
            template: text(longestTemplate),
            seenAt: milliseconds,
          }),
          mostPoolEntries,
        ),
        removed: list(
          object({ txId: hash, reason: oneOf('mined', 'expired', 'conflict', 'cleared', 'replaced') }),
          mostPoolEntries,
        ),
        size: count,
        overflow: z.literal(true, { error: 'expected true' }).optional(),
      }),
    ),
  },
  'feed.heartbeat': {
    schema: messageSchema((groups) =>
      object({
        v: version,
        group: group(groups),
        epoch,
        synced: flag,
        heads: list(object({ chainTo: group(groups), seq, ...place, timestamp: milliseconds }), groups),
        poolSize: count,
        nodeTime: milliseconds,
        version: text(64),
      }),
    ),
  },
};

export const isFeedEvent = (name: string): name is FeedEventName => Object.hasOwn(feedEvents, name);
