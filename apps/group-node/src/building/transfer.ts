import { type BuildTransferRequest, builtTransaction, type BuiltTransaction } from '@shardnode/messages';
import { addressOf } from '@shardnode/protocol/address';
import { buildTransfer, buildTransferFrom, type TransferRequest } from '@shardnode/protocol/building';
import { type OutputReference } from '@shardnode/protocol/primitives';
import { type UnsignedTransaction } from '@shardnode/protocol/transaction';
import { type BuilderReads } from './builder-reads.js';
import { refusalError } from './built.js';
import { readDestinations, readGasPrice, readSender } from '../requests/request-fields.js';
import { lastUnlock } from '../view/last-unlock.js';
import { buildNow } from './spendable-at.js';
import { trialOn } from './trial.js';
import { type BuildMoment, chosenOutputs, withUsableOutputs } from './usable-outputs.js';

const readRequest = (node: BuilderReads, request: BuildTransferRequest): TransferRequest => {
  const { settings } = node.state;
  const sender = readSender(node, request);
  return {
    networkId: settings.networkId,
    groups: settings.groups,
    sender,
    destinations: readDestinations(request.destinations),
    gasAmount: request.gasAmount,
    gasPrice: readGasPrice(request.gasPrice),
    gasFormula: request.gasFormula,
    destinationGroups: 'one',
    unminable: request.unminable,
  };
};

/** The address of the refused sender: the client knows only its keys, and queries the balance by address. */
const senderOf = ({ sender }: TransferRequest): { readonly address: string } => ({
  address: addressOf(sender.lockupScript),
});

/** Selected from the usable outputs of the sender. */
const buildBySelection = async (
  node: BuilderReads,
  request: TransferRequest,
  moment: BuildMoment,
): Promise<UnsignedTransaction> => {
  const senders = [request.sender.lockupScript];
  const outcome = await buildNow(node, senders, (time) =>
    withUsableOutputs(node, senders, { ...moment, now: time }, ([source]) =>
      buildTransfer({ ...request, trial: trialOn(node, time) }, source!),
    ),
  );
  if (outcome.ok) return outcome.value;
  const { spendableAt: when } = outcome;
  throw refusalError(outcome.refusal, { ...senderOf(request), ...(when === undefined ? {} : { spendableAt: when }) });
};

const buildFromChosen = async (
  node: BuilderReads,
  request: TransferRequest,
  chosen: readonly OutputReference[],
  moment: BuildMoment,
): Promise<UnsignedTransaction> => {
  const lookup = await chosenOutputs(node, chosen, moment);
  const outcome = await node.state.memory.loaded(() =>
    buildTransferFrom({ ...request, trial: trialOn(node, moment.now) }, chosen, lookup, moment.now),
  );
  if (outcome.ok) return outcome.value;
  node.sync.requireReady();
  throw refusalError(outcome.refusal, {
    ...senderOf(request),
    ...lockedUntil(outcome.refusal.code, chosen, lookup),
  });
};

/** The time at which all outputs chosen by the client are unlocked, when a lock is the reason of the refusal. */
export const lockedUntil = (
  code: string,
  chosen: readonly OutputReference[],
  lookup: Awaited<ReturnType<typeof chosenOutputs>>,
): { readonly spendableAt?: string } => (code === 'LockedUtxo' ? { spendableAt: lastUnlock(chosen, lookup) } : {});

/** Builds a transfer (protocol 02 §4). Throws `refused` with the text that tools match, `unavailable` when not synced. */
export const buildTransferFor = async (
  node: BuilderReads,
  message: BuildTransferRequest,
): Promise<BuiltTransaction> => {
  node.sync.requireReady();
  const request = readRequest(node, message);
  const moment = { now: BigInt(node.clock.now()), targetBlockHash: message.targetBlockHash };
  const unsigned = await (message.utxos === undefined
    ? buildBySelection(node, request, moment)
    : buildFromChosen(node, request, message.utxos, moment));
  return builtTransaction(unsigned, node.state.settings.groups);
};
