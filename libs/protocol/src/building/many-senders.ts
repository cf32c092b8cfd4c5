import { addressOf } from '../address/index.js';
import {
  groupOfLockupScript,
  groupOfReference,
  minimalGas,
  p2pkUnlockGas,
  referenceId,
  txBaseGas,
  txInputBaseGas,
  txOutputBaseGas,
  type AssetLockupScript,
  type OutputReference,
} from '../primitives/index.js';
import { type AssetOutput, type Token, type UnsignedTransaction } from '../transaction/index.js';
import { addAmounts, sumTokens } from './amount-sums.js';
import { type Asked, withAdvice } from './advice.js';
import { atPlace, buildOutcome, refusalOf, refusingAs, type BuildOutcome } from './build-refusal.js';
import {
  checkDestinations,
  checkDestinationSum,
  checkInputCount,
  checkInputsAndAmounts,
  type DestinationGroups,
} from './destination-checks.js';
import {
  checkEstimatedGas,
  checkGasAmount,
  checkGasPrice,
  estimateGas,
  gasOfMoreInputs,
  type GasTakers,
} from './gas-estimate.js';
import { checkBuilt } from './fee-cap.js';
import { chargedGas, checkMinable, type UnminablePolicy } from './minable.js';
import {
  changeOutputs,
  coinRemainder,
  outputsOfDestination,
  tokenRemainders,
  totalsOf,
  type Destination,
  type Totals,
} from './outputs.js';
import { type Selection, selectUtxos, withSelection } from './selection.js';
import { type ScriptTrial, unlockGasBy } from './script-gas.js';
import { type Sender } from './sender.js';
import { asUtxo, checkChosenKinds, checkSpendable, emptyUtxos, resolveChosen, type ResolvedInput } from './transfer.js';
import { type Utxo, type UtxoSource } from './utxo.js';

export interface TransferSource {
  readonly sender: Sender;
  readonly destinations: readonly Destination[];
  readonly gasAmount?: number | undefined;
  /** The outputs to spend, chosen by the client. */
  readonly chosen?: readonly OutputReference[] | undefined;
  readonly utxos: UtxoSource;
}

export interface ManySendersRequest {
  readonly networkId: number;
  readonly groups: number;
  readonly sources: readonly TransferSource[];
  readonly gasPrice: bigint;
  /** Required for senders that unlock with a script. */
  readonly trial?: ScriptTrial | undefined;
  readonly destinationGroups: DestinationGroups;
  readonly lookup: (reference: OutputReference) => AssetOutput | undefined;
  /** Milliseconds since 1970: chosen outputs must be spendable at this time. */
  readonly now: bigint;
  /** Default: `refuse`. */
  readonly unminable?: UnminablePolicy | undefined;
}

/** Destinations merged per address: plain ones become one, those with lock time or message follow (protocol 02 §7.1). */
const mergeDestinations = (destinations: readonly Destination[]): Destination[] => {
  const byAddress = new Map<string, Destination[]>();
  for (const destination of destinations) {
    const address = addressOf(destination.lockupScript);
    const own = byAddress.get(address);
    // No copies: a request may have tens of thousands for one address.
    if (own) own.push(destination);
    else byAddress.set(address, [destination]);
  }
  const isPlain = ({ lockTime, message }: Destination): boolean => lockTime === undefined && message === undefined;
  return [...byAddress.values()].flatMap((own) => {
    const plain = own.filter(isPlain);
    const special = own.filter((destination) => !isPlain(destination));
    const [first] = plain;
    if (!first) return special;
    const tokens = [...sumTokens(plain.map((destination) => destination.tokens))].map(([id, amount]) => ({
      id,
      amount,
    }));
    const amount = plain.reduce((sum, destination) => addAmounts(sum, destination.amount, 'total'), 0n);
    return [{ lockupScript: first.lockupScript, amount, tokens, place: first.place }, ...special];
  });
};

