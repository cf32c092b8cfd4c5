import {
  groupOfLockupScript,
  groupOfReference,
  isAssetReference,
  referenceId,
  sameLockupScript,
  timeText,
  txInputBaseGas,
  type AssetLockupScript,
  type OutputReference,
} from '../primitives/index.js';
import { addressOf } from '../address/index.js';
import { type AssetOutput, type Token, type UnsignedTransaction } from '../transaction/index.js';
import { sumTokens } from './amount-sums.js';
import { type Asked, withAdvice } from './advice.js';
import { buildOutcome, refusalOf, type BuildOutcome, type BuildRefusal } from './build-refusal.js';
import {
  checkDestinations,
  checkDestinationSum,
  checkInputCount,
  checkInputsAndAmounts,
} from './destination-checks.js';
import { checkBuilt } from './fee-cap.js';
import {
  checkEstimatedGas,
  checkGivenGas,
  estimateGas,
  gasOfMoreInputs,
  type GasTakers,
  type UnlockScriptGas,
} from './gas-estimate.js';
import { chargedGas, checkMinable } from './minable.js';
import {
  changeOutputs,
  coinRemainder,
  outputsOfDestination,
  tokenRemainders,
  totalsOf,
  type Destination,
} from './outputs.js';
import { unlockGasBy } from './script-gas.js';
import { selectUtxos, withSelection } from './selection.js';
import { sweepIsBuilt } from './sweep-instead.js';
import { type TransferRequest } from './transfer-request.js';
import { type Utxo, type UtxoSource } from './utxo.js';

/** An input whose output is known. */
export interface ResolvedInput {
  readonly reference: OutputReference;
  readonly output: Pick<AssetOutput, 'amount' | 'tokens'>;
}

/** The output as builders see it, without its level. */
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

/** Number of outputs of the destinations. */
const outputsOf = (destinations: readonly Destination[]): number => destinations.flatMap(outputsOfDestination).length;

/**
 * The estimate includes no change for tokens that were not requested, and no token outputs when the client chose the
 * inputs (protocol 02 §4.5). The charge of validation replaces it if it is higher (00-decisions, 26).
 */
const assemble = (
  request: TransferRequest,
  inputs: readonly ResolvedInput[],
  gas: number,
  areChosen = false,
): UnsignedTransaction => {
  const { destinations, gasAmount, unminable = 'refuse' } = request;
  checkInputsAndAmounts(
    inputs.map(({ reference }) => referenceId(reference)),
    destinations,
    areChosen,
  );
  const built = withGas(request, inputs, gas);
  const charged = chargedGas(built) ?? 0;
  const isTooLow = unminable === 'refuse' && gasAmount === undefined && charged > gas;
  if (!isTooLow) return checkMinable(checkBuilt(built), unminable);
  const takers = { inputs: inputs.length, areChosen, perInput: txInputBaseGas, outputs: outputsOf(destinations) };
  return checkMinable(checkBuilt(withGas(request, inputs, checkEstimatedGas(charged, takers))), unminable);
};

const takersOf = ({ gasFormula, sender, destinations }: TransferRequest, inputs: number): GasTakers => ({
  inputs,
  perInput: gasOfMoreInputs(gasFormula, sender.unlockScript),
  outputs: outputsOf(destinations),
});

/** Steps 1 to 5 of protocol 02 §4.2. Throws BuildRefusal. */
const checkRequest = (request: TransferRequest): void => {
  const { sender, destinations, groups, gasAmount, gasPrice, destinationGroups, unminable } = request;
  const senderGroup = groupOfLockupScript(sender.lockupScript, groups);
  checkDestinations(destinations, senderGroup, groups, destinationGroups, unminable);
  checkGivenGas(gasAmount, gasPrice, unminable);
  checkDestinationSum(destinations);
};

const selected = (request: TransferRequest, source: UtxoSource): UnsignedTransaction => {
  const { sender, destinations, gasAmount, gasPrice, gasFormula, trial, unminable } = request;
  checkRequest(request);
  const { coinNeeded, changeNeeded, tokensNeeded, outputCount } = totalsOf(destinations);
  const selection = selectUtxos(source, {
    coin: coinNeeded,
    change: changeNeeded,
    tokens: tokensNeeded,
    gasPrice,
    gasAmount,
    estimateGas: (inputs, picked) =>
      estimateGas(gasFormula, sender.unlockScript, inputs, outputCount, unlockGasBy(trial, sender, picked)),
  });
  const takers = { ...takersOf(request, selection.picked.length), lessFor: selection.lessFor };
  // More than 256 never fit, whatever their gas is.
  if (unminable !== 'build') checkInputCount(takers);
  checkEstimatedGas(selection.gas, takers);
  return withSelection(selection, () =>
    assemble(
      request,
      selection.picked.map((utxo) => ({ reference: utxo.reference, output: utxo })),
      selection.gas,
    ),
  );
};

/** The request with other destinations and gas. */
const askedAs = (request: TransferRequest, { senders: [destinations = []], gasAmount }: Asked): TransferRequest => ({
  ...request,
  destinations,
  gasAmount,
});

