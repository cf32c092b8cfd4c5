import {
  maxCoinValue,
  maximalGasPerTx,
  minGasPrice,
  minimalGas,
  p2pkUnlockGas,
  txBaseGas,
  txInputBaseGas,
  txOutputBaseGas,
} from '../primitives/index.js';
import { type UnlockScript } from '../transaction/index.js';
import { BuildRefusal } from './build-refusal.js';
import { type UnminablePolicy } from './minable.js';

/** The bound of the documented text; below `minGasPrice` no such transaction can be mined (00-decisions, 26). */
const minimalBuilderGasPrice = 1_000_000_000n;

/** `document`: Rule R, `reference`: Rule E of protocol 02 §2.5. Only a single p2pkh sender has the choice. */
export type GasFormula = 'document' | 'reference';

/** An unlock script that has to be run to learn its gas. */
export type ScriptUnlock = Extract<UnlockScript, { readonly kind: 'p2sh' }>;

/** Gas of running an unlock script, its code and hash charges included (protocol 02 §2.6). Throws BuildRefusal. */
export type UnlockScriptGas = (unlock: ScriptUnlock) => number;

const cannotRun: UnlockScriptGas = () => {
  throw new Error('the gas of an unlock script is estimated where no script can be run');
};

const unlockGas = (unlock: UnlockScript, gasOfScript: UnlockScriptGas): number => {
  switch (unlock.kind) {
    case 'p2pkh':
      return p2pkUnlockGas;
    case 'p2mpkh':
      return p2pkUnlockGas * unlock.keys.length;
    case 'p2sh':
      return gasOfScript(unlock);
    case 'reserved':
    case 'sameAsPrevious':
      throw new BuildRefusal('InvalidUnlockScript', 'Error estimating gas for SameAsPrevious unlock script');
  }
};

/** Gas of the listed unlock scripts under Rule E; a same-as-previous marker costs what its predecessor does. */
export const estimateGasOfUnlocks = (
  unlocks: readonly UnlockScript[],
  outputs: number,
  gasOfScript: UnlockScriptGas = cannotRun,
): number => {
  let previous: number | undefined;
  let gas = txBaseGas + txOutputBaseGas * outputs;
  for (const unlock of unlocks) {
    previous =
      unlock.kind === 'sameAsPrevious' && previous !== undefined
        ? previous
        : txInputBaseGas + unlockGas(unlock, gasOfScript);
    gas += previous;
  }
  return Math.max(minimalGas, gas);
};

/** Gas of `inputs` inputs with one unlock script and `outputs` outputs (protocol 02 §2.5). */
export const estimateGas = (
  formula: GasFormula,
  unlock: UnlockScript,
  inputs: number,
  outputs: number,
  gasOfScript: UnlockScriptGas = cannotRun,
): number => {
  const once = unlockGas(unlock, gasOfScript);
  const perInputs =
    formula === 'document' && unlock.kind === 'p2pkh'
      ? txInputBaseGas * inputs + once
      : (txInputBaseGas + once) * inputs;
  return Math.max(minimalGas, txBaseGas + txOutputBaseGas * outputs + perInputs);
};

/** Gas of one transaction of a sweep, whatever the sender's kind (protocol 02 §6 step 5). */
export const estimateSweepGas = (inputs: number, distinctTokens: number): number =>
  Math.max(minimalGas, txBaseGas + (txInputBaseGas + p2pkUnlockGas) * inputs + txOutputBaseGas * (distinctTokens + 1));

/** The client's own gas and price (protocol 02 §2.7). */
export const checkGivenGas = (
  gasAmount: number | undefined,
  gasPrice: bigint,
  policy: UnminablePolicy = 'refuse',
): void => {
  if (gasAmount !== undefined && gasAmount < minimalGas)
    throw new BuildRefusal('GasTooSmall', `Provided gas GasBox(${gasAmount}) too small, minimal GasBox(${minimalGas})`);
  if (gasAmount !== undefined && gasAmount > maximalGasPerTx)
    throw new BuildRefusal(
      'GasTooLarge',
      `Provided gas GasBox(${gasAmount}) too large, maximal GasBox(${maximalGasPerTx})`,
    );
  if (gasPrice < (policy === 'build' ? minimalBuilderGasPrice : minGasPrice)) {
    const minimum = gasPrice < minimalBuilderGasPrice ? minimalBuilderGasPrice : minGasPrice;
    throw new BuildRefusal(
      'GasPriceTooSmall',
      `Gas price GasPrice(${gasPrice}) too small, minimal GasPrice(${minimum})`,
    );
  }
  if (gasPrice >= maxCoinValue)
    throw new BuildRefusal(
      'GasPriceTooLarge',
      `Gas price GasPrice(${gasPrice}) too large, maximal GasPrice(${maxCoinValue - 1n})`,
    );
};

export const checkEstimatedGas = (gas: number): number => {
  if (gas > maximalGasPerTx) {
    throw new BuildRefusal(
      'EstimatedGasTooLarge',
      `Estimated gas GasBox(${gas}) too large, maximal GasBox(${maximalGasPerTx}). Consider consolidating UTXOs using the sweep endpoints or sending to less addresses`,
    );
  }
  return gas;
};
