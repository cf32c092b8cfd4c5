import { amountText, oneCoin } from '../primitives/index.js';
import { type UnsignedTransaction } from '../transaction/index.js';
import { refusalOf } from './build-refusal.js';

/** Largest fee that the API builds or accepts: 1 coin (protocol 02 §1, `gasFeeCap`). */
export const gasFeeCap = oneCoin;

/** No inputs, and the fee cap (protocol 02 §4.9). Throws BuildRefusal. */
export const checkBuilt = (unsigned: UnsignedTransaction): UnsignedTransaction => {
  const { inputs, gasPrice, gasAmount } = unsigned;
  if (inputs.length === 0) throw refusalOf('EmptyInputs', 'The transaction has no inputs: it needs at least one.');
  const fee = gasPrice * BigInt(gasAmount);
  if (fee > gasFeeCap)
    throw refusalOf(
      'GasFeeTooHigh',
      `The fee of ${gasAmount} gas at ${amountText(gasPrice)} is ${amountText(fee)}, above the cap of ${amountText(gasFeeCap)}. Lower the gas price.`,
      { fee: String(fee), limit: String(gasFeeCap) },
    );
  return unsigned;
};
