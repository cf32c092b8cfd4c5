import { type Refusal, type RefusalFacts } from '../validation/index.js';

/** Why a transaction cannot be built (protocol 02 §4 to §7, 07 §16.11). */
export type BuildRefusalName =
  | 'AmountBelowDust'
  | 'AmountOverflow'
  | 'ChangeTooSmall'
  | 'CodeSizeTooLarge'
  | 'ContractUtxo'
  | 'DepositTooSmall'
  | 'DifferentGroups'
  | 'DifferentUtxoGroups'
  | 'EmptyInputs'
  | 'EmptyUtxos'
  | 'EstimatedGasTooLarge'
  | 'ForeignUtxo'
  | 'GasFeeTooHigh'
  | 'GasPriceTooLarge'
  | 'GasPriceTooSmall'
  | 'GasTooLarge'
  | 'GasTooSmall'
  | 'InputsNotUnique'
  | 'InvalidFieldLength'
  | 'InvalidLockupScript'
  | 'InvalidPublicKey'
  | 'InvalidPublicKeyNumber'
  | 'InvalidPublicKeyOrder'
  | 'InvalidUnlockScript'
  | 'LockedUtxo'
  | 'MissingGas'
  | 'MissingIssueAmount'
  | 'NewTokensInOutputs'
  | 'NoUtxo'
  | 'NotEnoughBalance'
  | 'NotEnoughBalanceForFee'
  | 'NotEnoughToken'
  | 'OutputDataSizeExceeded'
  | 'RepeatedSender'
  | 'ScriptTrialFailed'
  | 'TokenAmountZero'
  | 'TooManyInputs'
  | 'TooManyOutputs'
  | 'UnbalancedCoin'
  | 'UnbalancedTokens'
  | 'UtxoNotFound'
  | 'ZeroInputs'
  | 'ZeroOutputs';

/**
 * A transaction that cannot be built. `{COIN}` and `{Coin}` in the text stand for the coin's symbol and name and are replaced at
 * the HTTP edge. Where existing clients match another text (protocol 02 §4, 07 §16.11), the edge makes it from `facts`.
 */
export class BuildRefusal extends Error {
  constructor(
    readonly code: BuildRefusalName,
    readonly text: string,
    /** Why and where a script trial failed. */
    readonly reason?: Refusal,
    /** Values of the case; amounts are decimal strings. */
    readonly facts?: RefusalFacts,
  ) {
    super(text);
    this.name = 'BuildRefusal';
  }
}

/** A refusal with the values of its case. */
export const refusalOf = (code: BuildRefusalName, text: string, facts?: RefusalFacts): BuildRefusal =>
  new BuildRefusal(code, text, undefined, facts);

/**
 * Runs a step for a part of a request, e.g. `from[1]`: its refusals name the part, and include `facts`. Throws
 * BuildRefusal.
 */
export const atPlace = <T>(place: string, facts: RefusalFacts, step: () => T): T => {
  try {
    return step();
  } catch (error) {
    if (!(error instanceof BuildRefusal)) throw error;
    const field = error.facts?.field;
    throw new BuildRefusal(error.code, `${place}: ${error.text}`, error.reason, {
      ...error.facts,
      ...facts,
      ...(field === undefined ? {} : { field: `${place}.${field}` }),
    });
  }
};

export type BuildOutcome<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly refusal: Refusal<BuildRefusalName> };

/** Runs a builder and returns its refusal as a value. Other errors are faults and are rethrown. */
export const buildOutcome = <T>(build: () => T): BuildOutcome<T> => {
  try {
    return { ok: true, value: build() };
  } catch (error) {
    if (!(error instanceof BuildRefusal)) throw error;
    const { code, text: detail, reason, facts } = error;
    return { ok: false, refusal: { code, detail, ...(reason && { reason }), ...(facts && { facts }) } };
  }
};
