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
import { codeSizeOf, type Refusal, refusalReason, refusalText, takesPreapprovedAssets } from '../validation/index.js';
import { failureText } from '../vm/index.js';
import { addAmounts, overflow, sumTokens } from './amount-sums.js';
import { type ApprovalFields, type Asked, withAdvice } from './advice.js';
import { buildOutcome, type BuildOutcome, BuildRefusal, refusalOf, refusingAs } from './build-refusal.js';
import { checkInputCount, checkInputs } from './destination-checks.js';
import { checkEstimatedGas, checkGivenGas, estimateGas, gasOfMoreInputs, type GasTakers } from './gas-estimate.js';
import { chargedGas, checkMinable, type UnminablePolicy } from './minable.js';
import { changeOutputs, coinRemainder, outputsOfDestination, tokenRemainders } from './outputs.js';
import { type Selection, selectUtxos } from './selection.js';
import { type BuiltScript, type ScriptTrial, unlockGasBy } from './script-gas.js';
import { failedTrial, noUtxo } from './script-trial.js';
import { type Sender } from './sender.js';
import { checkBuilt } from './fee-cap.js';
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
  /** Names of the fields that approve assets; default: those of an execution. */
  readonly fields?: ApprovalFields | undefined;
  /** The script takes a fixed amount: more would be of no use to it. */
  readonly isFixed?: boolean | undefined;
  /** Default: `refuse`. */
  readonly unminable?: UnminablePolicy | undefined;
}

/** Protocol 07 §10.3 */
const executionFields: ApprovalFields = { coin: 'attoCoinAmount', tokens: 'tokens' };

/** Protocol 07 §10.2 */
export const deploymentFields: ApprovalFields = { coin: 'initialAttoCoinAmount', tokens: 'initialTokenAmounts' };

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
  { sender, tokens, gasPrice, trial }: ScriptTransactionRequest,
  source: UtxoSource,
  outputs: number,
  { coin, change }: { readonly coin: bigint; readonly change?: bigint },
  gasAmount: number | undefined,
  estimateScriptGas: (inputs: readonly Utxo[]) => number,
): Selection =>
  selectUtxos(source, {
    coin,
    change,
    tokens,
    gasPrice,
    gasAmount,
    estimateGas: (inputs, picked) =>
      estimateGas('reference', sender.unlockScript, inputs, outputs, unlockGasBy(trial, sender, picked)),
    estimateScriptGas,
  });

const coinOf = (utxos: readonly Utxo[]): bigint => utxos.reduce((sum, { amount }) => sum + amount, 0n);

/**
 * Steps 1 to 3 of protocol 02 §7.2. If the change would be too small for an output, selects again with room for it.
 * `wanted`: attoCoin that must come back in any case.
 */