/** Gas that each source pays when none was given (protocol 02 §7.1 step 7). */
export const shareGas = (
  sources: readonly { readonly inputs: number; readonly changeTokens: number; readonly initialGas: number }[],
  destinationOutputs: number,
): number[] => {
  const base = txBaseGas + txOutputBaseGas * destinationOutputs;
  return sources.map(({ inputs, changeTokens, initialGas }, i) => {
    const own =
      (txInputBaseGas + p2pkUnlockGas) * inputs +
      txOutputBaseGas * (1 + changeTokens) +
      Math.floor(base / sources.length);
    const share = Math.min(own, initialGas);
    if (sources.length === 1) return Math.max(share, minimalGas);
    return i === 0 ? share + (base % sources.length) : share;
  });
};

/** The one group of different senders (protocol 02 §7.1 steps 1 and 4). Throws BuildRefusal. */
export const groupOfSenders = (lockupScripts: readonly AssetLockupScript[], groups: number): number => {
  const [first] = lockupScripts;
  if (!first)
    throw refusalOf('ZeroInputs', 'There are no senders: a transaction needs at least one.', { field: 'from' });
  const indexes = new Map<string, number>();
  for (const [index, address] of lockupScripts.map(addressOf).entries()) {
    const before = indexes.get(address);
    if (before !== undefined)
      throw refusalOf(
        'RepeatedSender',
        `from[${index}] is the same sender as from[${before}]. Name each sender once.`,
        {
          field: `from[${index}].fromPublicKey`,
        },
      );
    indexes.set(address, index);
  }
  const [group, ...others] = lockupScripts.map((lockupScript) => groupOfLockupScript(lockupScript, groups));
  const other = 1 + others.findIndex((one) => one !== group);
  if (other > 0)
    throw refusalOf(
      'DifferentGroups',
      `from[${other}] is of group ${others[other - 1]}, from[0] of group ${group}: all senders of a transaction are of one group. Make one transaction for each group.`,
      { of: 'inputs', field: `from[${other}].fromPublicKey` },
    );
  return group!;
};

const checkSources = ({ sources, groups }: ManySendersRequest): number => {
  const group = groupOfSenders(
    sources.map(({ sender }) => sender.lockupScript),
    groups,
  );
  checkChosenOfAll(sources, group, groups);
  const given = sources.findIndex(({ gasAmount }) => gasAmount !== undefined);
  const missing = sources.findIndex(({ gasAmount }) => gasAmount === undefined);
  if (given >= 0 && missing >= 0)
    throw refusalOf(
      'MissingGas',
      `from[${missing}] has no gas amount, but from[${given}] has one. Give all senders one, or none.`,
      { field: `from[${missing}].gasAmount` },
    );
  return group;
};

/** Runs a step for each sender; refusals contain its place and address. */
const forEachSource = <T>(
  sources: readonly TransferSource[],
  step: (source: TransferSource, index: number) => T,
): readonly T[] =>
  sources.map((source, index) =>
    refusingAs(
      () => atPlace(`from[${index}]`, { address: addressOf(source.sender.lockupScript) }, () => step(source, index)),
      (refusal) => (refusal.lack ? refusal.lacking({ sender: index }) : refusal),
    ),
  );

const checkChosenOfAll = (sources: readonly TransferSource[], group: number, groups: number): void => {
  forEachSource(sources, ({ chosen = [] }) => checkChosenKinds(chosen));
  forEachSource(sources, ({ chosen }) => {
    if (chosen?.length === 0) throw emptyUtxos();
  });
  // The documented texts depend on whether the first chosen output is of the senders' group.
  const [first] = sources.flatMap(({ chosen = [] }) => chosen);
  const of = first && groupOfReference(first, groups) !== group ? 'first' : 'chosen';
  forEachSource(sources, ({ chosen = [] }) => {
    const other = chosen.findIndex((reference) => groupOfReference(reference, groups) !== group);
    if (other >= 0)
      throw refusalOf(
        'DifferentUtxoGroups',
        `utxos[${other}] is of group ${groupOfReference(chosen[other]!, groups)}, the senders of group ${group}. Choose outputs of the sender.`,
        { of, field: `utxos[${other}]` },
      );
  });
};

interface SelectedSource {
  readonly source: TransferSource;
  readonly inputs: readonly ResolvedInput[];
  /** Absent: the client chose the outputs. */
  readonly selection?: Selection;
  readonly initialGas: number;
  readonly amount: bigint;
  readonly tokens: readonly Token[];
}

