import { lockupKey } from '@shardnode/protocol/policy';
import { type AssetLockupScript, referenceId } from '@shardnode/protocol/primitives';
import { type StoredOutput } from '@shardnode/protocol/state';
import { type AddressSet } from './address-sets.js';
import { type NodeReads } from './reads.js';
import { type ShownView } from './shown-view.js';

/**
 * An unspent output with its source (protocol 02 §3.3): 0 in the world state, 1 in a pending block, 2 in the pool.
 * Incoming outputs that only the sender's group includes yet are of level 2, so that builders prefer outputs that a
 * block can spend at once.
 */
export interface LeveledOutput extends StoredOutput {
  readonly level: 0 | 1 | 2;
}

export interface ViewChoice {
  /** With the pool: its outputs are included, the outputs that it spends are not. */
  readonly pool: boolean;
}

type Reads = Omit<NodeReads, 'clock'>;

/**
 * Attempts that the view may overtake before a read of an older moment is accepted: with the same base it is stale, not
 * wrong.
 */
const readsForOneMoment = 5;

/**
 * Runs a read of the projection together with the view in front of it, so that both are of the same moment. It does not
 * wait for a commit in progress, whose rows nobody sees before its end: only a commit that the database shows and the
 * view does not have yet makes it wait for the writer, and run again. The pool moves with the view: the previous view
 * does not show as spent the outputs of transactions that a block has removed from the pool.
 * @param fromMemory the result without the projection, whenever memory has it; it moves with the view in one event-loop tick
 */
export const consistently = async <Result>(
  { state, store, importer }: Reads,
  read: (shown: ShownView) => Promise<Result>,
  fromMemory: () => Result | Promise<Result> | undefined = () => undefined,
): Promise<Result> => {
  const isAhead = async (): Promise<boolean> =>
    importer.isCommitting && (await store.storedHead()) !== state.shown.base && importer.isCommitting;
  for (let reads = 1; ; reads++) {
    const known = fromMemory();
    if (known !== undefined) return known;
    const { shown } = state;
    const result = await read(shown);
    if (state.shown.base !== shown.base) continue;
    if (await isAhead()) {
      // The database has it: what is left is its answer to the writer.
      await importer.settled();
      continue;
    }
    if (state.shown === shown || reads >= readsForOneMoment) return result;
  }
};

/** The set of an address at the base of the view: from memory, or loaded. */
export const addressSet = async (
  { state: { addresses } }: Pick<Reads, 'state'>,
  lockupScript: AssetLockupScript,
): Promise<AddressSet> => {
  const cached = addresses.peek(lockupScript);
  if (cached) return cached;
  await addresses.load(lockupScript);
  return addresses.peek(lockupScript) ?? { kind: 'large' };
};

/**
 * Pending blocks and pool in front of the base for one address: spent references, and outputs of levels 1 and 2 in
 * order.
 */
export const addressOverlay = (
  { state }: Pick<NodeReads, 'state'>,
  shown: ShownView,
  lockupScript: AssetLockupScript,
  choice: ViewChoice,
): { readonly isSpent: (stored: StoredOutput) => boolean; readonly created: readonly LeveledOutput[] } => {
  const key = lockupKey(lockupScript);
  const { pool } = state;
  const spentInPool = (stored: StoredOutput): boolean => choice.pool && pool.spenderOf(stored.reference) !== undefined;
  const isSpent = (stored: StoredOutput): boolean => shown.view.isSpent(stored.reference) || spentInPool(stored);
  const inBlocks = (shown.created.get(key) ?? []).filter((stored) => !spentInPool(stored));
  const created: LeveledOutput[] = inBlocks.map((stored) => ({
    ...stored,
    level: shown.ahead.has(referenceId(stored.reference)) ? 2 : 1,
  }));
  if (!choice.pool) return { isSpent, created };
  const listed = new Set(created.map(({ reference }) => referenceId(reference)));
  for (const { reference, output } of pool.outputsTo(lockupScript)) {
    if (listed.has(referenceId(reference)) || isSpent({ reference, output })) continue;
    created.push({ reference, output, level: 2 });
  }
  return { isSpent, created };
};

const pageSize = 5_000;

const byReference = (a: StoredOutput, b: StoredOutput): number => {
  const [left, right] = [referenceId(a.reference), referenceId(b.reference)];
  return left < right ? -1 : left > right ? 1 : 0;
};

/** All outputs of an address in the projection, ascending key bytes (protocol 02 §3.3, level 0). */
const allOfBase = async (node: Reads, lockupScript: AssetLockupScript): Promise<readonly StoredOutput[]> => {
  const set = await addressSet(node, lockupScript);
  if (set.kind === 'small') return set.outputs;
  const outputs: StoredOutput[] = [];
  for (;;) {
    const page = await node.store.listUtxos({ lockupScript, offset: outputs.length, limit: pageSize });
    outputs.push(...page);
    if (page.length < pageSize) return outputs.sort(byReference);
  }
};

/** The unspent outputs of an address whose set is in memory; undefined for others. */
export const unspentInMemory = (
  { state }: Pick<Reads, 'state'>,
  lockupScript: AssetLockupScript,
  choice: ViewChoice,
): readonly LeveledOutput[] | undefined => {
  const cached = state.addresses.peek(lockupScript);
  if (cached?.kind !== 'small') return undefined;
  return outputsOver(cached.outputs, addressOverlay({ state }, state.shown, lockupScript, choice));
};

/** The unspent outputs of an address, without a limit (decision 13), in the order of protocol 02 §3.3. */
export const unspentOf = (
  node: Reads,
  lockupScript: AssetLockupScript,
  choice: ViewChoice,
): Promise<readonly LeveledOutput[]> =>
  consistently(
    node,
    async (shown) => {
      const base = await allOfBase(node, lockupScript);
      return outputsOver(base, addressOverlay(node, shown, lockupScript, choice));
    },
    () => unspentInMemory(node, lockupScript, choice),
  );

/** Outputs of the base with pending blocks and the pool in front of it. */
export const outputsOver = (
  base: readonly StoredOutput[],
  { isSpent, created }: ReturnType<typeof addressOverlay>,
): readonly LeveledOutput[] => {
  const persisted = base.filter((stored) => !isSpent(stored)).map((stored): LeveledOutput => ({ ...stored, level: 0 }));
  const listed = new Set(persisted.map(({ reference }) => reference.key));
  return [...persisted, ...created.filter(({ reference }) => !listed.has(reference.key))];
};
