import { type ExecutionFailure } from '../vm/index.js';
import { type RefusalName } from './refusal-names.js';

export type RefusalFacts = Readonly<Record<string, string | number>>;

/**
 * A rule's verdict. A rule returns a refusal or nothing; a fault (missing key, database) is thrown and never makes a
 * block or a transaction invalid (architecture, decision 2).
 */
export interface Refusal<Name extends string = RefusalName> {
  /** The name of the rule as in the protocol, e.g. `InvalidSignature`. */
  readonly code: Name;
  /** The refusal of a transaction inside a block: `ExistInvalidTx(id, reason)`. */
  readonly transactionId?: string;
  readonly reason?: Refusal;
  /** Free detail for logs and clients; never a secret. */
  readonly detail?: string;
  /**
   * Values of this case, e.g. the limit and the found value. Interfaces build other texts from them; amounts are
   * decimal strings.
   */
  readonly facts?: RefusalFacts;
  /** The failure of the script, with its text and location (protocol 05 §12). */
  readonly failure?: ExecutionFailure;
}

/** Undefined when the rule holds. */
export type Verdict = Refusal | undefined;

export const refuse = (code: RefusalName, detail?: string, facts?: RefusalFacts): Refusal => ({
  code,
  ...(detail === undefined ? {} : { detail }),
  ...(facts && { facts }),
});

/** A named rule over a context. Lists of them run in order; the first refusal ends the run. */
export interface Rule<Context> {
  readonly name: string;
  readonly check: (context: Context) => Verdict;
}

/** Runs the rules in order and returns the first refusal. */
export const firstRefusal = <Context>(rules: readonly Rule<Context>[], context: Context): Verdict => {
  for (const rule of rules) {
    const verdict = rule.check(context);
    if (verdict) return verdict;
  }
  return undefined;
};

/**
 * A refusal as clients see it: like `verdictText`, but with the texts of failed scripts,
 * `TxScriptExeFailed(Contract .. does not exist)`. `{COIN}` and `{coin}` in it stand for the coin's symbol (protocol 05 §12.3).
 */
export const refusalText = ({ code, reason, failure }: Refusal<string>): string => {
  if (reason) return `${code}(${refusalText(reason)})`;
  return failure ? failure.text() : code;
};

/**
 * Why a transaction is refused, for people: the detail of the rule, or its name without a detail, then the failure of
 * its script. `{COIN}`, `{Coin}` and `{coin}` stand for the coin's names.
 */
export const refusalReason = ({ code, detail = code, reason, failure }: Refusal<string>): string => {
  if (reason) return `${detail}: ${refusalReason(reason)}`;
  return failure ? failure.plainText() : detail;
};

/** The script failure of a refusal, if it has one. */
export const failureOf = ({ failure, reason }: Refusal<string>): ExecutionFailure | undefined =>
  failure ?? (reason && failureOf(reason));

/**
 * A verdict as in the protocol and in clients: `valid`, `InvalidSignature`, `UnlockScriptExeFailed(OutOfGas)`,
 * `ExistInvalidTx(InvalidSignature)`.
 */
export const verdictText = (verdict: Verdict): string => {
  if (!verdict) return 'valid';
  return verdict.reason ? `${verdict.code}(${verdictText(verdict.reason)})` : verdict.code;
};
