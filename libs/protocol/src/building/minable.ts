import {
  maxOutputs,
  p2pkUnlockGas,
  scriptBaseGas,
  txBaseGas,
  txInputBaseGas,
  txOutputBaseGas,
} from '../primitives/index.js';
import { sameUnlockScript, type UnlockScript, type UnsignedTransaction } from '../transaction/index.js';
import { codeSizeOf } from '../validation/index.js';
import { refusalOf } from './build-refusal.js';

/**
 * Policy of builders for a request whose transaction validation would refuse later (00-decisions, 26): `refuse` it, or
 * `build` it as the reference does.
 */
export type UnminablePolicy = 'refuse' | 'build';

type Charged = Pick<UnsignedTransaction, 'inputs'> & { readonly fixedOutputs: { readonly length: number } };

/** Undefined for scripts: their gas is known only from a run. */
const unlockCharge = (unlock: UnlockScript): number | undefined => {
  switch (unlock.kind) {
    case 'p2pkh':
      return p2pkUnlockGas;
    case 'p2mpkh':
      return p2pkUnlockGas * unlock.keys.length;
    case 'sameAsPrevious':
      return 0;
    case 'p2sh':
    case 'reserved':
      return undefined;
  }
};

/**
 * Gas that validation takes from a transaction of keys: consecutive inputs with the same unlock script are checked once
 * (protocol 02 §9.5). Undefined when an input is unlocked by a script. It is exact if equal unlock scripts belong to
 * equal lockup scripts, as in built transactions.
 */
export const chargedGas = ({ inputs, fixedOutputs }: Charged): number | undefined => {
  let gas = txBaseGas + txInputBaseGas * inputs.length + txOutputBaseGas * fixedOutputs.length;
  let previous: UnlockScript | undefined;
  for (const { unlockScript } of inputs) {
    if (previous && (previous === unlockScript || sameUnlockScript(previous, unlockScript))) continue;
    const once = unlockCharge(unlockScript);
    if (once === undefined) return undefined;
    gas += once;
    previous = unlockScript;
  }
  return gas;
};

/** Gas that validation takes from `inputs` inputs of one sender and `outputs` outputs. */
export const chargedGasOf = (unlockScript: UnlockScript, inputs: number, outputs: number): number | undefined => {
  const unlock = unlockCharge(unlockScript);
  return unlock === undefined
    ? undefined
    : txBaseGas + txInputBaseGas * inputs + txOutputBaseGas * outputs + (inputs > 0 ? unlock : 0);
};

/** Gas that validation charges before the first instruction of a script; undefined as for `chargedGas`. */
const minimumGas = (unsigned: UnsignedTransaction): number | undefined => {
  const charged = chargedGas(unsigned);
  const { script } = unsigned;
  return charged === undefined || !script ? charged : charged + scriptBaseGas + codeSizeOf(script);
};

/**
 * With the policy `refuse`, refuses a transaction with more outputs than a block may hold or less gas than validation
 * charges (00-decisions, 26). Throws BuildRefusal.
 */
export const checkMinable = (unsigned: UnsignedTransaction, policy: UnminablePolicy): UnsignedTransaction => {
  if (policy === 'build') return unsigned;
  const { length } = unsigned.fixedOutputs;
  if (length > maxOutputs)
    throw refusalOf(
      'TooManyOutputs',
      `The transaction would have ${length} outputs (one for each destination, one for each of its tokens, and the change), and has at most ${maxOutputs}. Send to fewer destinations.`,
      { found: length, limit: maxOutputs, field: 'destinations' },
    );
  const charged = minimumGas(unsigned);
  if (charged !== undefined && unsigned.gasAmount < charged) {
    throw refusalOf(
      'GasTooSmall',
      `The gas amount of ${unsigned.gasAmount} is too little: this transaction needs ${charged}.`,
      { gas: unsigned.gasAmount, needed: charged, field: 'gasAmount' },
      { gas: charged, otherwise: 'Leave it out to have it estimated' },
    );
  }
  return unsigned;
};
