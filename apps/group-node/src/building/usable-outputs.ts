import { type UtxoSource, utxoSourceOf } from '@shardnode/protocol/building';
import { type AssetLockupScript, type Hash, type OutputReference, referenceId } from '@shardnode/protocol/primitives';
import { type OutputView } from '@shardnode/protocol/state';
import { type AssetOutput } from '@shardnode/protocol/transaction';
import { type BuilderReads } from './builder-reads.js';
import { poolView } from '../mempool/pool-view.js';
import {
  addressOverlay,
  addressSet,
  consistently,
  type LeveledOutput,
  unspentInMemory,
  unspentOf,
} from '../view/address-outputs.js';
import { asUtxo, pagedSource, readingOn } from '../view/paged-source.js';
import { type ShownView } from '../view/shown-view.js';
import { targetView, usableAtTarget } from './target-view.js';

/** Time and dependencies at which a transaction is built. */
export interface BuildMoment {
  /** Milliseconds since 1970: locked outputs cannot be used. */
  readonly now: bigint;
  /** Absent: at the best dependencies. */
  readonly targetBlockHash?: Hash | undefined;
}

const isUsableAt =
  (now: bigint) =>
  ({ output }: LeveledOutput): boolean =>
    output.lockTime <= now;

/** Sources of addresses whose outputs are all in memory, of one moment; undefined when one is not. */
const sourcesInMemory = (
  node: BuilderReads,
  lockupScripts: readonly AssetLockupScript[],
  now: bigint,
): readonly UtxoSource[] | undefined => {
  const sources: UtxoSource[] = [];
  for (const lockupScript of lockupScripts) {
    const outputs = unspentInMemory(node, lockupScript, { pool: true });
    if (!outputs) return undefined;
    sources.push(utxoSourceOf(outputs.filter(isUsableAt(now)).map(asUtxo)));
  }
  return sources;
};

const usableSource = async (
  node: BuilderReads,
  shown: ShownView,
  lockupScript: AssetLockupScript,
  now: bigint,
): Promise<UtxoSource> => {
  const isUsable = isUsableAt(now);
  const all = async () => (await unspentOf(node, lockupScript, { pool: true })).filter(isUsable).map(asUtxo);
  const set = await addressSet(node, lockupScript);
  if (set.kind === 'small') return utxoSourceOf(await all());
  const { isSpent, created } = addressOverlay(node, shown, lockupScript, { pool: true });
  return pagedSource({
    store: node.store,
    lockupScript,
    usableAt: now,
    isSpent,
    created: created.filter(isUsable).map(asUtxo),
    all,
  });
};

/**
 * Runs a builder over the usable outputs of these addresses, pending ones included (decision 24): a source for each, in
 * order. The builder may run more than once.
 */
export const withUsableOutputs = async <Result>(
  node: BuilderReads,
  lockupScripts: readonly AssetLockupScript[],
  { now, targetBlockHash }: BuildMoment,
  build: (sources: readonly UtxoSource[]) => Result,
): Promise<Result> => {
  if (targetBlockHash !== undefined) {
    const view = await targetView(node, targetBlockHash);
    const sources: UtxoSource[] = [];
    for (const lockupScript of lockupScripts)
      sources.push(utxoSourceOf((await usableAtTarget(node, view, lockupScript, now)).map(asUtxo)));
    return node.state.memory.loaded(() => build(sources));
  }
  const { memory } = node.state;
  return consistently(
    node,
    async (shown) => {
      const sources: UtxoSource[] = [];
      for (const lockupScript of lockupScripts) sources.push(await usableSource(node, shown, lockupScript, now));
      // A builder that tries scripts reads contracts.
      return readingOn(() => memory.loaded(() => build(sources)), node.farReads);
    },
    () => {
      const sources = sourcesInMemory(node, lockupScripts, now);
      return sources && memory.loaded(() => build(sources));
    },
  );
};

const assetOf = (view: OutputView, reference: OutputReference): AssetOutput | undefined => {
  const output = view.output(reference);
  return output?.kind === 'asset' ? output : undefined;
};

/** The outputs chosen by the client that exist and are unspent, pending ones included. */
export const chosenOutputs = async (
  node: BuilderReads,
  references: readonly OutputReference[],
  { targetBlockHash }: BuildMoment,
): Promise<(reference: OutputReference) => AssetOutput | undefined> => {
  const { memory, pool, shown } = node.state;
  const { view } = targetBlockHash === undefined ? shown : await targetView(node, targetBlockHash);
  const found = await memory.loaded(
    () => new Map(references.map((reference) => [referenceId(reference), assetOf(poolView(pool, view), reference)])),
  );
  return (reference) => found.get(referenceId(reference));
};
