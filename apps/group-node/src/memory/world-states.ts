import { boundSize } from '@shardnode/core/eviction';
import { type Hash } from '@shardnode/protocol/primitives';
import { type WorldState } from '@shardnode/protocol/state';
import { DataMissing } from './data-missing.js';

/** The world state after an own intra-group block, with its state hash. */
export interface KnownState {
  readonly state: WorldState;
  readonly stateHash: Hash;
}

const limit = 4096;

/** World states of recent own intra-group blocks; the first in is evicted first. */
export class WorldStates {
  private readonly known = new Map<Hash, KnownState>();
  private holders = 0;

  /** Throws DataMissing. */
  need(blockHash: Hash): KnownState {
    const state = this.known.get(blockHash);
    if (!state) throw new DataMissing('world-states', [blockHash]);
    return state;
  }

  add(blockHash: Hash, state: KnownState): void {
    this.known.set(blockHash, state);
    this.makeRoom();
  }

  /** Suspends eviction until the returned function is called. */
  hold(): () => void {
    this.holders++;
    return () => {
      this.holders--;
      this.makeRoom();
    };
  }

  private makeRoom(): void {
    if (this.holders === 0) boundSize(this.known, limit);
  }
}
