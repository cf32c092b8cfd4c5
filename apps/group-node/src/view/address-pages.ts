import { type UtxoPart, type UtxoPosition } from '@shardnode/messages';
import { type AssetLockupScript, referenceId } from '@shardnode/protocol/primitives';
import { type StoredOutput } from '@shardnode/protocol/state';
import { type Utxo } from '../store/index.js';
import { spentInFront } from './address-balance.js';
import { addressOverlay, addressSet, consistently, type LeveledOutput, unspentOf } from './address-outputs.js';
import { type NodeReads } from './reads.js';
import { type ShownView } from './shown-view.js';

/**
 * Limits of outputs in one message, and approximately of their characters: neither the query nor the message may delay
 * others.
 */
const most = { outputs: 2_000, characters: 2_000_000 };

/** Approximate characters of an output in a message. */
const charactersOf = ({ output }: StoredOutput): number =>
  240 + 2 * output.additionalData.length + 160 * output.tokens.length;

/** The first of the outputs that fit into one message, at least one. */
const fitting = <Item extends StoredOutput>(outputs: readonly Item[]): readonly Item[] => {
  let characters = 0;
  const end = outputs.findIndex((stored, index) => {
    characters += charactersOf(stored);
    return index === most.outputs || (index > 0 && characters > most.characters);
  });
  return end < 0 ? outputs : outputs.slice(0, end);
};

const withTokens = ({ output }: StoredOutput): boolean => output.tokens.length > 0;

/** The order of the projection's lists: without a token first, then by amount and key. */
const isBefore = (a: StoredOutput, b: StoredOutput): boolean => {
  if (withTokens(a) !== withTokens(b)) return withTokens(b);
  if (a.output.amount !== b.output.amount) return a.output.amount < b.output.amount;
  return a.reference.key < b.reference.key;
};

/** Outputs that pending blocks and the pool create and do not spend, without those of the projection. */
const createdInFront = async (
  node: NodeReads,
  shown: ShownView,
  lockupScript: AssetLockupScript,
): Promise<LeveledOutput[]> => {
  const { created } = addressOverlay(node, shown, lockupScript, { pool: true });
  const present = await node.store.hasUtxos(created.map(({ reference }) => reference));
  return created.filter(({ reference }) => !present.has(referenceId(reference)));
};

export interface OutputPage {
  readonly outputs: readonly LeveledOutput[];
  /** The address has more of the requested outputs. */
  readonly more: boolean;
}

/**
 * A page of an address with very many outputs, in the order of the projection. Outputs that pending blocks or the pool
 * spend are not counted, so that pages fit together.
 */
const largePage = (
  node: NodeReads,
  lockupScript: AssetLockupScript,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<readonly LeveledOutput[]> =>
  consistently(node, async (shown) => {
    const { isSpent } = addressOverlay(node, shown, lockupScript, { pool: true });
    const spent = await spentInFront(node, shown, lockupScript);
    const rows = await node.store.listUtxos({ lockupScript, offset, limit: limit + spent.length });
    const [first] = rows;
    // Spent outputs before the offset do not count, so that as many more are skipped.
    const skipped = first ? spent.filter((stored) => isBefore(stored, first)).length : 0;
    const page = rows
      .filter((stored) => !isSpent(stored))
      .slice(skipped, skipped + limit)
      .map((stored): LeveledOutput => ({ ...stored, level: 0 }));
    if (page.length === limit) return page;
    const { utxoCount } = await node.store.balance(lockupScript, BigInt(node.clock.now()));
    const from = Math.max(0, offset - (utxoCount - spent.length));
    const created = await createdInFront(node, shown, lockupScript);
    return [...page, ...created.slice(from, from + limit - page.length)];
  });

/**
 * Unspent outputs from an offset, as many as one message holds. Addresses with few outputs have the order of protocol
 * 02 §3.3, those with very many that of the projection. Without a limit: all, or none and `more` (see `walkOutputs`).
 */
export const outputPage = async (
  node: NodeReads,
  lockupScript: AssetLockupScript,
  { offset = 0, limit }: { readonly offset?: number | undefined; readonly limit?: number | undefined },
): Promise<OutputPage> => {
  const set = await addressSet(node, lockupScript);
  if (set.kind === 'large' && limit === undefined) return { outputs: [], more: true };
  const wanted = limit ?? Number.POSITIVE_INFINITY;
  const found =
    set.kind === 'large'
      ? await largePage(node, lockupScript, { offset, limit: Math.min(wanted, most.outputs) })
      : (await unspentOf(node, lockupScript, { pool: true })).slice(offset, offset + wanted);
  const outputs = fitting(found);
  const isCut = outputs.length < found.length;
  if (limit === undefined) return isCut ? { outputs: [], more: true } : { outputs, more: false };
  return { outputs, more: isCut || (outputs.length === most.outputs && outputs.length < limit) };
};

export interface WalkStep {
  readonly outputs: readonly LeveledOutput[];
  /** Position after which the walk continues. */
  readonly next?: UtxoPosition;
}

const positionOf = ({ reference, output }: StoredOutput): UtxoPosition => ({
  amount: output.amount.toString(),
  key: reference.key,
});

const stepOf = (
  rows: readonly LeveledOutput[],
  isLast: boolean,
  isShown: (stored: StoredOutput) => boolean,
): WalkStep => {
  const taken = fitting(rows);
  const outputs = taken.filter(isShown);
  const last = taken.at(-1);
  return last && !(isLast && taken.length === rows.length) ? { outputs, next: positionOf(last) } : { outputs };
};

/**
 * One step of a walk over all outputs of an address, whatever their number: see `UtxoPart`. Each output that stays
 * unspent occurs once.
 */
export const walkOutputs = (
  node: NodeReads,
  lockupScript: AssetLockupScript,
  { part, after }: { readonly part: UtxoPart; readonly after?: UtxoPosition | undefined },
): Promise<WalkStep> =>
  consistently(node, async (shown) => {
    if (part === 'pending') {
      const created = await createdInFront(node, shown, lockupScript);
      const rest = created
        .filter(({ reference }) => after === undefined || reference.key > after.key)
        .sort((a, b) => (a.reference.key < b.reference.key ? -1 : 1));
      return stepOf(rest, true, () => true);
    }
    const { isSpent } = addressOverlay(node, shown, lockupScript, { pool: true });
    const rows = await node.store.selectUtxos({
      lockupScript,
      class: { kind: part === 'plain' ? 'withoutToken' : 'withToken' },
      direction: 'ascending',
      limit: most.outputs,
      ...(after === undefined ? {} : { after: utxoAt(after, lockupScript) }),
    });
    const stored = rows.map((row): LeveledOutput => ({ ...row, level: 0 }));
    return stepOf(stored, rows.length < most.outputs, (one) => !isSpent(one));
  });

/** The fields that the store needs of the output at the position of a walk. */
const utxoAt = ({ amount, key }: UtxoPosition, lockupScript: AssetLockupScript): Utxo => ({
  reference: { hint: 0, key },
  output: {
    kind: 'asset',
    amount: BigInt(amount),
    lockupScript,
    lockTime: 0n,
    tokens: [],
    additionalData: new Uint8Array(),
  },
});
