import {
  amountText,
  dustAmount,
  maxCoinValue,
  maximalGasPerTx,
  p2pkUnlockGas,
  referenceId,
  txInputBaseGas,
  txOutputBaseGas,
  type AssetLockupScript,
} from '../primitives/index.js';
import { type UnsignedTransaction } from '../transaction/index.js';
import { withAdvice } from './advice.js';
import { addAmounts, overflow, sumTokens } from './amount-sums.js';
import { buildOutcome, BuildRefusal, type BuildOutcome } from './build-refusal.js';
import { checkInputsAndAmounts } from './destination-checks.js';
import { checkEstimatedGas, checkGivenGas, estimateSweepGas } from './gas-estimate.js';
import { chargedGasOf, checkMinable, type UnminablePolicy } from './minable.js';
import { outputsOfDestination, type Destination } from './outputs.js';
import { type Sender } from './sender.js';
import { checkBuilt } from './fee-cap.js';
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
  /** Default: `refuse`. */
  readonly unminable?: UnminablePolicy | undefined;
}

type GasRequest = Pick<SweepRequest, 'sender' | 'gasAmount' | 'unminable'>;

/** The charge of validation, where it decides about the gas: the client chose none, and the policy is `refuse`. */
const decidingCharge = (
  { sender, gasAmount, unminable }: GasRequest,
  inputs: number,
  tokens: number,
): number | undefined =>
  gasAmount !== undefined || unminable === 'build'
    ? undefined
    : (chargedGasOf(sender.unlockScript, inputs, tokens + 1) ?? 0);

/**
 * Gas of one transaction of a sweep. The documented estimate treats every sender as one key and has no bound. If
 * validation charges more, its charge applies; if the estimate exceeds the bound and the charge does not, the bound
 * applies (00-decisions, 26).
 */
export const gasOfSweep = (request: GasRequest, inputs: number, tokens: number): number => {
  if (request.gasAmount !== undefined) return request.gasAmount;
  const documented = estimateSweepGas(inputs, tokens);
  const charged = decidingCharge(request, inputs, tokens);
  return charged === undefined ? documented : Math.min(maximalGasPerTx, Math.max(documented, charged));
};

/** The same; refused where validation would charge more than a transaction may have. Throws BuildRefusal. */
const gasOfChunk = (request: SweepRequest, inputs: number, tokens: number): number => {
  const charged = decidingCharge(request, inputs, tokens);
  if (charged !== undefined) checkEstimatedGas(charged, { inputs, perInput: txInputBaseGas, outputs: tokens + 1 });
  return gasOfSweep(request, inputs, tokens);
};

/** The inputs of one transaction do not pay for it; those of another one may. */
class TooLittle extends BuildRefusal {}

/** Refusal: the inputs of one transaction do not pay for it. All in attoCoin. */
const tooLittleToSweep = (total: bigint, fee: bigint, outputs: bigint): TooLittle =>
  new TooLittle(
    total < fee ? 'NotEnoughBalanceForFee' : 'NotEnoughBalance',
    `Not enough balance${total < fee ? ' for the fee' : ''}: the outputs to be swept have ${amountText(total)} together, but ${amountText(fee)} for the fee and ${amountText(outputs)} for the new outputs are needed. Sweep when the address has more.`,
    undefined,
    { of: 'sweep', got: String(total), fee: String(fee), expected: String(outputs) },
  );

const sweepChunk = (request: SweepRequest, chunk: readonly Utxo[]): UnsignedTransaction => {
  const { networkId, sender, destination, lockTime, gasPrice } = request;
  let total = 0n;
  for (const { amount } of chunk) {
    total = addAmounts(total, amount, 'coin');
    if (total > maxCoinValue) throw overflow('total');
  }
  const tokens = sumTokens(chunk.map((utxo) => utxo.tokens));
  const gasAmount = gasOfChunk(request, chunk.length, tokens.size);
  const fee = gasPrice * BigInt(gasAmount);
  const outputsNeed = dustAmount * BigInt(tokens.size);
  const coin = total - fee - outputsNeed;
  if (coin < dustAmount) throw tooLittleToSweep(total, fee, outputsNeed + dustAmount);
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
  const built = checkBuilt({
    version: 0,
    networkId,
    script: undefined,
    gasAmount,
    gasPrice,
    inputs: chunk.map(({ reference }) => ({ outputReference: reference, unlockScript: sender.unlockScript })),
    fixedOutputs: destinations.flatMap(outputsOfDestination),
  });
  return checkMinable(built, request.unminable ?? 'refuse');
};

