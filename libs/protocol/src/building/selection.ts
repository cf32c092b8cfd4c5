import { amountText, maximalGasPerTx } from '../primitives/index.js';
import { type Token } from '../transaction/index.js';
import { BuildRefusal, refusalOf, refusingAs } from './build-refusal.js';
import {
  compareByToken,
  sortUtxos,
  tokenAmount,
  utxoSourceOf,
  type Direction,
  type Utxo,
  type UtxoSource,
} from './utxo.js';

export interface SelectionRequest {
  /** Required attoCoin without the fee. */
  readonly coin: bigint;
  /** The part of it for change, attoCoin; for texts. */
  readonly change?: bigint | undefined;
  /** Required per token, in order. */
  readonly tokens: readonly Token[];
  readonly gasPrice: bigint;
  /** The client's own gas; without it the gas is estimated for the number of inputs. */
  readonly gasAmount: number | undefined;
  /** Gas of the transaction with these inputs, without its script. */
  readonly estimateGas: (inputs: number, picked: readonly Utxo[]) => number;
  /** Gas of the transaction's script with these inputs; called only if the client gives no gas. */
  readonly estimateScriptGas?: ((inputs: readonly Utxo[]) => number) | undefined;
}

export interface Selection {
  /** In the order of picking, which becomes the order of inputs. */
  readonly picked: readonly Utxo[];
  /** The client's gas, or the estimate. */
  readonly gas: number;
  /** The part of it that is estimated for the script; 0 without one, or when the client gave the gas. */
  readonly scriptGas: number;
  /**
   * With so much less coin (attoCoin) the first `inputs` of the picked outputs would do, or another order of picking
   * would lead to others. Undefined: with no amount.
   */
  readonly lessFor: (inputs: number) => bigint | undefined;
}

/** Advice where nothing less can be sent. */
export const coinsFirst = 'Send coins to it first';

interface Wanted {
  readonly amount: bigint;
  /** Amount in the outputs picked so far. */
  readonly held: bigint;
  /** Id of the token; absent: coin. */
  readonly token?: string;
  /** Composition of the amount of coin, for people. */
  readonly note?: string;
}

/** `got`: amount in the remaining outputs. The documented text compares it with the amount missing before these. */
const notEnough = (
  got: bigint,
  { amount, held, token, note = '' }: Wanted,
  spendable: readonly Utxo[],
): BuildRefusal => {
  const facts = { of: 'selection', got: String(got), expected: String(amount - held) };
  const has = got + held;
  const less = amount - has;
  return token === undefined
    ? refusalOf(
        'NotEnoughBalance',
        `Not enough balance: the sender can spend ${amountText(has)}, but ${amountText(amount)} is needed${note}.`,
        facts,
        { less, otherwise: coinsFirst, spendable },
      )
    : refusalOf(
        'NotEnoughBalance',
        `Not enough balance: the sender can spend ${has} of token ${token}, but ${amount} is to be sent.`,
        { ...facts, token },
        { less, token, otherwise: 'Send some of it to the sender first' },
      );
};

/** Of the fee that is nearest to what the outputs have: of all of them, or fewer, since each costs gas. */
const notEnoughForFee = (
  got: bigint,
  expected: bigint,
  fee: bigint,
  less: bigint,
  spendable: readonly Utxo[],
): BuildRefusal =>
  refusalOf(
    'NotEnoughBalanceForFee',
    `Not enough balance for the fee: the sender can spend ${amountText(got)}, which is enough for ${amountText(expected)}, but not for the fee of ${amountText(fee)} too.`,
    { of: 'selection', got: String(got), expected: String(expected), fee: String(fee) },
    { less, otherwise: coinsFirst, spendable },
  );

/** A resumable walk over sorted outputs: phase 2 continues where phase 1 stopped. */
class Walk {
  private readonly iterator: Iterator<Utxo>;
  constructor(ordered: Iterable<Utxo>) {
    this.iterator = ordered[Symbol.iterator]();
  }
  next(): Utxo | undefined {
    const { done, value } = this.iterator.next();
    return done ? undefined : value;
  }
}

function* concatenated(first: Iterable<Utxo>, second: Iterable<Utxo>): Iterable<Utxo> {
  yield* first;
  yield* second;
}

/** Walks until the passed outputs have the wanted amount; refused if the list ends first. */
const pick = (walk: Walk, wanted: Wanted, into: Utxo[]): void => {
  const { token } = wanted;
  const amount = wanted.amount - wanted.held;
  const value = (utxo: Utxo): bigint => (token === undefined ? utxo.amount : tokenAmount(utxo, token));
  if (amount <= 0n) return;
  let sum = 0n;
  for (let utxo = walk.next(); utxo !== undefined; utxo = walk.next()) {
    into.push(utxo);
    sum += value(utxo);
    if (sum >= amount) return;
  }
  throw notEnough(sum, wanted, into);
};

