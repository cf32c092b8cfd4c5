import { type Hash } from '@shardnode/protocol/primitives';
import { ContractLayer, contractStateOf, LoadedNodes, StateMiss } from '@shardnode/protocol/state';
import {
  beginTransactionScript,
  type RunOutcome,
  type TransactionScriptOptions,
  type TransactionScriptResult,
} from '@shardnode/protocol/vm';
import { type MemoryContractState } from './memory-contract-state.js';

export interface RunWithMisses {
  readonly outcome: RunOutcome<TransactionScriptResult>;
  /** The layer that the run began on. */
  readonly layer: ContractLayer;
  /** Number of misses. */
  readonly misses: number;
}

/**
 * Runs a script over a state of which nothing is in memory: each miss loads one node or entry, and the run continues
 * where it stopped. `prepare`: prepares the layer before the run.
 */
export const runWithMisses = (
  world: MemoryContractState,
  options: Omit<TransactionScriptOptions, 'layer'>,
  prepare: (layer: ContractLayer) => void = () => undefined,
): RunWithMisses => {
  const nodes = new LoadedNodes();
  const loaded = new Set<Hash>();
  const entries = { entry: (hash: Hash) => (loaded.has(hash) ? world.immutables.entry(hash) : undefined) };
  const layer = ContractLayer.overState(contractStateOf(nodes, entries, world.state));
  prepare(layer);
  const run = beginTransactionScript({ ...options, layer });
  for (let misses = 0; ; misses++) {
    try {
      return { outcome: run.proceed(), layer, misses };
    } catch (error) {
      if (!(error instanceof StateMiss)) throw error;
      nodes.add(error.nodeHashes.map((hash) => [hash, world.nodes.get(hash)!] as const));
      for (const hash of error.immutableHashes) loaded.add(hash);
    }
  }
};
