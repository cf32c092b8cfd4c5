import { frameOfError, ServiceError } from '@shardnode/core/errors';
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
import { makeCall, makeTest } from './make-run.js';
import { type RunJob, type RunResult } from './run-job.js';

export type StateStore = TrieNodeStore & ImmutableEntryStore;

/** Bytes of trie nodes, and of code and immutable states, that a thread keeps. What is named by its hash never changes. */
const nodeBytes = 16 * 2 ** 20;
const contractBytes = 8 * 2 ** 20;
/** More rounds than a run can read contracts. */
const roundLimit = 1_000;

/** Makes runs over the states of a store: what a run misses is loaded, and the run made again from its start. */
export class RunMemory {
  private readonly nodes = new LoadedNodes(nodeBytes);
  private readonly immutables = new LoadedImmutables(contractBytes);

  constructor(private readonly store: StateStore) {}

  async carryOut(job: RunJob): Promise<RunResult> {
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
    for (let round = 0; round < roundLimit; round++) {
      try {
        return this.run(job);
      } catch (error) {
        if (!(error instanceof StateMiss)) throw error;
        await this.load(error);
      }
    }
    throw new Error(`state is still missing after ${roundLimit} loads`);
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
