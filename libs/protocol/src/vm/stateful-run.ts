import { type Hash } from '../primitives/index.js';
import { type Method } from '../script/index.js';
import { type LogEntry } from '../state/index.js';
import { type BalanceState } from './balance-state.js';
import { type CodeObject, type ContractObject } from './code-object.js';
import { type Frame } from './frame.js';

/** Port of the machine to the contracts and assets of a transaction; absent for unlock scripts. */
export interface StatefulRun {
  /** The contract object of the pool, loaded and charged the first time (protocol 05 §10.1). */
  load(contractId: Hash): ContractObject;
  /** The index of the method with this selector; charges the search (protocol 05 §6.10). */
  findMethod(contract: ContractObject, selector: number): number;
  /** The balance state of the frame that a call starts; may load contract assets (protocol 05 §9.4). */
  balancesForCall(caller: Frame, code: CodeObject, method: Method): BalanceState | undefined;
  /** Distributes the assets of a frame when it returns (protocol 05 §9.5). */
  giveBack(returned: Frame, caller: Frame): void;
  /** Records an event with the changes of the transaction. */
  log(entry: LogEntry): void;
}
