import { type Hash } from '../primitives/index.js';
import { type Refusal, type RefusalFacts } from '../validation/index.js';
import { type Utxo } from './utxo.js';

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

/** Where advice starts: a change of the request after which the next try may end otherwise. */
export interface Lack {
  /** Advice where no changed request can be built; a sentence without its point. */
  readonly otherwise: string;
  /** attoCoin, or units of `token`: sending less of it may succeed; no smaller reduction does. */
  readonly less?: bigint | undefined;
  readonly token?: Hash | undefined;
  /** attoCoin, or units of `token`, that a script needs on top of what is approved; `at`: where it fails. */
  readonly more?: bigint | undefined;
  readonly at?: string | undefined;
  /** Outputs for destinations that are too many for the gas of a transaction, at least. */
  readonly fewer?: number | undefined;
  /** The least gas that the next try needs. */
  readonly gas?: number | undefined;
  /** Index of the sender whose destinations are meant, of several. */
  readonly sender?: number | undefined;
  /** Advice that comes first, whatever else helps. */
  readonly first?: string | undefined;
  /** All usable outputs of the sender, where none is left. */
  readonly spendable?: readonly Utxo[] | undefined;
}

/**
 * A transaction that cannot be built. `{COIN}` and `{Coin}` in the text stand for the coin's symbol and name and are replaced at
 * the HTTP edge. Where existing clients match another text (protocol 02 §4, 07 §16.11), the edge makes it from `facts`.
 */
export class BuildRefusal extends Error {
  constructor(
    readonly code: BuildRefusalName,
    /** The fault; with advice, unless there is a lack. */
    readonly text: string,
    /** Why and where a script trial failed. */
    readonly reason?: Refusal,
    /** Values of the case; amounts are decimal strings. */
    readonly facts?: RefusalFacts,
    readonly lack?: Lack,
  ) {
    super(text);
    this.name = 'BuildRefusal';
  }

  /** The text with its advice. */
  get detail(): string {
    return this.lack === undefined ? this.text : `${this.text} ${this.lack.otherwise}.`;
  }

  /** The same refusal with further facts. */
  withFacts(facts: RefusalFacts): BuildRefusal {
    return new BuildRefusal(this.code, this.text, this.reason, { ...this.facts, ...facts }, this.lack);
  }

  /** The same refusal with another lack, or a part of one. */
  lacking(lack: Partial<Lack>): BuildRefusal {
    const { code, text, reason, facts } = this;
    return new BuildRefusal(code, text, reason, facts, { otherwise: '', ...this.lack, ...lack });
  }
}

/** A refusal with the values of its case. */
export const refusalOf = (code: BuildRefusalName, text: string, facts?: RefusalFacts, lack?: Lack): BuildRefusal =>
  new BuildRefusal(code, text, undefined, facts, lack);

/** Runs a step. Its refusal is thrown as `change` returns it. */
export const refusingAs = <T>(step: () => T, change: (refusal: BuildRefusal) => BuildRefusal): T => {
  try {
    return step();
  } catch (error) {
    throw error instanceof BuildRefusal ? change(error) : error;
  }
};

/**
 * Runs a step for a part of a request, e.g. `from[1]`: its refusals name the part, and include `facts`. Throws
 * BuildRefusal.
 */
export const atPlace = <T>(place: string, facts: RefusalFacts, step: () => T): T =>
  refusingAs(step, ({ code, text, reason, facts: own, lack }) => {
    const field = own?.field;
    const placed = { ...own, ...facts, ...(field === undefined ? {} : { field: `${place}.${field}` }) };
    return new BuildRefusal(code, `${place}: ${text}`, reason, placed, lack);
  });

export type BuildOutcome<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly refusal: Refusal<BuildRefusalName> };

/** Runs a builder and returns its refusal as a value. Other errors are faults and are rethrown. */
export const buildOutcome = <T>(build: () => T): BuildOutcome<T> => {
  try {
    return { ok: true, value: build() };
  } catch (error) {
    if (!(error instanceof BuildRefusal)) throw error;
    const { code, detail, reason, facts } = error;
    return { ok: false, refusal: { code, detail, ...(reason && { reason }), ...(facts && { facts }) } };
  }
};
