import { type Block } from '@shardnode/protocol/block';
import { type Hash } from '@shardnode/protocol/primitives';
import { type Val } from '@shardnode/protocol/script';

/** An event in the order of emission in its block; system events and debug messages too (protocol 09 §5). */
export interface FeedEvent {
  readonly txId: Hash;
  readonly contractId: Hash;
  /** Negative for system events and debug messages (protocol 08 §4.6). */
  readonly eventIndex: number;
  /** Without the event index. */
  readonly fields: readonly Val[];
}

/**
 * A block of the feed whose height, hash and chain the receiver has checked (protocol 08 §4.3). Hash, chain and the
 * bytes as received are those of `block`.
 */
export interface FeedBlock {
  readonly height: number;
  readonly block: Block;
  /** Empty in blocks between two groups. */
  readonly events: readonly FeedEvent[];
}
