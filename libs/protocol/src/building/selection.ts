import { amountText, maximalGasPerTx } from '../primitives/index.js';
import { type Token } from '../transaction/index.js';
import { BuildRefusal, refusalOf } from './build-refusal.js';
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
}

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
const notEnough = (got: bigint, { amount, held, token, note = '' }: Wanted): BuildRefusal => {
  const facts = { of: 'selection', got: String(got), expected: String(amount - held) };
  const has = got + held;
  return token === undefined
    ? refusalOf(
        'NotEnoughBalance',
        `Not enough balance: the sender can spend ${amountText(has)}, but ${amountText(amount)} is needed${note}. ${has === 0n ? 'Send coins to it first' : 'Send less'}.`,
        facts,
      )
    : refusalOf(
        'NotEnoughBalance',
        `Not enough balance: the sender can spend ${has} of token ${token}, but ${amount} is to be sent. Send less of it.`,
        { ...facts, token },
      );
};

const notEnoughForFee = (got: bigint, expected: bigint, fee: bigint): BuildRefusal =>
  refusalOf(
    'NotEnoughBalanceForFee',
    `Not enough balance for the fee: the sender can spend ${amountText(got)}, which is enough for ${amountText(expected)}, but not for the fee of ${amountText(fee)} too. Send ${amountText(expected + fee - got)} less.`,
    { of: 'selection', got: String(got), expected: String(expected), fee: String(fee) },
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
  throw notEnough(sum, wanted);
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
): { readonly picked: Utxo[]; readonly walk: Walk } => {
  const picked: Utxo[] = [];
  const rest = pickTokens(source, tokens, direction, picked);
  const walk = new Walk(concatenated(rest.withoutTokens(direction), rest.withTokens(direction)));
  const fee = gasAmount === undefined ? ' besides the fee' : ' with the fee';
  const note = change === undefined ? fee : `${fee}, ${amountText(change)} of it for change`;
  pick(walk, { amount: target, held: sumOfCoin(picked), note }, picked);
  return { picked, walk };
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

const tryDirection = (source: UtxoSource, request: SelectionRequest, direction: Direction): Selection => {
  const { gasAmount, gasPrice, estimateScriptGas } = request;
  if (gasAmount !== undefined) {
    const { picked } = pickUpTo(source, request, request.coin + gasPrice * BigInt(gasAmount), direction);
    return { picked, gas: gasAmount, scriptGas: 0 };
  }
  const scriptGas = estimateScriptGas?.(inputsOfTrial(source, request, direction)) ?? 0;
  const target = request.coin + gasPrice * BigInt(scriptGas);
  const { picked, walk } = pickUpTo(source, request, target, direction);
  let coin = sumOfCoin(picked);
  for (;;) {
    const gas = request.estimateGas(picked.length, picked);
    if (coin >= target + gasPrice * BigInt(gas)) return { picked, gas: gas + scriptGas, scriptGas };
    const more = walk.next();
    if (more === undefined) throw notEnoughForFee(coin, target, gasPrice * BigInt(gas));
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
    return tryDirection(source, request, 'descending');
  }
};
