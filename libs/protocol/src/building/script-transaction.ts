import {
  dustAmount,
  type Hash,
  maxCodeSize,
  maxCoinValue,
  maximalGasPerTx,
  referenceId,
  zeroHash,
} from '../primitives/index.js';
import { type StatefulScript } from '../script/index.js';
import { type Token, type UnsignedTransaction } from '../transaction/index.js';
import { codeSizeOf } from '../validation/index.js';
import { failureText } from '../vm/index.js';
import { addAmounts, overflow, sumTokens } from './amount-sums.js';
import { buildOutcome, type BuildOutcome, refusalOf } from './build-refusal.js';
import { checkInputs } from './destination-checks.js';
import { checkEstimatedGas, checkGivenGas, estimateGas, gasOfMoreInputs, type GasTakers } from './gas-estimate.js';
import { chargedGas, checkMinable, type UnminablePolicy } from './minable.js';
import { changeOutputs, coinRemainder, outputsOfDestination, tokenRemainders } from './outputs.js';
import { type Selection, selectUtxos } from './selection.js';
import { type ScriptTrial, unlockGasBy } from './script-gas.js';
import { type Sender } from './sender.js';
import { checkBuilt } from './transfer.js';
import { type Utxo, type UtxoSource } from './utxo.js';

export interface ScriptTransactionRequest {
  readonly networkId: number;
  readonly sender: Sender;
  readonly script: StatefulScript;
  /** attoCoin that the inputs provide for the script. */
  readonly coin: bigint;
  /** Each id once, without the coin's. */
  readonly tokens: readonly Token[];
  readonly gasAmount?: number | undefined;
  /** attoCoin per unit of gas. */
  readonly gasPrice: bigint;
  readonly trial: ScriptTrial;
  /** Default: `refuse`. */
  readonly unminable?: UnminablePolicy | undefined;
}

/** Assets approved by the client, as in the request. */
export interface ApprovedAssets {
  /** attoCoin; undefined: not given. */
  readonly coin: bigint | undefined;
  /** The coin's own id (32 zero bytes) adds to the coin. */
  readonly tokens: readonly Token[];
}

/** The id that stands for the coin among tokens (protocol 05 §1). */
const coinTokenId: Hash = zeroHash;

/** The sums of approved assets (protocol 07 §16.9 step 1); coin stays undefined if no field gives it. */
export const sumApproved = ({ coin, tokens }: ApprovedAssets): ApprovedAssets => {
  const asCoin = tokens.filter(({ id }) => id === coinTokenId);
  const rest = sumTokens([tokens.filter(({ id }) => id !== coinTokenId)]);
  const sum = asCoin.reduce((total, { amount }) => addAmounts(total, amount, 'total'), coin ?? 0n);
  if (sum > maxCoinValue) throw overflow('total');
  return {
    coin: coin === undefined && asCoin.length === 0 ? undefined : sum,
    tokens: [...rest].map(([id, amount]) => ({ id, amount })),
  };
};

/** A script over the limit fails in every block, and no mempool admits it (00-decisions, 15 and 26). */
const checkCodeSize = ({ script, unminable }: ScriptTransactionRequest): void => {
  const size = codeSizeOf(script);
  if (unminable !== 'build' && size > maxCodeSize)
    throw refusalOf('CodeSizeTooLarge', failureText('CodeSizeTooLarge', [size]), { field: 'bytecode' });
};

const select = (
  { sender, script, tokens, gasPrice, trial }: ScriptTransactionRequest,
  source: UtxoSource,
  outputs: number,
  { coin, change }: { readonly coin: bigint; readonly change?: bigint },
  gasAmount: number | undefined,
): Selection =>
  selectUtxos(source, {
    coin,
    change,
    tokens,
    gasPrice,
    gasAmount,
    estimateGas: (inputs, picked) =>
      estimateGas('reference', sender.unlockScript, inputs, outputs, unlockGasBy(trial, sender, picked)),
    estimateScriptGas: (inputs) => trial.transactionScriptGas(script, sender, inputs),
  });

const coinOf = (utxos: readonly Utxo[]): bigint => utxos.reduce((sum, { amount }) => sum + amount, 0n);

/** Steps 1 to 3 of protocol 02 §7.2. If the change would be too small for an output, selects again with room for it. */
const selectForScript = (request: ScriptTransactionRequest, source: UtxoSource): Selection => {
  const { coin, tokens, gasAmount, gasPrice } = request;
  const outputs = tokens.length + (coin > 0n ? 1 : 0);
  const first = select(request, source, outputs, { coin }, gasAmount);
  const change = coinOf(first.picked) - gasPrice * BigInt(first.gas) - coin;
  if (change >= dustAmount) return first;
  const { picked } = select(request, source, outputs, { coin: coin + dustAmount, change: dustAmount }, first.gas);
  return { ...first, picked };
};

const assemble = (
  { networkId, sender, script, coin, tokens, gasPrice }: ScriptTransactionRequest,
  inputs: readonly Utxo[],
  gasAmount: number,
): UnsignedTransaction => {
  checkInputs(inputs.map(({ reference }) => referenceId(reference)));
  // Not outputs of the transaction: the difference is available to the script.
  const approved = outputsOfDestination({ lockupScript: sender.lockupScript, amount: coin, tokens });
  const coinRest = coinRemainder(
    inputs.map(({ amount }) => amount),
    approved.map(({ amount }) => amount),
    gasPrice * BigInt(gasAmount),
  );
  const tokenRest = tokenRemainders(
    inputs.map((input) => input.tokens),
    approved.map((output) => output.tokens),
  );
  return {
    version: 0,
    networkId,
    script,
    gasAmount,
    gasPrice,
    inputs: inputs.map(({ reference }) => ({ outputReference: reference, unlockScript: sender.unlockScript })),
    fixedOutputs: changeOutputs(sender.lockupScript, coinRest, tokenRest),
  };
};

/** Approved assets are no outputs, and there are no destinations. */
const takersOf = ({ sender }: ScriptTransactionRequest, { length }: readonly Utxo[]): GasTakers => ({
  inputs: length,
  perInput: gasOfMoreInputs('reference', sender.unlockScript),
  outputs: 0,
});

/** The estimate does not include the number of change outputs: the charge of validation replaces it if it is higher. */
const withEnoughGas = (
  request: ScriptTransactionRequest,
  { picked, gas, scriptGas }: Selection,
): UnsignedTransaction => {
  const built = assemble(request, picked, gas);
  if (request.gasAmount !== undefined || request.unminable === 'build') return built;
  const charged = (chargedGas(built) ?? 0) + scriptGas;
  return charged > gas ? assemble(request, picked, checkEstimatedGas(charged, takersOf(request, picked))) : built;
};

/**
 * Builds a transaction that runs a script, from the sender's usable outputs (protocol 02 §7.2, 07 §16.9). Its chain is
 * the intra-group one of the sender.
 */
export const buildScriptTransaction = (
  request: ScriptTransactionRequest,
  source: UtxoSource,
): BuildOutcome<UnsignedTransaction> =>
  buildOutcome(() => {
    const { gasAmount, gasPrice, unminable = 'refuse' } = request;
    checkGivenGas(gasAmount, gasPrice, unminable);
    checkCodeSize(request);
    const selection = selectForScript(request, source);
    // An estimate above the limit is refused as for payments; a client that gives the gas may be let through.
    if ((unminable === 'refuse' || gasAmount === undefined) && selection.gas > maximalGasPerTx) {
      checkEstimatedGas(selection.gas, takersOf(request, selection.picked));
    }
    return checkMinable(checkBuilt(withEnoughGas(request, selection)), unminable);
  });
