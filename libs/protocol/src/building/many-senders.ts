import { addressOf } from '../address/index.js';
import {
  groupOfLockupScript,
  groupOfReference,
  minimalGas,
  p2pkUnlockGas,
  isAssetReference,
  referenceId,
  txBaseGas,
  txInputBaseGas,
  txOutputBaseGas,
  type AssetLockupScript,
  type OutputReference,
} from '../primitives/index.js';
import { type AssetOutput, type Token, type UnsignedTransaction } from '../transaction/index.js';
import { addAmounts, sumTokens, tokenText } from './amount-sums.js';
import { buildOutcome, BuildRefusal, type BuildOutcome } from './build-refusal.js';
import {
  checkDestinations,
  checkDestinationSum,
  checkInputsAndAmounts,
  type DestinationGroups,
} from './destination-checks.js';
import { checkEstimatedGas, checkGivenGas, estimateGas } from './gas-estimate.js';
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
import { selectUtxos } from './selection.js';
import { type ScriptTrial, unlockGasBy } from './script-gas.js';
import { type Sender } from './sender.js';
import { asUtxo, checkBuilt, checkSpendable, resolveChosen, type ResolvedInput } from './transfer.js';
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
  /** For senders that unlock with a script; without it there are none. */
  readonly trial?: ScriptTrial | undefined;
  readonly destinationGroups: DestinationGroups;
  readonly lookup: (reference: OutputReference) => AssetOutput | undefined;
  /** Milliseconds since 1970: what the client chose must be spendable then. */
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
    const amount = plain.reduce(
      (sum, destination) => addAmounts(sum, destination.amount, '{COIN} amount overflow'),
      0n,
    );
    return [{ lockupScript: first.lockupScript, amount, tokens }, ...special];
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
  if (!first) throw new BuildRefusal('ZeroInputs', 'Empty list of input');
  if (new Set(lockupScripts.map(addressOf)).size !== lockupScripts.length)
    throw new BuildRefusal('RepeatedSender', 'Some addresses defined multiple time');
  const group = groupOfLockupScript(first, groups);
  if (lockupScripts.some((lockupScript) => groupOfLockupScript(lockupScript, groups) !== group))
    throw new BuildRefusal('DifferentGroups', 'Different groups for transaction inputs');
  return group;
};

const checkSources = ({ sources, groups }: ManySendersRequest): number => {
  const group = groupOfSenders(
    sources.map(({ sender }) => sender.lockupScript),
    groups,
  );
  checkChosenOfAll(sources, group, groups);
  const given = sources.filter(({ gasAmount }) => gasAmount !== undefined).length;
  if (given > 0 && given < sources.length) throw new BuildRefusal('MissingGas', 'Missing `gasAmount` in some inputs');
  return group;
};

const checkChosenOfAll = (sources: readonly TransferSource[], group: number, groups: number): void => {
  if (sources.some(({ chosen = [] }) => chosen.some((reference) => !isAssetReference(reference))))
    throw new BuildRefusal('ContractUtxo', 'Selected UTXOs must be of asset type');
  if (sources.some(({ chosen }) => chosen?.length === 0)) throw new BuildRefusal('EmptyUtxos', 'Empty UTXOs');
  const chosen = sources
    .flatMap((source) => source.chosen ?? [])
    .map((reference) => groupOfReference(reference, groups));
  if (chosen.length > 0 && chosen[0] !== group)
    throw new BuildRefusal('DifferentUtxoGroups', 'Selected UTXOs different from lockup script group');
  if (new Set(chosen).size > 1)
    throw new BuildRefusal('DifferentUtxoGroups', 'Selected UTXOs are not from the same group');
};

interface SelectedSource {
  readonly source: TransferSource;
  readonly inputs: readonly ResolvedInput[];
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
  if (source.chosen !== undefined) {
    const inputs = resolveChosen(source.chosen, lookup);
    if (unminable !== 'build') checkSpendable(inputs, source.sender.lockupScript, now);
    const gas = source.gasAmount ?? checkEstimatedGas(estimate(inputs.map(asUtxo), source.destinations.length + 1));
    return { source, inputs, initialGas: gas, amount, tokens };
  }
  const selection = selectUtxos(source.utxos, {
    coin: amount + extra,
    tokens,
    gasPrice,
    gasAmount: source.gasAmount,
    estimateGas: (_, picked) => estimate(picked, totals.outputCount),
  });
  checkEstimatedGas(selection.gas);
  const inputs = selection.picked.map((utxo) => ({ reference: utxo.reference, output: utxo }));
  return { source, inputs, initialGas: selection.gas, amount, tokens };
};

