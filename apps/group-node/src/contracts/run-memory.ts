import { frameOfError, ServiceError } from '@shardnode/core/errors';
import { serviceError } from '@shardnode/messages';
import {
  ContractLayer,
  ContractMiss,
  contractStateOf,
  type ImmutableEntryStore,
  LoadedImmutables,
  LoadedNodes,
  loadContracts,
  loadMissing,
  loadMissingImmutables,
  StateMiss,
  type TrieNodeStore,
} from '@shardnode/protocol/state';
import { failedCall, makeCall, makeTest } from './make-run.js';
import { type RunJob, type RunResult } from './run-job.js';

export type StateStore = TrieNodeStore & ImmutableEntryStore;

/**
 * Bytes of trie nodes, and of code and immutable states, that a thread caches. Entries are addressed by their hash and
 * never change.
 */
const nodeBytes = 16 * 2 ** 20;
const contractBytes = 8 * 2 ** 20;
/**
 * Limits of a run that repeatedly misses state. Each miss restarts the run, and a large state holds more contracts than
 * one run can load in time.
 */
const loadLimits = { rounds: 1_000, milliseconds: 3_000 };

const tooLong = (): ServiceError =>
  serviceError(
    'RunTooLong',
    'The run was given up: it reads more contracts that were not in memory than it has time for. Read fewer in one run',
  );

/** Runs contracts over the states of a store. After a miss the missing entries are loaded and the run restarts. */
export class RunMemory {
  private readonly nodes = new LoadedNodes(nodeBytes);
  private readonly immutables = new LoadedImmutables(contractBytes);

  /** `monotonic`: milliseconds. */
  constructor(
    private readonly store: StateStore,
    private readonly monotonic = (): number => performance.now(),
    private readonly limits = loadLimits,
  ) {}

  async execute(job: RunJob): Promise<RunResult> {
    const releases = [this.nodes.hold(), this.immutables.hold()];
    try {
      return await this.loaded(job);
    } catch (error) {
      if (error instanceof ServiceError) return { kind: 'error', error: frameOfError(error) };
      throw error;
    } finally {
      for (const release of releases) release();
    }
  }

  private async loaded(job: RunJob): Promise<RunResult> {
    let atWork = 0;
    for (let round = 0; round < this.limits.rounds && atWork < this.limits.milliseconds; round++) {
      const since = this.monotonic();
      try {
        return this.run(job);
      } catch (error) {
        if (!(error instanceof StateMiss)) throw error;
        atWork += this.monotonic() - since;
        await this.load(error);
      }
    }
    if (job.kind === 'call') return { kind: 'call', reply: failedCall(tooLong()) };
    throw tooLong();
  }

  private run(job: RunJob): RunResult {
    const layer = ContractLayer.overState(contractStateOf(this.nodes, this.immutables, job.roots));
    return job.kind === 'test'
      ? { kind: 'test', reply: makeTest(layer, job.request, job) }
      : { kind: 'call', reply: makeCall(layer, job.request, job) };
  }

  private async load(miss: StateMiss): Promise<void> {
    const { store, nodes, immutables } = this;
    if (miss instanceof ContractMiss) {
      return loadContracts({ store, nodes, immutables }, miss.place, [miss.place.contractId]);
    }
    await Promise.all([
      loadMissing(store, nodes, miss.nodeHashes),
      loadMissingImmutables(store, immutables, miss.immutableHashes),
    ]);
  }
}
