import {
  groupOfLockupScript,
  groupOfReference,
  oneCoin,
  isAssetReference,
  referenceId,
  sameLockupScript,
  type AssetLockupScript,
  type OutputReference,
} from '../primitives/index.js';
import { type AssetOutput, type Token, type UnsignedTransaction } from '../transaction/index.js';
import { sumTokens } from './amount-sums.js';
import { buildOutcome, BuildRefusal, type BuildOutcome } from './build-refusal.js';
import {
  checkDestinations,
  checkDestinationSum,
  checkInputsAndAmounts,
  type DestinationGroups,
} from './destination-checks.js';
import {
  checkEstimatedGas,
  checkGivenGas,
  estimateGas,
  type GasFormula,
  type UnlockScriptGas,
} from './gas-estimate.js';
import { chargedGas, checkMinable, type UnminablePolicy } from './minable.js';
import {
  changeOutputs,
  coinRemainder,
  outputsOfDestination,
  tokenRemainders,
  totalsOf,
  type Destination,
} from './outputs.js';
import { type ScriptTrial, unlockGasBy } from './script-gas.js';
import { selectUtxos } from './selection.js';
import { type Sender } from './sender.js';
import { type Utxo, type UtxoSource } from './utxo.js';

/** Largest fee that the API builds or accepts: 1 coin (protocol 02 §1, `gasFeeCap`). */
const gasFeeCap = oneCoin;

export interface TransferRequest {
  readonly networkId: number;
  readonly groups: number;
  readonly sender: Sender;
  readonly destinations: readonly Destination[];
  readonly gasAmount?: number | undefined;
  /** attoCoin per unit of gas. */
  readonly gasPrice: bigint;
  readonly gasFormula: GasFormula;
  /** For senders that unlock with a script; without it there are none. */
  readonly trial?: ScriptTrial | undefined;
  readonly destinationGroups: DestinationGroups;
  /** Default: `refuse`. */
  readonly unminable?: UnminablePolicy | undefined;
}

/** An input whose output is known. */
export interface ResolvedInput {
  readonly reference: OutputReference;
  readonly output: Pick<AssetOutput, 'amount' | 'tokens'>;
}

/** As builders see it; where it was found plays no part. */
export const asUtxo = ({ reference, output: { amount, tokens, lockTime } }: ChosenInput): Utxo => ({
  reference,
  amount,
  tokens,
  lockTime,
  level: 0,
});

/** An input that the client chose. */
export interface ChosenInput extends ResolvedInput {
  readonly output: AssetOutput;
}

/** No inputs, and the fee cap (protocol 02 §4.9). Throws BuildRefusal. */
export const checkBuilt = (unsigned: UnsignedTransaction): UnsignedTransaction => {
  if (unsigned.inputs.length === 0) throw new BuildRefusal('EmptyInputs', 'Invalid transaction: empty inputs');
  const fee = unsigned.gasPrice * BigInt(unsigned.gasAmount);
  if (fee > gasFeeCap) throw new BuildRefusal('GasFeeTooHigh', `Too much gas fee, cap at ${gasFeeCap}, got ${fee}`);
  return unsigned;
};

const withGas = (
  { sender, destinations, gasPrice, networkId }: TransferRequest,
  inputs: readonly ResolvedInput[],
  gasAmount: number,
): UnsignedTransaction => {
  const paid = destinations.flatMap(outputsOfDestination);
  const coinRest = coinRemainder(
    inputs.map(({ output }) => output.amount),
    paid.map(({ amount }) => amount),
    gasPrice * BigInt(gasAmount),
  );
  const tokenRest: Token[] = tokenRemainders(
    inputs.map(({ output }) => output.tokens),
    paid.map(({ tokens }) => tokens),
  );
  return {
    version: 0,
    networkId,
    script: undefined,
    gasAmount,
    gasPrice,
    inputs: inputs.map(({ reference }) => ({ outputReference: reference, unlockScript: sender.unlockScript })),
    fixedOutputs: [...paid, ...changeOutputs(sender.lockupScript, coinRest, tokenRest)],
  };
};

/**
 * The estimate knows nothing of change for tokens that nobody asked for, nor of the outputs of tokens when the client
 * chose the inputs (protocol 02 §4.5): what validation charges takes its place where it is more (00-decisions, 26).
 */
const assemble = (request: TransferRequest, inputs: readonly ResolvedInput[], gas: number): UnsignedTransaction => {
  const { destinations, gasAmount, unminable = 'refuse' } = request;
  checkInputsAndAmounts(
    inputs.map(({ reference }) => referenceId(reference)),
    destinations,
  );
  const built = withGas(request, inputs, gas);
  const charged = chargedGas(built) ?? 0;
  const isTooLow = unminable === 'refuse' && gasAmount === undefined && charged > gas;
  return checkMinable(checkBuilt(isTooLow ? withGas(request, inputs, checkEstimatedGas(charged)) : built), unminable);
};

