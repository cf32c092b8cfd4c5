import {
  amountText,
  dustAmount,
  groupOfLockupScript,
  maxCoinValue,
  maxInputs,
  maxOutputDataSize,
  maxOutputs,
  oneCoin,
  u256Max,
} from '../primitives/index.js';
import { overflow } from './amount-sums.js';
import { refusalOf } from './build-refusal.js';
import { fewerInputs, type InputTakers, mostPlainDestinations } from './gas-estimate.js';
import { type UnminablePolicy } from './minable.js';
import { type Destination, placeOf } from './outputs.js';

/**
 * `one`: all destinations in one group (the requirement, 00-decisions 3); `one-besides-sender`: those outside the
 * sender's group in one group.
 */
export type DestinationGroups = 'one' | 'one-besides-sender';

const checkGroups = (
  destinations: readonly Destination[],
  senderGroup: number,
  groups: number,
  rule: DestinationGroups,
): void => {
  const found = destinations.map(({ lockupScript }) => groupOfLockupScript(lockupScript, groups));
  const isBound = (group: number): boolean => rule === 'one' || group !== senderGroup;
  const first = found.findIndex(isBound);
  const other = found.findIndex((group) => isBound(group) && group !== found[first]);
  if (other < 0) return;
  const place = placeOf(destinations[other]!, other);
  throw refusalOf(
    'DifferentGroups',
    `${place} is of group ${found[other]}, ${placeOf(destinations[first]!, first)} of group ${found[first]}: all destinations of a transaction are of one group. Make one transaction for each group.`,
    { of: 'outputs', field: `${place}.address` },
  );
};

const checkMessages = (destinations: readonly Destination[]): void => {
  for (const [index, destination] of destinations.entries()) {
    const { length } = destination.message ?? [];
    if (length <= maxOutputDataSize) continue;
    const place = placeOf(destination, index);
    throw refusalOf(
      'OutputDataSizeExceeded',
      `${place}: the message has ${length} bytes; that of an output has at most ${maxOutputDataSize}.`,
      { found: length, limit: maxOutputDataSize, field: `${place}.message` },
    );
  }
};

/** Numbers up to this one may be meant as coins: it is the maximum supply bound in coins. */
const mostCoins = maxCoinValue / oneCoin;

/** Each token goes in an output of its own, which the sender gives the smallest amount if the destination does not. */
const checkAmount = (place: string, { amount, tokens: { length } }: Destination): void => {
  if (amount >= dustAmount) return;
  const text = `below the smallest amount of an output, ${amountText(dustAmount)}${length === 0 ? '' : ' for each token'}`;
  const field = `${place}.attoCoinAmount`;
  const isOdd = amount > 0n && amount <= mostCoins;
  const least = length > 1 ? amountText(dustAmount * BigInt(length)) : 'that much';
  throw refusalOf(
    'AmountBelowDust',
    isOdd
      ? `${place}: the amount is read as ${amountText(amount)}, ${text}. An amount without a unit is in atto{Coin}: for coins write "${amount} {COIN}".`
      : `${place}: ${amountText(amount)} is ${text}. Send at least ${least}.`,
    { amount: String(amount), limit: String(dustAmount), field },
  );
};

/**
 * Checks that each output has enough coin, and a positive amount of each token (protocol 02 §4.6 steps 3 and 4). Throws
 * BuildRefusal.
 */
const checkAmounts = (destinations: readonly Destination[]): void => {
  for (const [index, destination] of destinations.entries()) checkAmount(placeOf(destination, index), destination);
  for (const [index, destination] of destinations.entries()) {
    const zero = destination.tokens.findIndex(({ amount }) => amount === 0n);
    if (zero < 0) continue;
    const place = `${placeOf(destination, index)}.tokens[${zero}]`;
    throw refusalOf('TokenAmountZero', `${place}: the amount is 0. Send at least 1, or leave the token out.`, {
      token: destination.tokens[zero]!.id,
      field: `${place}.amount`,
    });
  }
};

/**
 * Steps 1 to 3 of protocol 02 §4.2, and checks that the protocol makes later or only in validation (00-decisions, 26):
 * a client that omits the unit of coins should get that error before one about its balance.
 */
export const checkDestinations = (
  destinations: readonly Destination[],
  senderGroup: number,
  groups: number,
  rule: DestinationGroups,
  policy: UnminablePolicy = 'refuse',
): void => {
  const { length } = destinations;
  if (length === 0)
    throw refusalOf('ZeroOutputs', 'There are no destinations: a transaction needs at least one.', {
      field: 'destinations',
    });
  if (length > maxOutputs)
    throw refusalOf(
      'TooManyOutputs',
      `${length} destinations are too many: a transaction has at most ${maxOutputs} outputs, and gas for at most ${mostPlainDestinations} destinations without tokens. Send to the others in further transactions.`,
      { found: length, limit: maxOutputs, field: 'destinations' },
    );
  checkGroups(destinations, senderGroup, groups, rule);
  if (policy === 'build') return;
  checkMessages(destinations);
  checkAmounts(destinations);
};

/** Sum of the requested coin (protocol 02 §4.2 step 5). */
export const checkDestinationSum = (destinations: readonly Destination[]): bigint => {
  let sum = 0n;
  for (const [index, destination] of destinations.entries()) {
    sum += destination.amount;
    if (sum > maxCoinValue)
      throw overflow(sum > u256Max ? 'coin' : 'total', `${placeOf(destination, index)}.attoCoinAmount`);
  }
  return sum;
};

/** Step 1 of protocol 02 §4.6. Throws BuildRefusal. */
export const checkInputCount = (takers: InputTakers): void => {
  const { inputs } = takers;
  if (inputs <= maxInputs) return;
  throw refusalOf(
    'TooManyInputs',
    `The transaction would have ${inputs} inputs, and has at most ${maxInputs}.`,
    { found: inputs, limit: maxInputs },
    fewerInputs(takers, maxInputs),
  );
};

/** Steps 1 and 2 of protocol 02 §4.6. `references` are map keys of the inputs. */
export const checkInputs = (references: readonly string[], areChosen = false): void => {
  checkInputCount({ inputs: references.length, areChosen });
  const indexes = new Map<string, number>();
  for (const [index, reference] of references.entries()) {
    const first = indexes.get(reference);
    if (first !== undefined)
      throw refusalOf(
        'InputsNotUnique',
        `Inputs ${first} and ${index}, counted from 0, are the same output. Name each output once.`,
        { field: `utxos[${index}]` },
      );
    indexes.set(reference, index);
  }
};

/**
 * Checks on the selected inputs and the requested amounts (protocol 02 §4.6). `references` are map keys of the inputs.
 */
export const checkInputsAndAmounts = (
  references: readonly string[],
  destinations: readonly Destination[],
  areChosen = false,
): void => {
  checkInputs(references, areChosen);
  checkAmounts(destinations);
};