const changeTokensOf = ({ inputs, tokens }: SelectedSource): Token[] =>
  tokenRemainders(
    inputs.map(({ output }) => output.tokens),
    [tokens],
  );

const changeOf = (selected: SelectedSource, fee: bigint): AssetOutput[] => {
  const rest = coinRemainder(
    selected.inputs.map(({ output }) => output.amount),
    [selected.amount],
    fee,
  );
  return changeOutputs(selected.source.sender.lockupScript, rest, changeTokensOf(selected));
};

const checkSums = (unsigned: UnsignedTransaction, inputs: readonly ResolvedInput[]): void => {
  const outputs = unsigned.fixedOutputs;
  const fee = unsigned.gasPrice * BigInt(unsigned.gasAmount);
  const rest = coinRemainder(
    inputs.map(({ output }) => output.amount),
    outputs.map(({ amount }) => amount),
    fee,
  );
  if (rest !== 0n) throw new BuildRefusal('UnbalancedCoin', "Inputs' {Coin} don't sum up to outputs and gas fee");
  const tokens = tokenRemainders(
    inputs.map(({ output }) => output.tokens),
    outputs.map((output) => output.tokens),
  );
  if (tokens.length > 0)
    throw new BuildRefusal(
      'UnbalancedTokens',
      `Inputs' tokens don't sum up to outputs' tokens: ${tokens.map(({ id }) => tokenText(id)).join(', ')}`,
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
    ...selected.flatMap((one, i) => changeOf(one, gasPrice * BigInt(gas[i]!))),
  ],
});

/** Shared gas counts a destination with tokens as one output: what validation charges beyond it, the first source pays. */
const withChargedGas = (gas: readonly number[], unsigned: UnsignedTransaction): readonly number[] => {
  const missing = (chargedGas(unsigned) ?? 0) - unsigned.gasAmount;
  if (missing <= 0) return gas;
  checkEstimatedGas(unsigned.gasAmount + missing);
  return gas.map((own, i) => (i === 0 ? own + missing : own));
};

/** Builds one transaction of several senders of one group (protocol 02 §7.1). */
export const buildManySenders = (request: ManySendersRequest): BuildOutcome<UnsignedTransaction> =>
  buildOutcome(() => {
    const { sources, groups, gasPrice, unminable = 'refuse' } = request;
    const group = checkSources(request);
    const merged = mergeDestinations(sources.flatMap(({ destinations }) => destinations));
    checkDestinations(merged, group, groups, request.destinationGroups, unminable);
    for (const { gasAmount } of sources) checkGivenGas(gasAmount, gasPrice, unminable);
    const sum = checkDestinationSum(merged);
    const totals = totalsOf(merged);
    const selected = sources.map((source) => selectSource(request, source, totals, totals.coinNeeded - sum));
    const isGiven = sources.every(({ gasAmount }) => gasAmount !== undefined);
    const gas = isGiven
      ? selected.map(({ initialGas }) => initialGas)
      : shareGas(
          selected.map((one) => ({
            inputs: one.inputs.length,
            changeTokens: changeTokensOf(one).length,
            initialGas: one.initialGas,
          })),
          merged.length + totals.tokensNeeded.length,
        );
    checkGivenGas(sumOf(gas), gasPrice, unminable);
    const inputs = selected.flatMap((one) => one.inputs);
    let unsigned = assemble(request, merged, selected, gas);
    if (!isGiven && unminable === 'refuse')
      unsigned = assemble(request, merged, selected, withChargedGas(gas, unsigned));
    checkInputsAndAmounts(
      inputs.map(({ reference }) => referenceId(reference)),
      merged,
    );
    checkSums(unsigned, inputs);
    return checkMinable(checkBuilt(unsigned), unminable);
  });