/**
 * Splits the outputs, in order, into chunks for one transaction: 128, or fewer if their different tokens would need
 * more gas than a transaction may have (protocol 02 §6 step 4).
 */
const chunksOf = ({ sender, unminable }: SweepRequest, utxos: readonly Utxo[]): (readonly Utxo[])[] => {
  const chunks: Utxo[][] = [];
  let tokens = new Set<string>();
  for (const utxo of utxos) {
    const chunk = chunks.at(-1);
    for (const { id } of utxo.tokens) tokens.add(id);
    const gas =
      unminable === 'build' ? 0 : chargedGasOf(sender.unlockScript, (chunk?.length ?? 0) + 1, tokens.size + 1);
    if (chunk && chunk.length < sweepChunkSize && (gas ?? 0) <= maximalGasPerTx) {
      chunk.push(utxo);
    } else {
      chunks.push([utxo]);
      tokens = new Set(utxo.tokens.map(({ id }) => id));
    }
  }
  return chunks;
};

/** attoCoin by which an output makes its sweep dearer: its input, and an output for each of its tokens. */
const costOf = ({ gasPrice }: SweepRequest, { tokens }: Utxo): bigint => {
  const gas = txInputBaseGas + p2pkUnlockGas + txOutputBaseGas * tokens.length;
  return gasPrice * BigInt(gas) + dustAmount * BigInt(tokens.length);
};

/**
 * The transaction of a chunk. If the chunk does not pay for it, without the outputs that cost more than they bring:
 * anybody can send such outputs, and they must not keep the others from being swept.
 */
const payingPart = (request: SweepRequest, chunk: readonly Utxo[]): UnsignedTransaction | TooLittle => {
  const attempt = (utxos: readonly Utxo[]): UnsignedTransaction | TooLittle => {
    try {
      return sweepChunk(request, utxos);
    } catch (error) {
      if (error instanceof TooLittle) return error;
      throw error;
    }
  };
  const whole = attempt(chunk);
  if (!(whole instanceof TooLittle)) return whole;
  const worthwhile = chunk.filter((utxo) => utxo.amount > costOf(request, utxo));
  if (worthwhile.length === 0 || worthwhile.length === chunk.length) return whole;
  const part = attempt(worthwhile);
  return part instanceof TooLittle ? whole : part;
};

/**
 * Consolidates the usable outputs of the sender, 128 per transaction (protocol 02 §6), but those that cannot pay for
 * their transaction. Empty if there are none; refused if none can pay.
 */
export const buildSweep = (
  request: SweepRequest,
  usable: readonly Utxo[],
): BuildOutcome<readonly UnsignedTransaction[]> => {
  const { gasPrice, maxAmountPerUtxo } = request;
  const small = maxAmountPerUtxo === undefined ? usable : usable.filter(({ amount }) => amount < maxAmountPerUtxo);
  const build = (each: SweepRequest): readonly UnsignedTransaction[] => {
    checkGivenGas(each.gasAmount, gasPrice, each.unminable);
    const parts = chunksOf(each, small).map((chunk) => payingPart(each, chunk));
    const built = parts.filter((part): part is UnsignedTransaction => !(part instanceof TooLittle));
    const [first] = parts;
    if (built.length === 0 && first instanceof TooLittle) throw first;
    return built;
  };
  const asked = { senders: [], gasAmount: request.gasAmount };
  return buildOutcome(() => withAdvice({ asked, build: ({ gasAmount }) => build({ ...request, gasAmount }) }));
};