const selectSource = (
  request: ManySendersRequest,
  source: TransferSource,
  totals: Totals,
  extra: bigint,
): SelectedSource => {
  const { gasPrice, lookup, now, trial, unminable } = request;
  const amount = source.destinations.reduce((sum, destination) => sum + destination.amount, 0n);
  const tokens = [...sumTokens(source.destinations.map((destination) => destination.tokens))].map(([id, sum]) => ({
    id,
    amount: sum,
  }));
  const { sender } = source;
  const estimate = (inputs: readonly Utxo[], outputs: number): number =>
    estimateGas('reference', sender.unlockScript, inputs.length, outputs, unlockGasBy(trial, sender, inputs));
  const takers = (inputs: number): GasTakers => ({
    inputs,
    perInput: gasOfMoreInputs('reference', sender.unlockScript),
    outputs: totals.outputCount - totals.tokensNeeded.length - 1,
  });
  if (source.chosen !== undefined) {
    const inputs = resolveChosen(source.chosen, lookup);
    if (unminable !== 'build') checkSpendable(inputs, source.sender.lockupScript, now);
    const gas =
      source.gasAmount ??
      checkEstimatedGas(estimate(inputs.map(asUtxo), source.destinations.length + 1), {
        ...takers(inputs.length),
        areChosen: true,
      });
    return { source, inputs, initialGas: gas, amount, tokens };
  }
  const selection = selectUtxos(source.utxos, {
    coin: amount + extra,
    change: totals.changeNeeded,
    tokens,
    gasPrice,
    gasAmount: source.gasAmount,
    estimateGas: (_, picked) => estimate(picked, totals.outputCount),
  });
  const selectedTakers = { ...takers(selection.picked.length), lessFor: selection.lessFor };
  if (unminable !== 'build') checkInputCount(selectedTakers);
  checkEstimatedGas(selection.gas, selectedTakers);
  const inputs = selection.picked.map((utxo) => ({ reference: utxo.reference, output: utxo }));
  return { source, inputs, selection, initialGas: selection.gas, amount, tokens };
};

const forEachSelected = <T>(selected: readonly SelectedSource[], step: (one: SelectedSource, index: number) => T) =>
  forEachSource(
    selected.map(({ source }) => source),
    (_, index) => step(selected[index]!, index),
  );

const changeTokensOf = ({ inputs, tokens }: SelectedSource): Token[] =>
  tokenRemainders(
    inputs.map(({ output }) => output.tokens),
    [tokens],
  );

const changeOf = (selected: SelectedSource, fee: bigint): AssetOutput[] => {
  const { inputs, amount, source, selection } = selected;
  const step = (): AssetOutput[] => {
    const rest = coinRemainder(
      inputs.map(({ output }) => output.amount),
      [amount],
      fee,
    );
    return changeOutputs(source.sender.lockupScript, rest, changeTokensOf(selected));
  };
  return selection ? withSelection(selection, step) : step();
};

const checkSums = (unsigned: UnsignedTransaction, inputs: readonly ResolvedInput[]): void => {
  const outputs = unsigned.fixedOutputs;
  const fee = unsigned.gasPrice * BigInt(unsigned.gasAmount);
  const rest = coinRemainder(
    inputs.map(({ output }) => output.amount),
    outputs.map(({ amount }) => amount),
    fee,
  );
  if (rest !== 0n)
    throw refusalOf('UnbalancedCoin', 'The coins of the inputs are not those of the outputs and the fee.');
  const tokens = tokenRemainders(
    inputs.map(({ output }) => output.tokens),
    outputs.map((output) => output.tokens),
  );
  if (tokens.length > 0)
    throw refusalOf(
      'UnbalancedTokens',
      `The inputs have other amounts than the outputs of the tokens ${tokens.map(({ id }) => id).join(', ')}.`,
      { tokens: tokens.map(({ id }) => id).join(',') },
    );
};

const sumOf = (gas: readonly number[]): number => gas.reduce((all, one) => all + one, 0);