/** The texts of the policy `build` have no advice of ours. */
const advised = (
  request: TransferRequest,
  build: (request: TransferRequest) => UnsignedTransaction,
  sweeps?: (refusal: BuildRefusal) => boolean,
): BuildOutcome<UnsignedTransaction> =>
  buildOutcome(() =>
    request.unminable === 'build'
      ? build(request)
      : withAdvice({
          asked: { senders: [request.destinations], gasAmount: request.gasAmount },
          build: (asked) => build(askedAs(request, asked)),
          sweeps,
        }),
  );

/** Builds a transfer from the sender's usable outputs (protocol 02 §4). */
export const buildTransfer = (request: TransferRequest, source: UtxoSource): BuildOutcome<UnsignedTransaction> =>
  advised(
    request,
    (each) => selected(each, source),
    ({ lack }) => sweepIsBuilt(request, lack?.spendable),
  );

/** No output of a contract among the chosen ones (protocol 02 §4.2). Throws BuildRefusal. */
export const checkChosenKinds = (references: readonly OutputReference[]): void => {
  const wrong = references.findIndex((reference) => !isAssetReference(reference));
  if (wrong >= 0)
    throw refusalOf(
      'ContractUtxo',
      `utxos[${wrong}] is an output of a contract: only outputs of addresses can be chosen.`,
      {
        field: `utxos[${wrong}]`,
      },
    );
};

export const emptyUtxos = (): BuildRefusal =>
  refusalOf(
    'EmptyUtxos',
    'The list of chosen outputs is empty. Name outputs to spend, or leave it out to have them chosen.',
    {
      field: 'utxos',
    },
  );

/** The checks on client-chosen references that need no state (protocol 02 §4.2). Throws BuildRefusal. */
const checkChosen = (references: readonly OutputReference[], groups: number): void => {
  checkChosenKinds(references);
  const [group, ...others] = references.map((reference) => groupOfReference(reference, groups));
  if (group === undefined) throw emptyUtxos();
  const other = 1 + others.findIndex((one) => one !== group);
  if (other > 0)
    throw refusalOf(
      'DifferentUtxoGroups',
      `utxos[${other}] is of group ${others[other - 1]}, utxos[0] of group ${group}: choose outputs of one group.`,
      { of: 'chosen', field: `utxos[${other}]` },
    );
};

/** `utxos[2], the output with key 31...,` */
const chosenText = (index: number, { key }: OutputReference): string => `utxos[${index}], the output with key ${key},`;

/** The client-chosen references with their outputs (protocol 02 §4.5 step 2). Throws BuildRefusal. */
export const resolveChosen = (
  references: readonly OutputReference[],
  lookup: (reference: OutputReference) => AssetOutput | undefined,
): readonly ChosenInput[] =>
  references.map((reference, index) => {
    const output = lookup(reference);
    if (!output)
      throw refusalOf(
        'UtxoNotFound',
        `${chosenText(index, reference)} is not there: it is spent, or never was. Ask for the outputs of the sender again.`,
        { key: reference.key, field: `utxos[${index}]` },
      );
    return { reference, output };
  });

/** Checks that the sender could spend the client-chosen outputs now (00-decisions, 26). Throws BuildRefusal. */
export const checkSpendable = (inputs: readonly ChosenInput[], sender: AssetLockupScript, now: bigint): void => {
  for (const [index, { reference, output }] of inputs.entries()) {
    const text = chosenText(index, reference);
    const field = `utxos[${index}]`;
    if (!sameLockupScript(output.lockupScript, sender))
      throw refusalOf('ForeignUtxo', `${text} belongs to ${addressOf(output.lockupScript)}, not to the sender.`, {
        field,
      });
    if (output.lockTime > now) {
      const seconds = (output.lockTime - now + 999n) / 1000n;
      throw refusalOf('LockedUtxo', `${text} is locked for another ${seconds} s, until ${timeText(output.lockTime)}.`, {
        field,
      });
    }
  }
};

/**
 * Builds a transfer that spends exactly the outputs the client names, in its order (protocol 02 §4.5). `lookup` reads
 * the view with the mempool. Foreign and locked outputs are refused here and not only at submit (00-decisions, 26),
 * unless the request says otherwise.
 */
export const buildTransferFrom = (
  asked: TransferRequest,
  references: readonly OutputReference[],
  lookup: (reference: OutputReference) => AssetOutput | undefined,
  now: bigint,
): BuildOutcome<UnsignedTransaction> =>
  advised(asked, (request) => {
    const { sender, destinations, groups, gasAmount, gasFormula, trial } = request;
    checkChosen(references, groups);
    checkRequest(request);
    sumTokens(destinations.map(({ tokens }) => tokens));
    const { length } = references;
    const estimate = (trialGas: UnlockScriptGas): number =>
      checkEstimatedGas(estimateGas(gasFormula, sender.unlockScript, length, destinations.length + 1, trialGas), {
        ...takersOf(request, length),
        areChosen: true,
      });
    if (request.unminable !== 'build') checkInputCount({ inputs: length, areChosen: true });
    // A script trial needs the outputs to unlock first.
    const early =
      sender.unlockScript.kind === 'p2sh' ? undefined : (gasAmount ?? estimate(unlockGasBy(trial, sender, [])));
    const inputs = resolveChosen(references, lookup);
    const gas = early ?? gasAmount ?? estimate(unlockGasBy(trial, sender, inputs.map(asUtxo)));
    if (request.unminable !== 'build') checkSpendable(inputs, sender.lockupScript, now);
    return assemble(request, inputs, gas, true);
  });
