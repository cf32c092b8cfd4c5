import { bytes, chain, count, object } from './fields.js';
import { type EventRow } from './peer-events.js';
import { messageSchema } from './message-schema.js';

/** What group-nodes publish for whoever passes news on to clients. Hints: they may be lost, repeated or reordered. */
export interface FeedEvents {
  /**
   * A block of chain (from, to) that group-node `from` has stored, whether it is canonical or not. Each block of the
   * network comes once: from the group that its chain starts in.
   */
  'feed.block': { readonly from: number; readonly to: number; readonly height: number; readonly block: Uint8Array };
}
export type FeedEventName = keyof FeedEvents;

export const feedEvents: { readonly [Name in FeedEventName]: EventRow<FeedEvents[Name]> } = {
  'feed.block': { schema: messageSchema((groups) => object({ ...chain(groups), height: count, block: bytes })) },
};