const selectForScript = (
  request: ScriptTransactionRequest,
  source: UtxoSource,
  estimateScriptGas: (inputs: readonly Utxo[]) => number,
  wanted = 0n,
): Selection => {
  const { coin, tokens, gasAmount, gasPrice } = request;
  const outputs = tokens.length + (coin > 0n ? 1 : 0);
  if (wanted > 0n) {
    const room = { coin: coin + wanted, change: wanted };
    return select(request, source, outputs, room, gasAmount, estimateScriptGas);
  }
  const first = select(request, source, outputs, { coin }, gasAmount, estimateScriptGas);
  const change = coinOf(first.picked) - gasPrice * BigInt(first.gas) - coin;
  if (change >= dustAmount) return first;
  const room = { coin: coin + dustAmount, change: dustAmount };
  const { picked } = select(request, source, outputs, room, first.gas, estimateScriptGas);
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

/** Gas of the built transaction without its script. */
const gasBeforeScript = (
  { trial, sender }: ScriptTransactionRequest,
  unsigned: UnsignedTransaction,
  inputs: readonly Utxo[],
): number =>
  chargedGas(unsigned) ??
  estimateGas(
    'document',
    sender.unlockScript,
    inputs.length,
    unsigned.fixedOutputs.length,
    unlockGasBy(trial, sender, inputs),
  );

/** The estimate does not include the number of change outputs: the charge of validation replaces it if it is higher. */
const withEnoughGas = (
  request: ScriptTransactionRequest,
  { picked, gas, scriptGas }: Selection,
): UnsignedTransaction => {
  const built = assemble(request, picked, gas);
  if (request.gasAmount !== undefined || request.unminable === 'build') return built;
  const charged = gasBeforeScript(request, built, picked) + scriptGas;
  return charged > gas ? assemble(request, picked, checkEstimatedGas(charged, takersOf(request, picked))) : built;
};

/** The field that asks for what is lacking; undefined where none does. */
const fieldOf = (
  { coin, fields = executionFields, isFixed }: ScriptTransactionRequest,
  { code, lack }: BuildRefusal,
): string | undefined => {
  const isApproval = code === 'ScriptTrialFailed' && lack?.more !== undefined && isFixed !== true;
  if (code !== 'NotEnoughBalance' && !isApproval) return undefined;
  if (lack?.token !== undefined) return fields.tokens;
  return isApproval || coin > 0n ? fields.coin : undefined;
};

/** Refusals for assets name the field that asks for them, where the sender has anything (protocol 07 §16.9 step 6). */
const namingFields = <T>(request: ScriptTransactionRequest, step: () => T): T =>
  refusingAs(step, (refusal) => {
    if (refusal.lack?.spendable?.length === 0 && request.gasAmount === undefined) return noUtxo();
    const field = fieldOf(request, refusal);
    return field === undefined ? refusal : refusal.withFacts({ field });
  });

const gasTooSmall = (gasAmount: number, needed: number): BuildRefusal =>
  refusalOf(
    'GasTooSmall',
    `The gas amount of ${gasAmount} is too little: this transaction needs ${needed}, its script included.`,
    { gas: gasAmount, needed, field: 'gasAmount' },
    { gas: needed, otherwise: 'Leave it out to have it estimated' },
  );

interface BuiltSelection {
  readonly unsigned: UnsignedTransaction;
  readonly selection: Selection;
}

/** Steps 1 to 5 of protocol 02 §7.2, for a script that takes so much gas. `change`: see `selectForScript`. */
const builtWith = (
  request: ScriptTransactionRequest,
  source: UtxoSource,
  estimateScriptGas: (inputs: readonly Utxo[]) => number,
  change?: bigint,
): BuiltSelection => {
  const { gasAmount, unminable = 'refuse' } = request;
  const selection = selectForScript(request, source, estimateScriptGas, change);
  const takers = takersOf(request, selection.picked);
  if (unminable === 'refuse') checkInputCount(takers);
  // An estimate above the limit is refused as for payments; a client that gives the gas may be let through.
  if ((unminable === 'refuse' || gasAmount === undefined) && selection.gas > maximalGasPerTx)
    checkEstimatedGas(selection.gas, takers);
  return { unsigned: checkMinable(checkBuilt(withEnoughGas(request, selection)), unminable), selection };
};

/**
 * The same. If tokens that come back leave the change too little for its outputs, a smaller request would be of no help
 * to a script: more is selected (00-decisions, 26). The outputs that this adds may have further tokens.
 */
const builtFor = (
  request: ScriptTransactionRequest,
  source: UtxoSource,
  estimateScriptGas: (inputs: readonly Utxo[]) => number,
  change?: bigint,
): BuiltSelection => {
  try {
    return builtWith(request, source, estimateScriptGas, change);
  } catch (error) {
    if (!(error instanceof BuildRefusal) || error.code !== 'ChangeTooSmall' || request.unminable === 'build')
      throw error;
    const missing = (change ?? 0n) + error.lack!.less!;
    const needed = BigInt(error.facts!.expected!);
    return builtFor(request, source, estimateScriptGas, missing > needed ? missing : needed);
  }
};

/** As the reference does it: the script is tried before outputs are selected. The first reason is still the balance. */
const buildAsReference = (request: ScriptTransactionRequest, source: UtxoSource): UnsignedTransaction => {
  const { trial, script, sender, coin } = request;
  const estimate = (inputs: readonly Utxo[]): number =>
    refusingAs(
      () => trial.transactionScriptGas(script, sender, inputs),
      (failed) => {
        if (failed.code !== 'ScriptTrialFailed') return failed;
        refusingAs(
          () => select(request, source, 0, { coin }, 0, () => 0),
          (poor) => poor.withFacts({ ...failed.facts, of: 'trial' }),
        );
        return failed;
      },
    );
  return builtFor(request, source, estimate).unsigned;
};

/** A script without approved assets would leave what is approved to nobody (protocol 02 §9.4). Throws BuildRefusal. */
const checkTakesApproved = ({ script, coin, tokens, fields = executionFields }: ScriptTransactionRequest): void => {
  if ((coin === 0n && tokens.length === 0) || takesPreapprovedAssets(script)) return;
  const field = coin > 0n ? fields.coin : fields.tokens;
  throw refusalOf(
    'ScriptTrialFailed',
    `The script takes no assets of the sender, but \`${field}\` approves some. Leave it out, or compile the script with preapproved assets.`,
    { of: 'approval', field },
  );
};

const isOutOfGas = (refusal: Refusal): boolean =>
  refusal.code === 'OutOfGas' || (refusal.reason !== undefined && isOutOfGas(refusal.reason));

/** Answer that a submit would get. */
const refusedAtSubmit = (verdict: Refusal, sender: Sender): BuildRefusal => {
  const { code, reason } = verdict;
  return code === 'TxScriptExeFailed' && reason
    ? failedTrial('script', reason, sender)
    : new BuildRefusal(
        'ScriptTrialFailed',
        `The transaction would be refused when it is submitted: ${refusalReason(verdict)}`,
        verdict,
        { of: 'script', trialFailure: refusalText(verdict) },
      );
};

/** Each round may select other outputs, whose script takes other gas. */
const mostRounds = 6;

/**
 * Builds, and asks the mempool about what is built, until it accepts (00-decisions, 26). The gas of the script is that
 * of the built transaction: with its inputs and outputs, and what they leave to the script.
 */
const buildAdmitted = (request: ScriptTransactionRequest, source: UtxoSource): UnsignedTransaction => {
  const { trial, sender, gasAmount } = request;
  checkTakesApproved(request);
  let scriptGas = 0;
  for (let round = 0; ; round++) {
    const { unsigned, selection } = builtFor(request, source, () => scriptGas);
    const built: BuiltScript = { unsigned, sender, inputs: selection.picked };
    const isDraft = round === 0 && gasAmount === undefined;
    const verdict = isDraft ? undefined : trial.admissionOf(built);
    if (!isDraft && !verdict) return unsigned;
    if (verdict && (!isOutOfGas(verdict) || round === mostRounds)) throw refusedAtSubmit(verdict, sender);
    const used = trial.builtScriptGas(built);
    if (gasAmount !== undefined)
      throw gasTooSmall(gasAmount, gasBeforeScript(request, unsigned, selection.picked) + used);
    scriptGas = used;
  }
};

/**
 * Builds a transaction that runs a script, from the sender's usable outputs (protocol 02 §7.2, 07 §16.9). Its chain is
 * the intra-group one of the sender. With the policy `refuse`, the mempool accepts what is built.
 */
export const buildScriptTransaction = (
  request: ScriptTransactionRequest,
  source: UtxoSource,
): BuildOutcome<UnsignedTransaction> =>
  buildOutcome(() => {
    const { gasPrice, unminable = 'refuse', coin, tokens, fields, isFixed = false } = request;
    const build = ({ gasAmount, approved }: Asked): UnsignedTransaction => {
      const own = { ...request, gasAmount, ...(approved && { coin: approved.coin, tokens: approved.tokens }) };
      checkGivenGas(gasAmount, gasPrice, unminable);
      checkCodeSize(own);
      return namingFields(own, () => (unminable === 'build' ? buildAsReference : buildAdmitted)(own, source));
    };
    const approved = isFixed ? undefined : { coin, tokens, fields: fields ?? executionFields };
    const asked = { senders: [], gasAmount: request.gasAmount, approved };
    return unminable === 'build' ? build(asked) : withAdvice({ asked, build, mostTries: 5 });
  });
