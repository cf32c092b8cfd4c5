import { type LockupKey, lockupKey } from '@shardnode/protocol/policy';
import { type AssetLockupScript, type Hash, isAssetReference, referenceId } from '@shardnode/protocol/primitives';
import { type StoredOutput } from '@shardnode/protocol/state';
import { type AddressBalance } from '../store/index.js';
import {
  addressOverlay,
  addressSet,
  consistently,
  outputsOver,
  unspentInMemory,
  type ViewChoice,
} from './address-outputs.js';
import { type NodeReads } from './reads.js';
import { type ShownView } from './shown-view.js';

/** Sums to which outputs are added, and from which they are subtracted. */
class Sums {
  amount = 0n;
  lockedAmount = 0n;
  count = 0;
  private readonly tokens = new Map<Hash, bigint>();
  private readonly lockedTokens = new Map<Hash, bigint>();

  constructor(private readonly now: bigint) {}

  /** `sign` 1n adds, -1n subtracts. */
  change({ output }: StoredOutput, sign: 1n | -1n): void {
    const isLocked = output.lockTime > this.now;
    this.amount += sign * output.amount;
    if (isLocked) this.lockedAmount += sign * output.amount;
    this.count += Number(sign);
    for (const { id, amount } of output.tokens) {
      add(this.tokens, id, sign * amount);
      if (isLocked) add(this.lockedTokens, id, sign * amount);
    }
  }

  start(base: AddressBalance): void {
    this.amount = base.amount;
    this.lockedAmount = base.lockedAmount;
    this.count = base.utxoCount;
    for (const { id, amount } of base.tokens) add(this.tokens, id, amount);
    for (const { id, amount } of base.lockedTokens) add(this.lockedTokens, id, amount);
  }

  result(): AddressBalance {
    return {
      amount: this.amount,
      lockedAmount: this.lockedAmount,
      tokens: sorted(this.tokens),
      lockedTokens: sorted(this.lockedTokens),
      utxoCount: this.count,
    };
  }
}

const add = (sums: Map<Hash, bigint>, id: Hash, amount: bigint): void => {
  sums.set(id, (sums.get(id) ?? 0n) + amount);
};

const sorted = (sums: Map<Hash, bigint>): { id: Hash; amount: bigint }[] =>
  [...sums]
    .filter(([, amount]) => amount !== 0n)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([id, amount]) => ({ id, amount }));

/** Outputs of the base that pooled transactions spend, of one owner; without those that pending blocks spend. */
const spentByPool = ({ state }: NodeReads, shown: ShownView, owner: LockupKey): Promise<StoredOutput[]> =>
  state.memory.loaded(() => {
    const spent: StoredOutput[] = [];
    for (const { template, chainIndex } of state.pool.all()) {
      if (chainIndex.from !== state.group) continue;
      for (const { outputReference: reference } of template.unsigned.inputs) {
        if (!isAssetReference(reference) || state.pool.output(reference)) continue;
        const output = shown.view.output(reference);
        if (output?.kind === 'asset' && lockupKey(output.lockupScript) === owner) spent.push({ reference, output });
      }
    }
    return spent;
  });

/** Outputs of the projection that pending blocks spend, optionally also those that the pool spends. */
export const spentInFront = async (
  node: NodeReads,
  shown: ShownView,
  lockupScript: AssetLockupScript,
  choice: ViewChoice = { pool: true },
): Promise<StoredOutput[]> => {
  const owner = lockupKey(lockupScript);
  const byBlocks = [...(shown.spent.get(owner) ?? [])];
  if (!choice.pool || node.state.pool.size === 0) return byBlocks;
  const { created } = addressOverlay(node, shown, lockupScript, choice);
  const listed = new Set(created.map(({ reference }) => referenceId(reference)));
  const byPool = await spentByPool(node, shown, owner);
  // The pool may spend an output of a pending block, which is not in the projection.
  const isOfBase = (stored: StoredOutput): boolean =>
    !createdByBlocks(shown, owner, stored) && !listed.has(referenceId(stored.reference));
  return [...byBlocks, ...byPool.filter(isOfBase)];
};

/** Stored sums of the projection, corrected by pending blocks and the pool: for addresses with very many outputs. */
const balanceFromSums = async (
  node: NodeReads,
  shown: ShownView,
  lockupScript: AssetLockupScript,
  choice: ViewChoice,
): Promise<AddressBalance> => {
  const now = BigInt(node.clock.now());
  const sums = new Sums(now);
  sums.start(await node.store.balance(lockupScript, now));
  for (const stored of await spentInFront(node, shown, lockupScript, choice)) sums.change(stored, -1n);
  const { created } = addressOverlay(node, shown, lockupScript, choice);
  const present = await node.store.hasUtxos(created.map(({ reference }) => reference));
  for (const stored of created) if (!present.has(referenceId(stored.reference))) sums.change(stored, 1n);
  return sums.result();
};

const createdByBlocks = (shown: ShownView, owner: LockupKey, { reference }: StoredOutput): boolean =>
  (shown.created.get(owner) ?? []).some((created) => created.reference.key === reference.key);

/** Balance of an address without a limit on its outputs (decision 13); locked parts by the clock (protocol 02 §3.3). */
export const balanceOf = (
  node: NodeReads,
  lockupScript: AssetLockupScript,
  choice: ViewChoice,
): Promise<AddressBalance> => {
  const balance = (outputs: readonly StoredOutput[]) => balanceOfOutputs(outputs, BigInt(node.clock.now()));
  return consistently(
    node,
    async (shown) => {
      const set = await addressSet(node, lockupScript);
      if (set.kind === 'large') return balanceFromSums(node, shown, lockupScript, choice);
      return balance(outputsOver(set.outputs, addressOverlay(node, shown, lockupScript, choice)));
    },
    () => {
      const outputs = unspentInMemory(node, lockupScript, choice);
      return outputs && balance(outputs);
    },
  );
};

/** The sums of these outputs; those with a later lock time than `now`, in milliseconds since 1970, are locked. */
const balanceOfOutputs = (outputs: readonly StoredOutput[], now: bigint): AddressBalance => {
  const sums = new Sums(now);
  for (const stored of outputs) sums.change(stored, 1n);
  return sums.result();
};