/** Picks for tokens, each from the rest sorted by that token; returns the remaining outputs (phase 1, step 1). */
const pickTokens = (source: UtxoSource, tokens: readonly Token[], direction: Direction, picked: Utxo[]): UtxoSource => {
  if (tokens.length === 0) return source;
  let rest: readonly Utxo[] = source.all();
  for (const { id, amount } of tokens) {
    const sorted = sortUtxos(rest, compareByToken(id), direction);
    const held = picked.reduce((sum, utxo) => sum + tokenAmount(utxo, id), 0n);
    const before = picked.length;
    pick(new Walk(sorted), { amount, held, token: id }, picked);
    rest = sorted.slice(picked.length - before);
  }
  return utxoSourceOf(rest);
};

const sumOfCoin = (utxos: readonly Utxo[]): bigint => utxos.reduce((sum, utxo) => sum + utxo.amount, 0n);

/** Phase 1 (protocol 02 §4.4): tokens, then coin up to a target; phase 2 continues the walk. */
const pickUpTo = (
  source: UtxoSource,
  { tokens, change, gasAmount }: SelectionRequest,
  target: bigint,
  direction: Direction,
): { readonly picked: Utxo[]; readonly walk: Walk; readonly forTokens: number } => {
  const picked: Utxo[] = [];
  const rest = pickTokens(source, tokens, direction, picked);
  const forTokens = picked.length;
  const walk = new Walk(concatenated(rest.withoutTokens(direction), rest.withTokens(direction)));
  const fee = gasAmount === undefined ? ' besides the fee' : ' with the fee';
  const note = change === undefined ? fee : `${fee}, ${amountText(change)} of it for change`;
  pick(walk, { amount: target, held: sumOfCoin(picked), note }, picked);
  return { picked, walk, forTokens };
};

/** Inputs of the script's trial: enough for any gas, or all outputs (protocol 02 §7.2 step 2). */
const inputsOfTrial = (source: UtxoSource, request: SelectionRequest, direction: Direction): readonly Utxo[] => {
  const { coin, gasPrice } = request;
  try {
    return pickUpTo(source, request, coin + gasPrice * BigInt(maximalGasPerTx), direction).picked;
  } catch (error) {
    if (!(error instanceof BuildRefusal)) throw error;
    return source.all();
  }
};

/** The smaller of two amounts, either of which may be missing. */
const smaller = (a: bigint | undefined, b: bigint | undefined): bigint | undefined =>
  a === undefined || (b !== undefined && b < a) ? b : a;

const tryDirection = (source: UtxoSource, request: SelectionRequest, direction: Direction): Selection => {
  const { gasAmount, gasPrice, estimateScriptGas } = request;
  const scriptGas = gasAmount === undefined ? (estimateScriptGas?.(inputsOfTrial(source, request, direction)) ?? 0) : 0;
  const target = request.coin + gasPrice * BigInt(gasAmount ?? scriptGas);
  const { picked, walk, forTokens } = pickUpTo(source, request, target, direction);
  const feeOf = (inputs: readonly Utxo[]): bigint =>
    gasAmount === undefined ? gasPrice * BigInt(request.estimateGas(inputs.length, inputs)) : 0n;
  const lessFor = (inputs: number): bigint | undefined => {
    const first = picked.slice(0, inputs);
    return inputs < Math.max(1, forTokens) ? undefined : target + feeOf(first) - sumOfCoin(first);
  };
  if (gasAmount !== undefined) return { picked, gas: gasAmount, scriptGas: 0, lessFor };
  let coin = sumOfCoin(picked);
  let least: bigint | undefined;
  for (;;) {
    const gas = request.estimateGas(picked.length, picked);
    const fee = gasPrice * BigInt(gas);
    const less = target + fee - coin;
    if (less <= 0n) return { picked, gas: gas + scriptGas, scriptGas, lessFor };
    least = least === undefined || less < least ? less : least;
    const more = walk.next();
    if (more === undefined) throw notEnoughForFee(coin, target, fee, least, picked);
    picked.push(more);
    coin += more.amount;
  }
};

/**
 * Chooses the outputs to spend: first in ascending order. If that fails for any reason, repeats from the start in
 * descending order, whose result or refusal is final (protocol 02 §4.4). Throws BuildRefusal.
 */
export const selectUtxos = (source: UtxoSource, request: SelectionRequest): Selection => {
  try {
    return tryDirection(source, request, 'ascending');
  } catch (error) {
    if (!(error instanceof BuildRefusal)) throw error;
    const { lack } = error;
    const ascending = lack?.token === undefined ? lack?.less : undefined;
    const selection = tryDirection(source, request, 'descending');
    return { ...selection, lessFor: (inputs) => smaller(selection.lessFor(inputs), ascending) };
  }
};

/** Runs a step that uses a selection: with less coin to be sent, fewer of its outputs may do. Throws BuildRefusal. */
export const withSelection = <T>({ picked, lessFor }: Selection, step: () => T): T =>
  refusingAs(step, (refusal) => {
    const { less, token } = refusal.lack ?? {};
    if (less === undefined || token !== undefined) return refusal;
    return refusal.lacking({ less: smaller(less, lessFor(picked.length - 1)), otherwise: coinsFirst });
  });
