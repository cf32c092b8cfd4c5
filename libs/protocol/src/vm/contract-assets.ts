import { type Hash, type OutputReference } from '../primitives/index.js';
import { type ContractOutput } from '../transaction/index.js';
import { fail } from './failure.js';

/** An output of a contract that the transaction spends. */
export interface ContractInput {
  readonly reference: OutputReference;
  readonly output: ContractOutput;
}

/**
 * Contracts whose assets were loaded into the transaction, and those whose assets were returned (protocol 05 §9.4,
 * §11.2).
 */
export class ContractAssets {
  private readonly status = new Map<Hash, 'in use' | 'flushed'>();
  /** In the order of loading. */
  private loadedInputs: ContractInput[] = [];

  /** Spent outputs, in the order of loading. */
  get inputs(): readonly ContractInput[] {
    return this.loadedInputs;
  }

  isLoaded(id: Hash): boolean {
    return this.status.has(id);
  }

  /** Loads a contract's assets, at most once in a transaction. */
  use(input: ContractInput): void {
    const id = input.output.contractId;
    const status = this.status.get(id);
    if (status === 'in use') fail('ContractAssetAlreadyInUsing');
    if (status === 'flushed') fail('ContractAssetAlreadyFlushed');
    this.loadedInputs.push(input);
    this.status.set(id, 'in use');
  }

  inputOf(id: Hash): ContractInput | undefined {
    return this.loadedInputs.find(({ output }) => output.contractId === id);
  }

  /** The contract's output is unchanged, so it is not spent. */
  leaveAsItWas(input: ContractInput): void {
    this.loadedInputs = this.loadedInputs.filter((other) => other !== input);
    this.flush(input.output.contractId);
  }

  /** The contract's assets were returned to an output, or destroyed with the contract. */
  flush(id: Hash): void {
    const status = this.status.get(id);
    if (status === undefined) fail('ContractAssetUnloaded', id);
    if (status === 'flushed') fail('ContractAssetAlreadyFlushed');
    this.status.set(id, 'flushed');
  }

  /** Fails for a contract without output, which has transferred all its assets. */
  checkAllFlushed(): void {
    for (const status of this.status.values()) {
      if (status === 'in use') fail('EmptyContractAsset');
    }
  }
}
