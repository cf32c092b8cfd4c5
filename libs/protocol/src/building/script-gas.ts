import { type StatefulScript } from '../script/index.js';
import { type ScriptUnlock, type UnlockScriptGas } from './gas-estimate.js';
import { type Sender } from './sender.js';
import { type Utxo } from './utxo.js';

/** Tries scripts to learn their gas (protocol 02 §2.6). Both throw BuildRefusal if a script fails, and StateMiss. */
export interface ScriptTrial {
  /** Gas of the transaction script with these inputs, its code charge included. */
  readonly transactionScriptGas: (script: StatefulScript, sender: Sender, inputs: readonly Utxo[]) => number;
  /** Gas of one unlock by script with these inputs, code and hash charges included. */
  readonly unlockScriptGas: (unlock: ScriptUnlock, sender: Sender, inputs: readonly Utxo[]) => number;
}

/** Gas of the sender's unlock script with these inputs. */
export const unlockGasBy =
  (trial: ScriptTrial | undefined, sender: Sender, inputs: readonly Utxo[]): UnlockScriptGas =>
  (unlock) => {
    if (!trial) throw new Error('a sender unlocks with a script where no script can be tried');
    return trial.unlockScriptGas(unlock, sender, inputs);
  };
