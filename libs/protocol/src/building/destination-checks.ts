import {
  dustAmount,
  groupOfLockupScript,
  maxCoinValue,
  maxInputs,
  maxOutputDataSize,
  maxOutputs,
} from '../primitives/index.js';
import { addAmounts } from './amount-sums.js';
import { BuildRefusal } from './build-refusal.js';
import { type UnminablePolicy } from './minable.js';
import { type Destination } from './outputs.js';

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
  const found = new Set(destinations.map(({ lockupScript }) => groupOfLockupScript(lockupScript, groups)));
  if (rule === 'one-besides-sender') found.delete(senderGroup);
  if (found.size > 1) throw new BuildRefusal('DifferentGroups', 'Different groups for transaction outputs');
};

/** Steps 1 to 3 of protocol 02 §4.2, and the data limit that validation would meet later (00-decisions, 26). */
export const checkDestinations = (
  destinations: readonly Destination[],
  senderGroup: number,
  groups: number,
  rule: DestinationGroups,
  policy: UnminablePolicy = 'refuse',
): void => {
  if (destinations.length === 0) throw new BuildRefusal('ZeroOutputs', 'Zero transaction outputs');
  if (destinations.length > maxOutputs)
    throw new BuildRefusal('TooManyOutputs', `Too many transaction outputs, maximal value: ${maxOutputs}`);
  checkGroups(destinations, senderGroup, groups, rule);
  if (policy === 'build') return;
  for (const { message } of destinations) {
    if (message !== undefined && message.length > maxOutputDataSize)
      throw new BuildRefusal(
        'OutputDataSizeExceeded',
        `The message of an output takes at most ${maxOutputDataSize} bytes, got ${message.length}`,
      );
  }
};

/** Sum of the asked coin (protocol 02 §4.2 step 5). */
export const checkDestinationSum = (destinations: readonly Pick<Destination, 'amount'>[]): bigint => {
  let sum = 0n;
  for (const { amount } of destinations) {
    sum = addAmounts(sum, amount, '{Coin} Amount overflow');
    if (sum > maxCoinValue) throw new BuildRefusal('AmountOverflow', '{COIN} amount overflow');
  }
  return sum;
};

/** Steps 1 and 2 of protocol 02 §4.6. `references` are map keys of the inputs. */
export const checkInputs = (references: readonly string[]): void => {
  if (references.length > maxInputs) {
    throw new BuildRefusal(
      'TooManyInputs',
      'Too many inputs for the transfer, consider to reduce the amount to send, or use the `sweep-address` endpoint to consolidate the inputs first',
    );
  }
  if (new Set(references).size !== references.length) throw new BuildRefusal('InputsNotUnique', 'Inputs not unique');
};

/** Checks on the selected inputs and the asked amounts (protocol 02 §4.6). `references` are map keys of the inputs. */
export const checkInputsAndAmounts = (references: readonly string[], destinations: readonly Destination[]): void => {
  checkInputs(references);
  if (destinations.some(({ amount }) => amount < dustAmount))
    throw new BuildRefusal('AmountBelowDust', 'Not enough {COIN} for transaction output');
  if (destinations.some(({ tokens }) => tokens.some(({ amount }) => amount === 0n)))
    throw new BuildRefusal('TokenAmountZero', 'Value is Zero for one or many tokens in the transaction output');
};
