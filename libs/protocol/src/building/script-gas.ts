import { type StatefulScript } from '../script/index.js';
import { type Verdict } from '../validation/index.js';
import { type ScriptUnlock, type UnlockScriptGas } from './gas-estimate.js';
import { type UnsignedTransaction } from '../transaction/index.js';
import { type Sender } from './sender.js';
import { type Utxo } from './utxo.js';

/** Tries scripts (protocol 02 §2.6). All throw BuildRefusal if a script fails, and RunMiss. */
export interface ScriptTrial {
  /** Gas of the transaction script with these inputs, its code charge included. */
  readonly transactionScriptGas: (script: StatefulScript, sender: Sender, inputs: readonly Utxo[]) => number;
  /** Gas of one unlock by script with these inputs, code and hash charges included. */
  readonly unlockScriptGas: (unlock: ScriptUnlock, sender: Sender, inputs: readonly Utxo[]) => number;
  /**
   * Gas of the script of a built transaction, its code charge included: it spends these inputs, has what the
   * transaction leaves it, makes its outputs, and may take the most gas of a transaction.
   */
  readonly builtScriptGas: (built: BuiltScript) => number;
  /** Verdict of the mempool on a built transaction under the right signatures (protocol 02 §9.7). */
  readonly admissionOf: (built: BuiltScript) => Verdict;
}

/** A built transaction with a script, and the outputs that it spends. */
export interface BuiltScript {
  readonly unsigned: UnsignedTransaction;
  readonly sender: Sender;
  readonly inputs: readonly Utxo[];
}

/** Gas of the sender's unlock script with these inputs. */
export const unlockGasBy =
  (trial: ScriptTrial | undefined, sender: Sender, inputs: readonly Utxo[]): UnlockScriptGas =>
  (unlock) => {
    if (!trial) throw new Error('a sender unlocks with a script where no script can be tried');
    return trial.unlockScriptGas(unlock, sender, inputs);
  };
