import { type Hash } from '../primitives/index.js';

/**
 * Thrown by synchronous state reads when a trie node or an entry of the immutable store is not in memory. The caller
 * loads all named entries in one batch and runs again (architecture, decision 9). Not a refusal.
 */
export class StateMiss extends Error {
  constructor(
    readonly nodeHashes: readonly Hash[],
    /** Keys of the immutable store (protocol 04 §4.3). */
    readonly immutableHashes: readonly Hash[] = [],
  ) {
    super(`${nodeHashes.length} state nodes and ${immutableHashes.length} immutable entries are not in memory`);
    this.name = 'StateMiss';
  }
}

/** Source of contract reads. */
export interface ContractPlace {
  readonly contractRoot: Hash;
  readonly outputRoot: Hash;
  readonly contractId: Hash;
}

/**
 * A read of a contract met data that is not in memory. The continued run will read the rest of the contract too. Load
 * all of it (`loadContracts`), because each further miss costs another run from the start.
 */
export class ContractMiss extends StateMiss {
  constructor(
    readonly place: ContractPlace,
    { nodeHashes, immutableHashes }: StateMiss,
  ) {
    super(nodeHashes, immutableHashes);
    this.name = 'ContractMiss';
  }
}

/**
 * A script met data that is not in memory. `goOn` continues the script and throws the next StateMiss. The caller loads
 * and continues until it throws no more, then repeats the work that ran the script, which gets the outcome.
 */
export class RunMiss extends StateMiss {
  constructor(
    readonly miss: StateMiss,
    readonly goOn: () => void,
  ) {
    super(miss.nodeHashes, miss.immutableHashes);
    this.name = 'RunMiss';
  }
}

/** Runs all, and throws their misses as one, so that one round trip loads them. */
export const withAllMisses = <T>(runs: readonly (() => T)[]): T[] => {
  const misses: StateMiss[] = [];
  const results: T[] = [];
  for (const run of runs) {
    try {
      results.push(run());
    } catch (error) {
      if (!(error instanceof StateMiss)) throw error;
      misses.push(error);
    }
  }
  if (misses.length === 0) return results;
  throw new StateMiss(
    misses.flatMap(({ nodeHashes }) => nodeHashes),
    misses.flatMap(({ immutableHashes }) => immutableHashes),
  );
};
