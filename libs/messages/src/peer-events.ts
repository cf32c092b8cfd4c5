/** What group-nodes publish to each other (architecture, section 3). Hints: they may be lost, repeated or reordered. */
export interface PeerEvents {
  /** Raw block of chain (from, to), taken by group `to`; for to = from by group (from + 1) mod G, which keeps a copy. */
  'peer.block': { readonly from: number; readonly to: number; readonly block: Uint8Array };
  /** Raw header, taken by the groups that do not take the body. */
  'peer.header': { readonly from: number; readonly to: number; readonly header: Uint8Array };
  /** Accepted transaction template of chain (from, to), taken by group `to`. */
  'peer.tx': { readonly from: number; readonly to: number; readonly template: Uint8Array };
  /**
   * Best dependencies of group `from` after each commit and as a heartbeat, seven hashes (protocol 03 §12.6); `sentAt`:
   * the sender's clock in milliseconds since 1970, decimal text.
   */
  'peer.tips': { readonly from: number; readonly bestDependencies: readonly string[]; readonly sentAt: string };
}
export type PeerEventName = keyof PeerEvents;
