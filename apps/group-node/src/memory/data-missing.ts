import { type Hash } from '@shardnode/protocol/primitives';

/**
 * Thrown by synchronous reads of bodies or world states that are not in memory. The caller loads all named entries and
 * runs again, as with StateMiss (architecture, decision 9). Never a refusal.
 */
export class DataMissing extends Error {
  constructor(
    readonly what: 'bodies' | 'world-states',
    readonly hashes: readonly Hash[],
  ) {
    super(`${hashes.length} ${what} are not in memory`);
    this.name = 'DataMissing';
  }
}
