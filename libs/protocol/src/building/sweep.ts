import { dustAmount, maxCoinValue, referenceId, type AssetLockupScript } from '../primitives/index.js';
import { type UnsignedTransaction } from '../transaction/index.js';
import { addAmounts, sumTokens } from './amount-sums.js';
import { buildOutcome, BuildRefusal, type BuildOutcome } from './build-refusal.js';
import { checkInputsAndAmounts } from './destination-checks.js';
import { checkGivenGas, estimateSweepGas } from './gas-estimate.js';
import { outputsOfDestination, type Destination } from './outputs.js';
import { checkBuilt, type Sender } from './transfer.js';
import { type Utxo } from './utxo.js';

/** Inputs of one transaction of a sweep (protocol 02 §6 step 4). */
export const sweepChunkSize = 128;

export interface SweepRequest {
  readonly networkId: number;
  readonly sender: Sender;
  readonly destination: AssetLockupScript;
  /** attoCoin: only outputs strictly below it are swept. */
  readonly maxAmountPerUtxo?: bigint | undefined;
  readonly lockTime?: bigint | undefined;
  readonly gasAmount?: number | undefined;
  readonly gasPrice: bigint;
}

const sweepChunk = (request: SweepRequest, chunk: readonly Utxo[]): UnsignedTransaction => {
  const { networkId, sender, destination, lockTime, gasPrice } = request;
  let total = 0n;
  for (const { amount } of chunk) {
    total = addAmounts(total, amount, '{Coin} Amount overflow');
    if (total > maxCoinValue) throw new BuildRefusal('AmountOverflow', '{COIN} amount overflow');
  }
  const tokens = sumTokens(chunk.map((utxo) => utxo.tokens));
  const gasAmount = request.gasAmount ?? estimateSweepGas(chunk.length, tokens.size);
  const afterFee = total - gasPrice * BigInt(gasAmount);
  if (afterFee < 0n) throw new BuildRefusal('NotEnoughBalanceForFee', 'Not enough balance for gas fee in Sweeping');
  const coin = afterFee - dustAmount * BigInt(tokens.size);
  if (coin < dustAmount)
    throw new BuildRefusal('NotEnoughBalance', 'Not enough {COIN} balance for transaction outputs');
  const destinations: Destination[] = [
    { lockupScript: destination, amount: coin, tokens: [], lockTime },
    ...[...tokens].map(([id, amount]) => ({
      lockupScript: destination,
      amount: dustAmount,
      tokens: [{ id, amount }],
      lockTime,
    })),
  ];
  checkInputsAndAmounts(
    chunk.map(({ reference }) => referenceId(reference)),
    destinations,
  );
  return checkBuilt({
    version: 0,
    networkId,
    script: undefined,
    gasAmount,
    gasPrice,
    inputs: chunk.map(({ reference }) => ({ outputReference: reference, unlockScript: sender.unlockScript })),
    fixedOutputs: destinations.flatMap(outputsOfDestination),
  });
};

/** Consolidates all usable outputs of the sender, 128 a transaction (protocol 02 §6). An empty list when there are none. */
export const buildSweep = (
  request: SweepRequest,
  usable: readonly Utxo[],
): BuildOutcome<readonly UnsignedTransaction[]> =>
  buildOutcome(() => {
    const { gasAmount, gasPrice, maxAmountPerUtxo } = request;
    checkGivenGas(gasAmount, gasPrice);
    const small = maxAmountPerUtxo === undefined ? usable : usable.filter(({ amount }) => amount < maxAmountPerUtxo);
    const transactions: UnsignedTransaction[] = [];
    for (let start = 0; start < small.length; start += sweepChunkSize)
      transactions.push(sweepChunk(request, small.slice(start, start + sweepChunkSize)));
    return transactions;
  });
