import { type Hash, type OutputReference, referenceId } from '../primitives/index.js';
import { type ContractOutput } from '../transaction/index.js';
import { type ContractChanges, type LogEntry } from './contract-changes.js';
import { ContractCode } from './contract-code.js';
import { type ContractRecord, type ImmutableState, immutableStateHashOf } from './contract-records.js';
import { type ContractStateSource } from './contract-state-source.js';
import { codeValue, immutableStateValue } from './immutable-entries.js';
import { Overlay } from './overlay.js';

/** Contract reads of the machine. All of them may throw StateMiss and TrieFault. */
export interface ContractReader {
  /** True for the all-zero id, whose placeholder is in every state (protocol 04 §3.4). */
  exists(contractId: Hash): boolean;
  /** Undefined for the placeholder too. */
  record(contractId: Hash): ContractRecord | undefined;
  contractOutput(reference: OutputReference): ContractOutput | undefined;
  immutableState(hash: Hash): ImmutableState;
  /** The same object for all loads of a block, failed transactions included (protocol 05 §6.10). */
  code(hash: Hash): ContractCode;
}

const sameId = (id: Hash): string => id;

/**
 * Staged changes of contracts (protocol 04 §7): a block has a layer over its state, each script a child of it. A
 * discarded child leaves only the code objects that it loaded.
 */
export class ContractLayer implements ContractReader {
  private readonly records: Overlay<Hash, ContractRecord>;
  private readonly outputs: Overlay<OutputReference, ContractOutput>;
  private readonly immutableStates = new Map<Hash, ImmutableState>();
  private readonly immutable = new Map<Hash, Uint8Array>();
  /** Stored code; in the layer of a block also loaded code. */
  private readonly codes = new Map<Hash, ContractCode>();
  private readonly events: LogEntry[] = [];

  private constructor(
    private readonly below: ContractReader,
    private readonly parent: ContractLayer | undefined,
  ) {
    this.records = new Overlay(sameId, (id) => below.exists(id));
    this.outputs = new Overlay(referenceId, (reference) => below.contractOutput(reference) !== undefined);
  }

  /** The layer of a block, a template or a check: code objects start with empty memos. */
  static overState(source: ContractStateSource): ContractLayer {
    const reader: ContractReader = {
      exists: (id) => source.exists(id),
      record: (id) => source.record(id),
      contractOutput: (reference) => source.contractOutput(reference),
      immutableState: (hash) => source.immutableState(hash),
      code: (hash) => ContractCode.stored(hash, source.contract(hash)),
    };
    return new ContractLayer(reader, undefined);
  }

  /** A layer over this one. This layer must not change while the child is in use. */
  child(): ContractLayer {
    return new ContractLayer(this, this);
  }

  /** Merges the changes of a child into its parent; the child must not be used again. */
  keep(): void {
    const { parent } = this;
    if (!parent) throw new Error('the layer of a block has no parent to keep its changes in');
    this.records.keepIn(parent.records);
    this.outputs.keepIn(parent.outputs);
    for (const [hash, state] of this.immutableStates) parent.immutableStates.set(hash, state);
    for (const [hash, value] of this.immutable) parent.immutable.set(hash, value);
    for (const [hash, code] of this.codes) parent.codes.set(hash, code);
    for (const entry of this.events) parent.events.push(entry);
  }

  exists(contractId: Hash): boolean {
    const own = this.records.own(contractId);
    return own ? own.value !== undefined : this.below.exists(contractId);
  }

  record(contractId: Hash): ContractRecord | undefined {
    const own = this.records.own(contractId);
    return own ? own.value : this.below.record(contractId);
  }

  contractOutput(reference: OutputReference): ContractOutput | undefined {
    const own = this.outputs.own(reference);
    return own ? own.value : this.below.contractOutput(reference);
  }

  immutableState(hash: Hash): ImmutableState {
    return this.immutableStates.get(hash) ?? this.below.immutableState(hash);
  }

  code(hash: Hash): ContractCode {
    const known = this.codes.get(hash);
    if (known) return known;
    const loaded = this.below.code(hash);
    if (!this.parent) this.codes.set(hash, loaded);
    return loaded;
  }

  putRecord(contractId: Hash, record: ContractRecord): void {
    this.records.put(contractId, record);
  }

  /** Throws TrieFault(KeyNotFound) when the contract does not exist. */
  removeRecord(contractId: Hash): void {
    this.records.remove(contractId);
  }

  putOutput(reference: OutputReference, output: ContractOutput): void {
    this.outputs.put(reference, output);
  }

  /** Throws TrieFault(KeyNotFound) when the output does not exist. */
  removeOutput(reference: OutputReference): void {
    this.outputs.remove(reference);
  }

  /** Returns its hash (protocol 04 §4.3). */
  putImmutableState(state: ImmutableState): Hash {
    const hash = immutableStateHashOf(state);
    this.immutableStates.set(hash, state);
    this.immutable.set(hash, immutableStateValue(state));
    return hash;
  }

  /** Later loads return the same object (protocol 05 §6.10). */
  putCode(code: ContractCode): void {
    this.codes.set(code.hash, code);
    this.immutable.set(code.hash, codeValue(code));
  }

  log(entry: LogEntry): void {
    this.events.push(entry);
  }

  /** All changes and events of this layer and its merged children. */
  changes(): ContractChanges {
    return {
      records: new Map(this.records.entries().map(([id, { value }]) => [id, value])),
      outputs: new Map(this.outputs.entries().map(([id, { key, value }]) => [id, { reference: key, output: value }])),
      immutable: new Map([...this.immutable].sort(([a], [b]) => (a < b ? -1 : 1))),
      events: [...this.events],
    };
  }
}
