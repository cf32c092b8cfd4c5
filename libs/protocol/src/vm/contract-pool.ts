import { type Hash } from '../primitives/index.js';
import { estimatedSizeOf, usesContractAssets } from '../script/index.js';
import { type ContractLayer } from '../state/index.js';
import { type ContractObject } from './code-object.js';
import { fail } from './failure.js';
import { gasOfContractLoad } from './gas.js';

/** Contracts that a transaction may have loaded at the same time, and fields over all its loads (protocol 05 §1). */
const maxLoadedContracts = 16;
const maxLoadedFields = 512;

/** The contracts that a transaction has loaded, and those that it may not load any more (protocol 05 §10.1). */
export class ContractPool {
  private readonly loaded = new Map<Hash, ContractObject>();
  /** Created or migrated in this transaction. */
  private readonly blocked = new Set<Hash>();
  private fieldCount = 0;

  /** @param group that runs the transaction */
  constructor(
    private readonly layer: ContractLayer,
    private readonly group: number,
  ) {}

  /** The loaded contracts, in the order of loading. */
  contracts(): IterableIterator<ContractObject> {
    return this.loaded.values();
  }

  /** The contract with this id; the first call charges the gas of the load. */
  load(id: Hash, charge: (gas: number) => void): ContractObject {
    const known = this.loaded.get(id);
    if (known) return known;
    if (this.blocked.has(id)) fail('ContractLoadDisallowed', id);
    const contract = this.read(id);
    const { immutableFields, loadedMutableFields, code } = contract;
    charge(
      gasOfContractLoad(
        estimatedSizeOf(immutableFields) + estimatedSizeOf(loadedMutableFields) + code.methodAreaLength,
      ),
    );
    this.fieldCount += immutableFields.length + loadedMutableFields.length;
    if (this.loaded.size >= maxLoadedContracts) fail('ContractPoolOverflow');
    if (this.fieldCount > maxLoadedFields) fail('ContractFieldOverflow');
    this.loaded.set(id, contract);
    return contract;
  }

  /** Returns a function that undoes later loads, for an instruction that meets a StateMiss after a load. */
  mark(): () => void {
    const { fieldCount } = this;
    const count = this.loaded.size;
    return () => {
      for (const id of [...this.loaded.keys()].slice(count)) this.loaded.delete(id);
      this.fieldCount = fieldCount;
    };
  }

  /** After a creation: the contract cannot be loaded in this transaction. */
  block(id: Hash): void {
    this.blocked.add(id);
  }

  /** After a destruction or a migration; its load stays counted. */
  remove(id: Hash): void {
    this.loaded.delete(id);
  }

  private read(id: Hash): ContractObject {
    const record = this.layer.record(id) ?? fail('NonExistContract', id, this.group);
    const immutableState = this.layer.immutableState(record.immutableStateHash);
    const code = this.layer.code(immutableState.codeHash);
    const { methods } = code.contract;
    return {
      kind: 'contract',
      id,
      code,
      methods,
      record,
      // A call reads it after its first changes, and must not meet a StateMiss then.
      output: methods.some(usesContractAssets) ? this.layer.contractOutput(record.outputReference) : undefined,
      immutableState,
      immutableFields: immutableState.immutableFields,
      mutableFields: [...record.mutableFields],
      loadedMutableFields: record.mutableFields,
    };
  }
}
