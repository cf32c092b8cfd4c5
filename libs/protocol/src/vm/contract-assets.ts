import { type Hash, type OutputReference } from '../primitives/index.js';
import { type ContractOutput } from '../transaction/index.js';
import { fail } from './failure.js';

/** An output of a contract that the transaction spends. */
export interface ContractInput {
  readonly reference: OutputReference;
  readonly output: ContractOutput;
}

/** Which contracts have brought their assets into the transaction, and which of them have put them back (protocol 05 §9.4, §11.2). */
export class ContractAssets {
  private readonly status = new Map<Hash, 'in use' | 'flushed'>();
  /** In the order of loading. */
  private loadedInputs: ContractInput[] = [];

  /** Those that are spent, in the order of loading. */
  get inputs(): readonly ContractInput[] {
    return this.loadedInputs;
  }

  isLoaded(id: Hash): boolean {
    return this.status.has(id);
  }

  /** A contract's assets come in once in a transaction. */
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

  /** The contract's output ends as it was: it is not spent. */
  leaveAsItWas(input: ContractInput): void {
    this.loadedInputs = this.loadedInputs.filter((other) => other !== input);
    this.flush(input.output.contractId);
  }

  /** The contract's assets are back in an output, or gone with the contract. */
  flush(id: Hash): void {
    const status = this.status.get(id);
    if (status === undefined) fail('ContractAssetUnloaded', id);
    if (status === 'flushed') fail('ContractAssetAlreadyFlushed');
    this.status.set(id, 'flushed');
  }

  /** A contract that gave away everything has no output and is refused. */
  checkAllFlushed(): void {
    for (const status of this.status.values()) {
      if (status === 'in use') fail('EmptyContractAsset');
    }
  }
}
