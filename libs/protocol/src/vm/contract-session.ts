import { type Hash, txInputBaseGas, txOutputBaseGas } from '../primitives/index.js';
import { type Method, paysToContractOnly, usesApprovedAssets, usesContractAssets } from '../script/index.js';
import { type ContractLayer, type LogEntry } from '../state/index.js';
import { type Output } from '../transaction/index.js';
import { BalanceList, newBalanceEntry } from './balance-list.js';
import { type BalanceState, newBalanceState } from './balance-state.js';
import { type CodeObject, type ContractObject } from './code-object.js';
import { ContractAssets } from './contract-assets.js';
import { ContractPool } from './contract-pool.js';
import { abort, fail } from './failure.js';
import { type Frame } from './frame.js';
import { Machine, type MachineOptions } from './machine.js';
import { findMethodBySelector } from './selector-search.js';
import { type StatefulRun } from './stateful-run.js';

/** Contracts and assets of one run of a transaction script. */
export class ContractSession implements StatefulRun {
  readonly pool: ContractPool;
  readonly assets = new ContractAssets();
  /** Balances that become outputs (protocol 05 §9.3). */
  readonly outputBalances = new BalanceList();
  private readonly generated: Output[] = [];
  private machine!: Machine;

  private constructor(
    readonly layer: ContractLayer,
    private readonly hears: ((entry: LogEntry) => void) | undefined,
    group: number,
  ) {
    this.pool = new ContractPool(layer, group);
  }

  /**
   * A session with the machine that it serves. `layer` is that of the transaction: dropped when the run fails. `hears`
   * is called for each event, also if the run fails later.
   */
  static start(
    layer: ContractLayer,
    options: Omit<MachineOptions, 'stateful'> & { readonly hears?: (entry: LogEntry) => void },
  ): { session: ContractSession; machine: Machine } {
    const session = new ContractSession(layer, options.hears, options.block.group);
    const machine = new Machine({ ...options, stateful: session });
    session.machine = machine;
    return { session, machine };
  }

  get generatedOutputs(): readonly Output[] {
    return this.generated;
  }

  /** The index in the transaction of the next output that the run generates (protocol 05 §10.2). */
  get nextOutputIndex(): number {
    return this.machine.transaction.fixedOutputs.length + this.generated.length;
  }

  /** Output of a new contract: without gas (protocol 05 §7.1). */
  appendFreeOutput(output: Output): void {
    this.generated.push(output);
  }

  appendOutput(output: Output): void {
    this.generated.push(output);
    this.machine.charge(txOutputBaseGas);
  }

  load(contractId: Hash): ContractObject {
    return this.pool.load(contractId, this.charge);
  }

  findMethod(contract: ContractObject, selector: number): number {
    return findMethodBySelector(contract, selector, this.charge);
  }

  /** Balances of a called method (protocol 05 §9.4). */
  balancesForCall(caller: Frame, code: CodeObject, method: Method): BalanceState | undefined {
    const approved = usesApprovedAssets(method) ? (caller.balances ?? fail('NoBalanceAvailable')).approved : undefined;
    if (code.kind === 'contract' && paysToContractOnly(method)) abort('a method pays to its contract only');
    const takesOwn = code.kind === 'contract' && usesContractAssets(method);
    if (!approved && !takesOwn) return undefined;
    const balances = newBalanceState(approved?.takeAll(1));
    if (takesOwn) this.bringIn(code, balances);
    return balances;
  }

  /** Returns the remaining assets of a method to its caller or their owners (protocol 05 §9.5). */
  giveBack(returned: Frame, caller: Frame): void {
    if (!returned.balances) return;
    const { remaining, approved } = returned.balances;
    for (const list of [remaining, approved]) {
      for (const entry of list.entries()) {
        const receiver = entry.depth > 0 && caller.balances ? caller.balances.remaining : this.outputBalances;
        if (!receiver.add(entry)) fail('BalanceErrorWhenSwitchingBackFrame');
      }
    }
  }

  log(entry: LogEntry): void {
    this.layer.log(entry);
    this.hears?.(entry);
  }

  /** Contract assets (protocol 05 §9.4 step 3); the load of the contract has read its output. */
  private bringIn({ id, output, record: { outputReference } }: ContractObject, { remaining }: BalanceState): void {
    this.machine.charge(txInputBaseGas);
    if (!output) throw new Error(`contract ${id} has no output`);
    this.assets.use({ reference: outputReference, output });
    remaining.add(newBalanceEntry({ kind: 'p2c', contractId: id }, output.amount, output.tokens));
  }

  private readonly charge = (gas: number): void => this.machine.charge(gas);
}

/** The session of a stateful run. Instructions that need it do not decode in unlock scripts. */
export const sessionOf = ({ stateful }: Machine): ContractSession => {
  if (stateful instanceof ContractSession) return stateful;
  throw new Error('a stateful instruction in a run without contracts');
};

/** The contract whose code the current frame runs. */
export const currentContract = ({ frame: { code } }: Machine): ContractObject =>
  code.kind === 'contract' ? code : fail('ExpectAContract');
