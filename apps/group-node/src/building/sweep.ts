import { yieldToEventLoop } from '@shardnode/core/lifecycle';
import { type ServiceError } from '@shardnode/core/errors';
import { type BuildSweepRequest, builtTransaction, type SweepReply } from '@shardnode/messages';
import { addressOf } from '@shardnode/protocol/address';
import { buildSweep, sweepChunkSize, type SweepRequest, type Utxo } from '@shardnode/protocol/building';
import { type UnsignedTransaction } from '@shardnode/protocol/transaction';
import {
  assetLockupScriptCodec,
  type AssetLockupScript,
  groupOfLockupScript,
  referenceId,
} from '@shardnode/protocol/primitives';
import { type BuilderReads } from './builder-reads.js';
import { type Utxo as StoredUtxo } from '../store/index.js';
import { balanceOf } from '../view/address-balance.js';
import { addressOverlay, addressSet, type LeveledOutput, unspentOf } from '../view/address-outputs.js';
import { asUtxo } from '../view/paged-source.js';
import { refusalError } from './built.js';
import { decodeField, readGasPrice, readSender } from '../requests/request-fields.js';
import { targetView, usableAtTarget } from './target-view.js';
import { repeatedSoon } from './spendable-at.js';
import { type LockedOutputs, lockedOutputs, unsweptOutputs } from './unswept-outputs.js';
import { type BuildMoment } from './usable-outputs.js';

const mostTransactions = 256;
/** Bound of all transactions of a response: below half of the bus limit, because hexadecimal text doubles their size. */
const mostBytes = 4 * 2 ** 20;
/** Hint and key of an output. */
const bytesOfReference = 36;
const pageSize = 5_000;
const inputsOfStep = 16 * sweepChunkSize;

/** Limit of inputs that one response sweeps; 32,768 of one key. */
const mostInputs = (unlockScript: string): number => {
  const bytes = sweepChunkSize * (bytesOfReference + unlockScript.length / 2);
  return sweepChunkSize * Math.max(1, Math.min(mostTransactions, Math.floor(mostBytes / bytes)));
};

interface Wanted extends BuildMoment {
  readonly lockupScript: AssetLockupScript;
  /** attoCoin: only outputs with a smaller amount. */
  readonly below: bigint | undefined;
  readonly most: number;
}

interface Swept {
  readonly utxos: readonly Utxo[];
  /** The address has more outputs than these. */
  readonly more: boolean;
  readonly locked?: LockedOutputs | undefined;
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
 * For an address with very many outputs: as many as fit, smallest first, those with tokens last, read in pages. The
 * pages are not of one moment, because each new block would restart the read. A sweep may miss outputs that are spent
 * meanwhile; then only the transaction with such an output is refused later.
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

/** Selected by amount, returned in the order of references, as the protocol requires; pending ones follow. */
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
  if ((await addressSet(node, lockupScript)).kind === 'large') {
    const swept = await ofLargeSet(node, wanted);
    return swept.utxos.length > 0 ? swept : { ...swept, locked: await lockedOfLargeSet(node, wanted) };
  }
  const unspent = await unspentOf(node, lockupScript, { pool: true });
  return { ...atMost(unspent.filter(isWanted(wanted)).map(asUtxo), most), locked: lockedOutputs(unspent, wanted.now) };
};

/** From the sums of the balance: the outputs are too many to be read for a text. */
const lockedOfLargeSet = async (node: BuilderReads, { lockupScript }: Wanted): Promise<LockedOutputs | undefined> => {
  const { lockedAmount: amount } = await balanceOf(node, lockupScript, { pool: true });
  return amount === 0n ? undefined : { amount, spendableAt: undefined };
};

const ofTarget = async (node: BuilderReads, wanted: Wanted, target: string): Promise<Swept> => {
  const usable = await usableAtTarget(node, await targetView(node, target), wanted.lockupScript, wanted.now);
  return atMost(usable.filter(isWanted(wanted)).map(asUtxo), wanted.most);
};

/**
 * Consolidates the usable outputs of a sender (protocol 02 §6, 07 §16.8), pending ones included, up to the limit of one
 * response. Throws `refused` with the text that tools match, `unavailable` when not synced.
 */
export const buildSweepFor = async (node: BuilderReads, message: BuildSweepRequest): Promise<SweepReply> => {
  node.sync.requireReady();
  const { settings } = node.state;
  const sender = readSender(node, message);
  const destination = decodeField(assetLockupScriptCodec, message.destination, 'destination');
  const wantedNow = (): Wanted => ({
    lockupScript: sender.lockupScript,
    now: BigInt(node.clock.now()),
    below: message.maxAmountPerUtxo === undefined ? undefined : BigInt(message.maxAmountPerUtxo),
    most: mostInputs(message.unlockScript),
  });
  const target = message.targetBlockHash;
  const { utxos, more, locked } = await (target === undefined
    ? repeatedSoon(
        node,
        () => ofBest(node, wantedNow()),
        (swept) => swept.locked?.spendableAt,
      )
    : ofTarget(node, wantedNow(), target));
  const request: SweepRequest = {
    networkId: settings.networkId,
    sender,
    destination,
    lockTime: message.lockTime === undefined ? undefined : BigInt(message.lockTime),
    gasAmount: message.gasAmount,
    gasPrice: readGasPrice(message.gasPrice),
    unminable: message.unminable,
  };
  const transactions = await builtInSteps(node, request, utxos);
  const swept = new Set(
    transactions.flatMap(({ inputs }) => inputs.map(({ outputReference }) => referenceId(outputReference))),
  );
  const left = unsweptOutputs(
    locked,
    utxos.filter(({ reference }) => !swept.has(referenceId(reference))),
  );
  return {
    transactions: transactions.map((unsigned) => builtTransaction(unsigned, settings.groups)),
    fromGroup: node.state.group,
    toGroup: groupOfLockupScript(destination, settings.groups),
    more,
    ...(left && { left }),
  };
};

/**
 * Yields to the event loop between transactions, because hundreds of them block it for a noticeable time. Refused only
 * if none can be built.
 */
const builtInSteps = async (
  node: BuilderReads,
  request: SweepRequest,
  utxos: readonly Utxo[],
): Promise<readonly UnsignedTransaction[]> => {
  const transactions: UnsignedTransaction[] = [];
  let refusal: ServiceError | undefined;
  for (let start = 0; start === 0 || start < utxos.length; start += inputsOfStep) {
    if (start > 0) await yieldToEventLoop();
    const outcome = buildSweep(request, utxos.slice(start, start + inputsOfStep));
    if (outcome.ok) {
      transactions.push(...outcome.value);
      continue;
    }
    // A rebuild of memory may have removed outputs that were shown: that is no refusal.
    node.sync.requireReady();
    refusal ??= refusalError(outcome.refusal, { address: addressOf(request.sender.lockupScript) });
  }
  if (refusal && transactions.length === 0) throw refusal;
  return transactions;
};