/** Steps 1 to 5 of protocol 02 §4.2. Throws BuildRefusal. */
const checkRequest = (request: TransferRequest): void => {
  const { sender, destinations, groups, gasAmount, gasPrice, destinationGroups, unminable } = request;
  const senderGroup = groupOfLockupScript(sender.lockupScript, groups);
  checkDestinations(destinations, senderGroup, groups, destinationGroups, unminable);
  checkGivenGas(gasAmount, gasPrice, unminable);
  checkDestinationSum(destinations);
};

/** Builds a transfer from the sender's usable outputs (protocol 02 §4). */
export const buildTransfer = (request: TransferRequest, source: UtxoSource): BuildOutcome<UnsignedTransaction> =>
  buildOutcome(() => {
    const { sender, destinations, gasAmount, gasPrice, gasFormula, trial } = request;
    checkRequest(request);
    const { coinNeeded, tokensNeeded, outputCount } = totalsOf(destinations);
    const selection = selectUtxos(source, {
      coin: coinNeeded,
      tokens: tokensNeeded,
      gasPrice,
      gasAmount,
      estimateGas: (inputs, picked) =>
        estimateGas(gasFormula, sender.unlockScript, inputs, outputCount, unlockGasBy(trial, sender, picked)),
    });
    checkEstimatedGas(selection.gas);
    return assemble(
      request,
      selection.picked.map((utxo) => ({ reference: utxo.reference, output: utxo })),
      selection.gas,
    );
  });

/** The checks on client-chosen references that need no state (protocol 02 §4.2). Throws BuildRefusal. */
const checkChosen = (references: readonly OutputReference[], groups: number): number => {
  if (references.some((reference) => !isAssetReference(reference)))
    throw new BuildRefusal('ContractUtxo', 'Selected UTXOs must be of asset type');
  const found = new Set(references.map((reference) => groupOfReference(reference, groups)));
  const [group] = found;
  if (group === undefined) throw new BuildRefusal('EmptyUtxos', 'Empty UTXOs');
  if (found.size > 1) throw new BuildRefusal('DifferentUtxoGroups', 'Selected UTXOs are not from the same group');
  return group;
};

/** What the client chose, with the outputs (protocol 02 §4.5 step 2). Throws BuildRefusal. */
export const resolveChosen = (
  references: readonly OutputReference[],
  lookup: (reference: OutputReference) => AssetOutput | undefined,
): readonly ChosenInput[] =>
  references.map((reference) => {
    const output = lookup(reference);
    if (!output) throw new BuildRefusal('UtxoNotFound', 'Can not find all selected UTXOs');
    return { reference, output };
  });

/** Whether the sender could spend what the client chose now (00-decisions, 26). Throws BuildRefusal. */
export const checkSpendable = (inputs: readonly ChosenInput[], sender: AssetLockupScript, now: bigint): void => {
  for (const { reference, output } of inputs) {
    if (!sameLockupScript(output.lockupScript, sender))
      throw new BuildRefusal('ForeignUtxo', `Selected UTXO ${reference.key} does not belong to the sender`);
    if (output.lockTime > now) {
      const seconds = (output.lockTime - now + 999n) / 1000n;
      throw new BuildRefusal(
        'LockedUtxo',
        `Selected UTXO ${reference.key} is locked for another ${seconds} s, until ${output.lockTime} ms since 1970`,
      );
    }
  }
};

/**
 * Builds a transfer that spends exactly the outputs the client names, in its order (protocol 02 §4.5). `lookup` reads
 * the view with the mempool. Foreign and locked outputs are refused here and not only at submit (00-decisions, 26),
 * unless the request says otherwise.
 */
export const buildTransferFrom = (
  request: TransferRequest,
  references: readonly OutputReference[],
  lookup: (reference: OutputReference) => AssetOutput | undefined,
  now: bigint,
): BuildOutcome<UnsignedTransaction> =>
  buildOutcome(() => {
    const { sender, destinations, groups, gasAmount, gasFormula, trial } = request;
    checkChosen(references, groups);
    checkRequest(request);
    sumTokens(destinations.map(({ tokens }) => tokens));
    const { length } = references;
    const estimate = (trialGas: UnlockScriptGas): number =>
      checkEstimatedGas(estimateGas(gasFormula, sender.unlockScript, length, destinations.length + 1, trialGas));
    // A script is tried with the outputs it is to unlock, which must be there first.
    const early =
      sender.unlockScript.kind === 'p2sh' ? undefined : (gasAmount ?? estimate(unlockGasBy(trial, sender, [])));
    const inputs = resolveChosen(references, lookup);
    const gas = early ?? gasAmount ?? estimate(unlockGasBy(trial, sender, inputs.map(asUtxo)));
    if (request.unminable !== 'build') checkSpendable(inputs, sender.lockupScript, now);
    return assemble(request, inputs, gas);
  });
