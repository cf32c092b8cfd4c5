import {
  type BuildManySendersRequest,
  builtTransaction,
  type BuiltTransaction,
  type SourceItem,
} from '@shardnode/messages';
import { buildManySenders, type TransferSource, type UtxoSource, utxoSourceOf } from '@shardnode/protocol/building';
import { type BuilderReads } from './builder-reads.js';
import { refusalError } from './built.js';
import { readDestinations, readGasPrice, readSender } from '../requests/request-fields.js';
import { buildNow } from './spendable-at.js';
import { lockedUntil } from './transfer.js';
import { trialOn } from './trial.js';
import { chosenOutputs, withUsableOutputs } from './usable-outputs.js';

const nothing: UtxoSource = utxoSourceOf([]);

const readSource = (node: BuilderReads, item: SourceItem, index: number): Omit<TransferSource, 'utxos'> => {
  const prefix = `sources[${index}].`;
  return {
    sender: readSender(node, item, prefix),
    destinations: readDestinations(item.destinations, prefix),
    gasAmount: item.gasAmount,
    chosen: item.utxos,
  };
};

/**
 * Builds one transaction of several senders of this group (protocol 02 §7.1). Throws `refused` with the text that tools
 * match, `unavailable` when not synced.
 */
export const buildManySendersFor = async (
  node: BuilderReads,
  message: BuildManySendersRequest,
): Promise<BuiltTransaction> => {
  node.sync.requireReady();
  const { settings } = node.state;
  const now = BigInt(node.clock.now());
  const moment = { now, targetBlockHash: message.targetBlockHash };
  const read = message.sources.map((item, index) => readSource(node, item, index));
  const chosen = read.flatMap((source) => source.chosen ?? []);
  const lookup = await chosenOutputs(node, chosen, moment);
  const selecting = read.filter((source) => source.chosen === undefined).map(({ sender }) => sender.lockupScript);
  const buildAt = (time: bigint) =>
    withUsableOutputs(node, selecting, { ...moment, now: time }, (found) => {
      const next = found[Symbol.iterator]();
      const sources = read.map((source) => ({
        ...source,
        utxos: source.chosen === undefined ? (next.next().value as UtxoSource) : nothing,
      }));
      return buildManySenders({
        networkId: settings.networkId,
        groups: settings.groups,
        sources,
        gasPrice: readGasPrice(message.gasPrice),
        trial: trialOn(node, time),
        destinationGroups: 'one',
        lookup,
        now: time,
        unminable: message.unminable,
      });
    });
  const outcome = await buildNow(node, selecting, buildAt);
  if (outcome.ok) return builtTransaction(outcome.value, settings.groups);
  const { refusal, spendableAt: when } = outcome;
  throw refusalError(refusal, when === undefined ? lockedUntil(refusal.code, chosen, lookup) : { spendableAt: when });
};
