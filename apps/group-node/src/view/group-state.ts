import { type NetworkSettings } from '@shardnode/protocol/network';
import { type Mempool } from '@shardnode/protocol/policy';
import { type Hash } from '@shardnode/protocol/primitives';
import { type AnnouncedTips } from '../dag/announced-tips.js';
import { type RecentLocations } from '../dag/recent-locations.js';
import { type GroupMemory } from '../memory/group-memory.js';
import { type ChangedChain } from '../store/index.js';
import { type AddressSets } from './address-sets.js';
import { type ShownView } from './shown-view.js';

/**
 * In-memory state of a group-node. `start/rebuild` builds it from the store, at start and after a failed commit. It
 * then replaces the fields below, so callers must not retain them.
 */
export interface GroupState {
  readonly settings: NetworkSettings;
  readonly group: number;
  memory: GroupMemory;
  pool: Mempool;
  addresses: AddressSets;
  locations: RecentLocations;
  /** The view of queries: rebuilt and replaced in the event-loop tick in which a commit ends. */
  shown: ShownView;
  /** Heads of the own chains as of the last commit, by `to`: those that the feed announces (protocol 09). */
  heads: ChangedChain[];
  /** Best dependencies over everything in memory (protocol 03 §7.6); undefined: to be recomputed. */
  best: readonly Hash[] | undefined;
  /** Best dependencies that the siblings announced; `start/rebuild` does not change it. */
  readonly announced: AnnouncedTips;
}
