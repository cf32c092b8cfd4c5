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
import { checkBuilt, type ResolvedInput, type Sender } from './transfer.js';
import { type UtxoSource } from './utxo.js';

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
  readonly destinationGroups: DestinationGroups;
  readonly lookup: (reference: OutputReference) => AssetOutput | undefined;
}

/** Destinations merged per address: plain ones become one, those with lock time or message follow (protocol 02 §7.1). */
export const mergeDestinations = (destinations: readonly Destination[]): Destination[] => {
  const byAddress = new Map<string, Destination[]>();
  for (const destination of destinations) {
    const address = addressOf(destination.lockupScript);
    byAddress.set(address, [...(byAddress.get(address) ?? []), destination]);
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

const checkSources = ({ sources, groups }: ManySendersRequest): number => {
  if (sources.length === 0) throw new BuildRefusal('ZeroInputs', 'Zero transaction inputs');
  const addresses = sources.map(({ sender }) => addressOf(sender.lockupScript));
  if (new Set(addresses).size !== addresses.length)
    throw new BuildRefusal('RepeatedSender', 'Some addresses defined multiple time');
  const senderGroups = new Set(sources.map(({ sender }) => groupOfLockupScript(sender.lockupScript, groups)));
  if (senderGroups.size > 1) throw new BuildRefusal('DifferentGroups', 'Different groups for transaction inputs');
  const [group] = senderGroups as Set<number>;
  const chosen = sources
    .flatMap((source) => source.chosen ?? [])
    .map((reference) => groupOfReference(reference, groups));
  if (chosen.length > 0 && chosen[0] !== group)
    throw new BuildRefusal('DifferentUtxoGroups', 'Selected UTXOs different from lockup script group');
  if (new Set(chosen).size > 1)
    throw new BuildRefusal('DifferentUtxoGroups', 'Selected UTXOs are not from the same group');
  const given = sources.filter(({ gasAmount }) => gasAmount !== undefined).length;
  if (given > 0 && given < sources.length) throw new BuildRefusal('MissingGas', 'Missing `gasAmount` in some inputs');
  return group!;
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
  const { gasPrice, lookup } = request;
  const amount = source.destinations.reduce((sum, destination) => sum + destination.amount, 0n);
  const tokens = [...sumTokens(source.destinations.map((destination) => destination.tokens))].map(([id, sum]) => ({
    id,
    amount: sum,
  }));
  const estimate = (inputs: number, outputs: number): number =>
    estimateGas('reference', source.sender.unlockScript, inputs, outputs);
  if (source.chosen !== undefined) {
    const inputs = source.chosen.map((reference) => {
      const output = lookup(reference);
      if (!output) throw new BuildRefusal('UtxoNotFound', 'Can not find all selected UTXOs');
      return { reference, output };
    });
    const gas = source.gasAmount ?? checkEstimatedGas(estimate(inputs.length, source.destinations.length + 1));
    return { source, inputs, initialGas: gas, amount, tokens };
  }
  const selection = selectUtxos(source.utxos, {
    coin: amount + extra,
    tokens,
    gasPrice,
    gasAmount: source.gasAmount,
    estimateGas: (inputs) => estimate(inputs, totals.outputCount),
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

/** Builds one transaction of several senders of one group (protocol 02 §7.1). */
export const buildManySenders = (request: ManySendersRequest): BuildOutcome<UnsignedTransaction> =>
  buildOutcome(() => {
    const { sources, groups, gasPrice, networkId } = request;
    const group = checkSources(request);
    const merged = mergeDestinations(sources.flatMap(({ destinations }) => destinations));
    checkDestinations(merged, group, groups, request.destinationGroups);
    for (const { gasAmount } of sources) checkGivenGas(gasAmount, gasPrice);
    const sum = checkDestinationSum(merged);
    const totals = totalsOf(merged);
    const selected = sources.map((source) => selectSource(request, source, totals, totals.coinNeeded - sum));
    const gas = sources.every(({ gasAmount }) => gasAmount !== undefined)
      ? selected.map(({ initialGas }) => initialGas)
      : shareGas(
          selected.map((one) => ({
            inputs: one.inputs.length,
            changeTokens: changeTokensOf(one).length,
            initialGas: one.initialGas,
          })),
          merged.length + totals.tokensNeeded.length,
        );
    const gasAmount = gas.reduce((all, one) => all + one, 0);
    checkGivenGas(gasAmount, gasPrice);
    const change = selected.flatMap((one, i) => changeOf(one, gasPrice * BigInt(gas[i]!)));
    const inputs = selected.flatMap((one) => one.inputs);
    checkInputsAndAmounts(
      inputs.map(({ reference }) => referenceId(reference)),
      merged,
    );
    const unsigned: UnsignedTransaction = {
      version: 0,
      networkId,
      script: undefined,
      gasAmount,
      gasPrice,
      inputs: selected.flatMap((one) =>
        one.inputs.map(({ reference }) => ({
          outputReference: reference,
          unlockScript: one.source.sender.unlockScript,
        })),
      ),
      fixedOutputs: [...merged.flatMap(outputsOfDestination), ...change],
    };
    checkSums(unsigned, inputs);
    return checkBuilt(unsigned);
  });
