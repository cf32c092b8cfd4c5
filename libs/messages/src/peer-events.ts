import { bytes, chain, count, group, hash, int64Text, list, object } from './fields.js';
import { type MessageSchema, messageSchema } from './message-schema.js';

/** Events between group-nodes (architecture, section 3). Hints: they may be lost, repeated or reordered. */
export interface PeerEvents {
  /**
   * Raw block of chain (from, to), received by group `to`; for to = from by group (from + 1) mod G, which stores a
   * copy.
   */
  'peer.block': { readonly from: number; readonly to: number; readonly block: Uint8Array };
  /** Raw header, received by the groups that do not receive the body. */
  'peer.header': { readonly from: number; readonly to: number; readonly header: Uint8Array };
  /** Accepted transaction template of chain (from, to), received by group `to`. */
  'peer.tx': { readonly from: number; readonly to: number; readonly template: Uint8Array };
  /**
   * Best dependencies of group `from` after each commit and as a heartbeat, seven hashes (protocol 03 §12.6); `sentAt`:
   * the sender's clock in milliseconds since 1970, decimal text; `heights`: heights of its own chains, so that siblings
   * know how far they are behind; `startedAt`, only in heartbeats: start time of the sender by its clock. Older
   * versions send neither.
   */
  'peer.tips': {
    readonly from: number;
    readonly bestDependencies: readonly string[];
    readonly sentAt: string;
    readonly heights?: readonly number[];
    readonly startedAt?: string;
  };
}
export type PeerEventName = keyof PeerEvents;

/** Row of an event in its table; the permitted sender follows from its subject. */
export interface EventRow<Payload> {
  readonly schema: MessageSchema<Payload>;
}

const bestDependencies = (groups: number) => {
  const error = `expected ${2 * groups - 1} hashes`;
  return list(hash).length(2 * groups - 1, { error });
};

export const peerEvents: { readonly [Name in PeerEventName]: EventRow<PeerEvents[Name]> } = {
  'peer.block': { schema: messageSchema((groups) => object({ ...chain(groups), block: bytes })) },
  'peer.header': { schema: messageSchema((groups) => object({ ...chain(groups), header: bytes })) },
  'peer.tx': { schema: messageSchema((groups) => object({ ...chain(groups), template: bytes })) },
  'peer.tips': {
    schema: messageSchema((groups) =>
      object({
        from: group(groups),
        bestDependencies: bestDependencies(groups),
        sentAt: int64Text,
        heights: list(count, groups).optional(),
        startedAt: int64Text.optional(),
      }),
    ),
  },
};
