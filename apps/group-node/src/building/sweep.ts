import { yieldToEventLoop } from '@shardnode/core/lifecycle';
import { type BuildSweepRequest, type BuiltTransaction, type SweepReply } from '@shardnode/messages';
import { addressOf } from '@shardnode/protocol/address';
import { buildSweep, sweepChunkSize, type SweepRequest, type Utxo } from '@shardnode/protocol/building';
import {
  assetLockupScriptCodec,
  type AssetLockupScript,
  groupOfLockupScript,
  referenceId,
} from '@shardnode/protocol/primitives';
import { type BuilderReads } from './builder-reads.js';
import { type Utxo as StoredUtxo } from '../store/index.js';
import { addressOverlay, addressSet, type LeveledOutput, unspentOf } from '../view/address-outputs.js';
import { asUtxo } from '../view/paged-source.js';
import { builtTransaction, refusalError } from './built.js';
import { decodeField, readGasPrice, readSender } from '../requests/request-fields.js';
import { targetView, usableAtTarget } from './target-view.js';
import { type BuildMoment } from './usable-outputs.js';

const mostTransactions = 256;
/** Of all transactions of an answer: below half of what the bus carries, and twice as much as hexadecimal text. */
const mostBytes = 4 * 2 ** 20;
/** Hint and key of an output. */
const bytesOfReference = 36;
const pageSize = 5_000;
const inputsOfStep = 16 * sweepChunkSize;

/** How many outputs one answer sweeps; 32,768 of one key. */
const mostInputs = (unlockScript: string): number => {
  const bytes = sweepChunkSize * (bytesOfReference + unlockScript.length / 2);
  return sweepChunkSize * Math.max(1, Math.min(mostTransactions, Math.floor(mostBytes / bytes)));
};

interface Wanted extends BuildMoment {
  readonly lockupScript: AssetLockupScript;
  /** attoCoin: only outputs with less. */
  readonly below: bigint | undefined;
  readonly most: number;
}

interface Swept {
  readonly utxos: readonly Utxo[];
  /** There are more than these. */
  readonly more: boolean;
}

const atMost = (utxos: readonly Utxo[], most: number): Swept => ({
  utxos: utxos.length > most ? utxos.slice(0, most) : utxos,
  more: utxos.length > most,
});

const isWanted =
  ({ now, below }: Wanted) =>
  ({ output }: LeveledOutput): boolean =>
    output.lockTime <= now && (below === undefined || output.amount < below);

const byReference = (a: StoredUtxo, b: StoredUtxo): number =>
  referenceId(a.reference) < referenceId(b.reference) ? -1 : 1;

/**
 * Of an address with very many outputs: as many as fit, the smallest first and those with tokens last, read in pages. No
 * moment is held for all pages: blocks that come in between would have it read for ever. Of what is spent meanwhile a
 * sweep may miss that; only the transaction with it is refused later.
 */
const persisted = async (node: BuilderReads, { lockupScript, now, below, most }: Wanted): Promise<StoredUtxo[]> => {
  const outputs: StoredUtxo[] = [];
  for (const kind of ['withoutToken', 'withToken'] as const) {
    let after: StoredUtxo | undefined;
    for (;;) {
      const page = await node.store.selectUtxos({
        lockupScript,
        class: { kind },
        direction: 'ascending',
        usableAt: now,
        limit: pageSize,
        ...(below === undefined ? {} : { below }),
        ...(after === undefined ? {} : { after }),
      });
      const { isSpent } = addressOverlay(node, node.state.shown, lockupScript, { pool: true });
      outputs.push(...page.filter((stored) => !isSpent(stored)));
      if (outputs.length > most) return outputs;
      if (page.length < pageSize) break;
      after = page.at(-1);
    }
  }
  return outputs;
};