const assemble = (
  { networkId, gasPrice }: ManySendersRequest,
  merged: readonly Destination[],
  selected: readonly SelectedSource[],
  gas: readonly number[],
): UnsignedTransaction => ({
  version: 0,
  networkId,
  script: undefined,
  gasAmount: sumOf(gas),
  gasPrice,
  inputs: selected.flatMap(({ inputs, source: { sender } }) =>
    inputs.map(({ reference }) => ({ outputReference: reference, unlockScript: sender.unlockScript })),
  ),
  fixedOutputs: [
    ...merged.flatMap(outputsOfDestination),
    ...forEachSelected(selected, (one, i) => changeOf(one, gasPrice * BigInt(gas[i]!))).flat(),
  ],
});

/**
 * Shared gas counts a destination with tokens as one output. The first source pays the further charges of validation.
 */
const withChargedGas = (
  gas: readonly number[],
  unsigned: UnsignedTransaction,
  merged: readonly Destination[],
): readonly number[] => {
  const missing = (chargedGas(unsigned) ?? 0) - unsigned.gasAmount;
  if (missing <= 0) return gas;
  checkEstimatedGas(unsigned.gasAmount + missing, {
    inputs: unsigned.inputs.length,
    perInput: txInputBaseGas,
    outputs: merged.flatMap(outputsOfDestination).length,
  });
  return gas.map((own, i) => (i === 0 ? own + missing : own));
};

const adviceOnGas = (isGiven: boolean): string =>
  isGiven
    ? 'Leave it out for all of them to have it estimated.'
    : 'Send from fewer senders, or join their outputs first.';

/** Destinations with their places in the request. */
const destinationsOf = (sources: readonly TransferSource[]): readonly Destination[] =>
  sources.flatMap(({ destinations }, i) =>
    destinations.map((destination, j) => ({ ...destination, place: `from[${i}].destinations[${j}]` })),
  );

/** Throws BuildRefusal. */
const built = (request: ManySendersRequest): UnsignedTransaction => {
  const { sources, groups, gasPrice, unminable = 'refuse' } = request;
  const group = checkSources(request);
  const merged = mergeDestinations(destinationsOf(sources));
  checkDestinations(merged, group, groups, request.destinationGroups, unminable);
  forEachSource(sources, ({ gasAmount }) => checkGasAmount(gasAmount));
  checkGasPrice(gasPrice, unminable);
  const sum = checkDestinationSum(merged);
  const totals = totalsOf(merged);
  const extra = totals.coinNeeded - sum;
  const selected = forEachSource(sources, (source) => selectSource(request, source, totals, extra));
  const isGiven = sources.every(({ gasAmount }) => gasAmount !== undefined);
  const gas = isGiven
    ? selected.map(({ initialGas }) => initialGas)
    : shareGas(
        forEachSelected(selected, (one) => ({
          inputs: one.inputs.length,
          changeTokens: changeTokensOf(one).length,
          initialGas: one.initialGas,
        })),
        merged.length + totals.tokensNeeded.length,
      );
  checkGasAmount(sumOf(gas), { what: 'The total gas amount', advice: adviceOnGas(isGiven) });
  const inputs = selected.flatMap((one) => one.inputs);
  let unsigned = assemble(request, merged, selected, gas);
  if (!isGiven && unminable === 'refuse')
    unsigned = assemble(request, merged, selected, withChargedGas(gas, unsigned, merged));
  checkInputsAndAmounts(
    inputs.map(({ reference }) => referenceId(reference)),
    merged,
    sources.every(({ chosen }) => chosen !== undefined),
  );
  checkSums(unsigned, inputs);
  return checkMinable(checkBuilt(unsigned), unminable);
};

/** The request with other destinations. */
const askedAs = (request: ManySendersRequest, { senders }: Asked): ManySendersRequest => ({
  ...request,
  sources: request.sources.map((source, i) => ({ ...source, destinations: senders[i]! })),
});

/** Builds one transaction of several senders of one group (protocol 02 §7.1). */
export const buildManySenders = (request: ManySendersRequest): BuildOutcome<UnsignedTransaction> =>
  buildOutcome(() =>
    request.unminable === 'build'
      ? built(request)
      : withAdvice({
          asked: { senders: request.sources.map(({ destinations }) => destinations) },
          build: (asked) => built(askedAs(request, asked)),
        }),
  );
