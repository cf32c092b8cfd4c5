import { bytes, chain, count, object } from './fields.js';
import { type EventRow } from './peer-events.js';
import { messageSchema } from './message-schema.js';

/** Events from group-nodes to gateways, for clients. Hints: they may be lost, repeated or reordered. */
export interface FeedEvents {
  /**
   * A block of chain (from, to) that group-node `from` has stored, canonical or not. Only the source group of its chain
   * publishes a block.
   */
  'feed.block': { readonly from: number; readonly to: number; readonly height: number; readonly block: Uint8Array };
}
export type FeedEventName = keyof FeedEvents;

export const feedEvents: { readonly [Name in FeedEventName]: EventRow<FeedEvents[Name]> } = {
  'feed.block': { schema: messageSchema((groups) => object({ ...chain(groups), height: count, block: bytes })) },
};
