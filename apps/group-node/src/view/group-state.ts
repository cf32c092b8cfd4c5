import { type NetworkSettings } from '@shardnode/protocol/network';
import { type Mempool } from '@shardnode/protocol/policy';
import { type Hash } from '@shardnode/protocol/primitives';
import { type AnnouncedTips } from '../dag/announced-tips.js';
import { type RecentLocations } from '../dag/recent-locations.js';
import { type GroupMemory } from '../memory/group-memory.js';
import { type AddressSets } from './address-sets.js';
import { type ShownView } from './shown-view.js';

/**
 * Everything that a group-node holds in memory. `start/rebuild` makes it from the store, at start and after a commit
 * that failed; then the fields below are replaced, so nobody keeps them.
 */
export interface GroupState {
  readonly settings: NetworkSettings;
  readonly group: number;
  memory: GroupMemory;
  pool: Mempool;
  addresses: AddressSets;
  locations: RecentLocations;
  /** What queries see: made anew and put in place in the turn in which a commit ends. */
  shown: ShownView;
  /** Best dependencies over everything in memory (protocol 03 §7.6); undefined: to be computed again. */
  best: readonly Hash[] | undefined;
  /** What the siblings say they include; `start/rebuild` leaves it as it is. */
  readonly announced: AnnouncedTips;
}
