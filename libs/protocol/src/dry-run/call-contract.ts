import { type Hash } from '../primitives/index.js';
import { type ContractLayer } from '../state/index.js';
import { contractStateIn, type ContractState, destroyedContracts } from './contracts.js';
import { dryRun, type DryRun, type DryRunRefusal } from './dry-run.js';
import { type DryRunCall } from './entry.js';
import { type BlockEnvironment } from '../vm/index.js';

export interface ContractCallOptions {
  readonly block: BlockEnvironment;
  /** The state of the call: not changed. */
  readonly layer: ContractLayer;
  readonly call: DryRunCall;
  /** Contracts whose states are returned, before that of the called one. */
  readonly existingContracts: readonly Hash[];
  /** Gas limit of the call; default: that of a dry run. */
  readonly gas?: number;
}

export type ContractCallOutcome =
  | ({
      readonly kind: 'succeeded';
      /** Of the called contract after the call. */
      readonly codeHash: Hash;
      /** Without those that the call destroyed. */
      readonly contracts: readonly ContractState[];
    } & Omit<DryRun, 'layer'>)
  | DryRunRefusal
  | { readonly kind: 'missing'; readonly contractId: Hash };

/** Calls a method of a contract of the state (protocol 05 §14.3). Throws StateMiss. */
export const callContract = (options: ContractCallOptions): ContractCallOutcome => {
  const { block, layer, call, existingContracts } = options;
  const called = contractStateIn(layer, call.contractId);
  const absent = [call.contractId, ...existingContracts].find((id) => !layer.record(id));
  if (!called || absent !== undefined) return { kind: 'missing', contractId: absent ?? call.contractId };
  const outcome = dryRun(options, called.contract.methods);
  if (outcome.kind !== 'succeeded') return outcome;
  const destroyed = new Set(destroyedContracts(outcome.events, block.group));
  const contracts = [...existingContracts, call.contractId]
    .filter((id) => !destroyed.has(id))
    .flatMap((id) => contractStateIn(outcome.layer, id) ?? []);
  const after = contracts.find(({ id }) => id === call.contractId) ?? called;
  return { ...outcome, codeHash: after.code.hash, contracts };
};