/** Chosen by amount, but in the order of references, as the documents have it; pending ones follow. */
const ofLargeSet = async (node: BuilderReads, wanted: Wanted): Promise<Swept> => {
  const { lockupScript, most } = wanted;
  const found = await persisted(node, wanted);
  const { isSpent, created } = addressOverlay(node, node.state.shown, lockupScript, { pool: true });
  const unspent = found.filter((stored) => !isSpent(stored));
  const listed = new Set(unspent.map(({ reference }) => referenceId(reference)));
  const newer = created.filter(isWanted(wanted)).filter(({ reference }) => !listed.has(referenceId(reference)));
  const inOrder = unspent.slice(0, most).sort(byReference);
  const utxos = [...inOrder.map((stored) => asUtxo({ ...stored, level: 0 })), ...newer.map(asUtxo)];
  return { utxos: utxos.slice(0, most), more: found.length > most || unspent.length + newer.length > most };
};

const ofBest = async (node: BuilderReads, wanted: Wanted): Promise<Swept> => {
  const { lockupScript, most } = wanted;
  if ((await addressSet(node, lockupScript)).kind === 'large') return ofLargeSet(node, wanted);
  const unspent = await unspentOf(node, lockupScript, { pool: true });
  return atMost(unspent.filter(isWanted(wanted)).map(asUtxo), most);
};

const ofTarget = async (node: BuilderReads, wanted: Wanted, target: string): Promise<Swept> => {
  const usable = await usableAtTarget(node, await targetView(node, target), wanted.lockupScript, wanted.now);
  return atMost(usable.filter(isWanted(wanted)).map(asUtxo), wanted.most);
};

/**
 * Consolidates the usable outputs of a sender (protocol 02 §6, 07 §16.8), pending ones included, as many as one answer
 * takes. Throws `refused` with the text that tools match, `unavailable` when not synced.
 */
export const buildSweepFor = async (node: BuilderReads, message: BuildSweepRequest): Promise<SweepReply> => {
  node.sync.requireReady();
  const { settings } = node.state;
  const sender = readSender(node, message);
  const destination = decodeField(assetLockupScriptCodec, message.destination, 'destination');
  const wanted: Wanted = {
    lockupScript: sender.lockupScript,
    now: BigInt(node.clock.now()),
    below: message.maxAmountPerUtxo === undefined ? undefined : BigInt(message.maxAmountPerUtxo),
    most: mostInputs(message.unlockScript),
  };
  const target = message.targetBlockHash;
  const { utxos, more } = await (target === undefined ? ofBest(node, wanted) : ofTarget(node, wanted, target));
  const request: SweepRequest = {
    networkId: settings.networkId,
    sender,
    destination,
    lockTime: message.lockTime === undefined ? undefined : BigInt(message.lockTime),
    gasAmount: message.gasAmount,
    gasPrice: readGasPrice(message.gasPrice),
    unminable: message.unminable,
  };
  return {
    transactions: await builtInSteps(node, request, utxos),
    fromGroup: node.state.group,
    toGroup: groupOfLockupScript(destination, settings.groups),
    more,
  };
};

/** Hundreds of transactions take a moment: others have their turn in between. */
const builtInSteps = async (
  node: BuilderReads,
  request: SweepRequest,
  utxos: readonly Utxo[],
): Promise<readonly BuiltTransaction[]> => {
  const transactions: BuiltTransaction[] = [];
  for (let start = 0; start === 0 || start < utxos.length; start += inputsOfStep) {
    if (start > 0) await yieldToEventLoop();
    const outcome = buildSweep(request, utxos.slice(start, start + inputsOfStep));
    if (!outcome.ok) {
      // Outputs that were shown may be gone with the memory, meanwhile: that is no refusal.
      node.sync.requireReady();
      throw refusalError(outcome.refusal, { address: addressOf(request.sender.lockupScript) });
    }
    for (const unsigned of outcome.value) transactions.push(builtTransaction(unsigned, node.state.settings.groups));
  }
  return transactions;
};
