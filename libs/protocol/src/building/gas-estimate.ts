import {
  amountText,
  maxCoinValue,
  maxInputs,
  maximalGasPerTx,
  minGasPrice,
  minimalGas,
  p2pkUnlockGas,
  txBaseGas,
  txInputBaseGas,
  txOutputBaseGas,
} from '../primitives/index.js';
import { type UnlockScript } from '../transaction/index.js';
import { type Lack, refusalOf } from './build-refusal.js';
import { type UnminablePolicy } from './minable.js';

/** The bound of the documented text; below `minGasPrice` no such transaction can be mined (00-decisions, 26). */
const minimalBuilderGasPrice = 1_000_000_000n;

/** `document`: Rule R, `reference`: Rule E of protocol 02 §2.5. Only a single p2pkh sender has the choice. */
export type GasFormula = 'document' | 'reference';

/** An unlock script whose gas is known only from a run. */
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
      throw refusalOf('InvalidUnlockScript', 'The gas of this kind of unlock script cannot be estimated.', {
        kind: unlock.kind,
      });
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

/** Gas of each further input in an estimate; a lower bound if a script unlocks it. */
export const gasOfMoreInputs = (formula: GasFormula, unlock: UnlockScript): number => {
  if (unlock.kind === 'p2mpkh') return txInputBaseGas + p2pkUnlockGas * unlock.keys.length;
  return unlock.kind === 'p2pkh' && formula === 'reference' ? txInputBaseGas + p2pkUnlockGas : txInputBaseGas;
};

/** Destinations without tokens for which the gas of a transaction of one key is enough, with one input and change. */
export const mostPlainDestinations =
  Math.floor((maximalGasPerTx - txBaseGas - txInputBaseGas - p2pkUnlockGas) / txOutputBaseGas) - 1;

/** The client's own price (protocol 02 §2.7). Throws BuildRefusal. */
export const checkGasPrice = (gasPrice: bigint, policy: UnminablePolicy): void => {
  const facts = { price: String(gasPrice), field: 'gasPrice' };
  const text = `The gas price of ${amountText(gasPrice)}`;
  if (gasPrice < (policy === 'build' ? minimalBuilderGasPrice : minGasPrice)) {
    const minimum = gasPrice < minimalBuilderGasPrice ? minimalBuilderGasPrice : minGasPrice;
    throw refusalOf(
      'GasPriceTooSmall',
      `${text} is below ${amountText(minGasPrice)}, the least that a block takes for a unit of gas. Leave it out to pay the least.`,
      { ...facts, limit: String(minimum) },
    );
  }
  if (gasPrice >= maxCoinValue)
    throw refusalOf(
      'GasPriceTooLarge',
      `${text} for a unit of gas is more than all coins that can exist. Leave it out to pay the least, ${amountText(minGasPrice)}.`,
      { ...facts, limit: String(maxCoinValue - 1n) },
    );
};

/** Source of the gas amount, and advice; for texts. */
interface GasWords {
  readonly what: string;
  readonly advice: string;
}

const clientsOwn: GasWords = { what: 'The gas amount', advice: 'Leave it out to have it estimated.' };

/** The client's own gas (protocol 02 §2.7). Throws BuildRefusal. */
export const checkGasAmount = (gasAmount: number | undefined, { what, advice } = clientsOwn): void => {
  if (gasAmount === undefined) return;
  const text = `${what} of ${gasAmount}`;
  const facts = { gas: gasAmount, field: 'gasAmount' };
  if (gasAmount < minimalGas)
    throw refusalOf('GasTooSmall', `${text} is below ${minimalGas}, the least of a transaction. ${advice}`, {
      ...facts,
      limit: minimalGas,
    });
  if (gasAmount > maximalGasPerTx)
    throw refusalOf('GasTooLarge', `${text} is above ${maximalGasPerTx}, the most of a transaction. ${advice}`, {
      ...facts,
      limit: maximalGasPerTx,
    });
};

/** The client's own gas and price (protocol 02 §2.7). Throws BuildRefusal. */
export const checkGivenGas = (
  gasAmount: number | undefined,
  gasPrice: bigint,
  policy: UnminablePolicy = 'refuse',
): void => {
  checkGasAmount(gasAmount);
  checkGasPrice(gasPrice, policy);
};

/** Inputs of a transaction, for advice when they are too many. */
export interface InputTakers {
  readonly inputs: number;
  /** Absent: they are selected. */
  readonly areChosen?: boolean;
  /** attoCoin less with which so many inputs may do. Absent: unknown. */
  readonly lessFor?: ((inputs: number) => bigint | undefined) | undefined;
}

/** Advice for more inputs than `fit`. */
export const fewerInputs = ({ areChosen = false, lessFor }: Omit<InputTakers, 'inputs'>, fit: number): Lack => {
  const first = areChosen
    ? 'Choose fewer outputs, or join them with a sweep first'
    : 'Join outputs of the sender with a sweep first';
  return { first, otherwise: first, less: lessFor?.(fit) };
};

/** Parts of a transaction that use gas. */
export interface GasTakers extends InputTakers {
  /** See `gasOfMoreInputs`. */
  readonly perInput: number;
  /** Outputs of destinations: one for each, and one for each token. */
  readonly outputs: number;
}

/** Refuses more gas than a transaction may have; the text names the excessive part. Throws BuildRefusal. */
export const checkEstimatedGas = (gas: number, takers: GasTakers): number => {
  const { inputs, perInput, outputs } = takers;
  const excess = gas - maximalGasPerTx;
  if (excess <= 0) return gas;
  const text = `The transaction needs ${gas} gas, and has at most ${maximalGasPerTx}`;
  const facts = { gas, limit: maximalGasPerTx };
  if (excess <= (inputs - 1) * perInput) {
    const inputsThatFit = Math.min(maxInputs, inputs - Math.ceil(excess / perInput));
    throw refusalOf(
      'EstimatedGasTooLarge',
      `${text}: of its ${inputs} inputs, ${inputsThatFit} fit.`,
      { ...facts, inputsThatFit },
      { ...fewerInputs(takers, inputsThatFit), fewer: Math.ceil(excess / txOutputBaseGas) },
    );
  }
  const outputsThatFit = outputs - Math.ceil((excess - (inputs - 1) * perInput) / txOutputBaseGas);
  if (outputsThatFit <= 0) throw refusalOf('EstimatedGasTooLarge', `${text}: its script takes too much.`, facts);
  throw refusalOf(
    'EstimatedGasTooLarge',
    `${text}: of its ${outputs} outputs for destinations (one for each, and one for each of its tokens), ${outputsThatFit} fit, if one input is enough.`,
    { ...facts, outputsThatFit, field: 'destinations' },
    { fewer: outputs - outputsThatFit, otherwise: 'Send to the others in further transactions' },
  );
};
