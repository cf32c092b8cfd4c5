import { buildSweep } from './sweep.js';
import { type TransferRequest } from './transfer-request.js';
import { type Utxo } from './utxo.js';

/** Bound of the work for one refusal. */
const mostOutputs = 4_096;

/**
 * Whether a sweep of all outputs of the sender would do what was asked: the request has one destination, wants no more
 * coin than there is, and the sweep is built and spends everything.
 */
export const sweepIsBuilt = (request: TransferRequest, spendable: readonly Utxo[] | undefined): boolean => {
  const { networkId, sender, destinations, gasAmount, gasPrice, unminable } = request;
  const [only] = destinations;
  if (!spendable || spendable.length > mostOutputs || !only || destinations.length > 1) return false;
  if (only.amount > spendable.reduce((sum, { amount }) => sum + amount, 0n)) return false;
  const { lockupScript: destination, lockTime } = only;
  const sweep = buildSweep({ networkId, sender, destination, lockTime, gasAmount, gasPrice, unminable }, spendable);
  return sweep.ok && sweep.value.reduce((sum, { inputs }) => sum + inputs.length, 0) === spendable.length;
};
