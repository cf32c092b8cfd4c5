import { type Hash } from '../primitives/index.js';

/**
 * Thrown by synchronous state reads when a trie node is not in memory. The caller loads all named nodes in one batch
 * and runs again (architecture, decision 9). Not a refusal.
 */
export class StateMiss extends Error {
  constructor(readonly nodeHashes: readonly Hash[]) {
    super(`${nodeHashes.length} state nodes are not in memory`);
    this.name = 'StateMiss';
  }
}
