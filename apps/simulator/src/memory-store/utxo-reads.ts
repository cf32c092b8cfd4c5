import {
  type AddressBalance,
  type ListQuery,
  type SelectionQuery,
  type Utxo,
  type UtxoClass,
} from '@shardnode/group-node';
import { type AssetLockupScript, type OutputReference, referenceId } from '@shardnode/protocol/primitives';
import { type Token } from '@shardnode/protocol/transaction';
import { copyOfUtxo, type MemoryDisk } from './memory-disk.js';

const sumOf = (utxos: readonly Utxo[]): bigint => utxos.reduce((sum, { output }) => sum + output.amount, 0n);

/** Only the first token of an output counts, as in the rows of a database. */
const tokensOf = (utxos: readonly Utxo[]): Token[] => {
  const sums = new Map<string, bigint>();
  for (const { output } of utxos) {
    const token = output.tokens[0];
    if (token) sums.set(token.id, (sums.get(token.id) ?? 0n) + token.amount);
  }
  return [...sums].map(([id, amount]) => ({ id, amount })).sort((a, b) => (a.id < b.id ? -1 : 1));
};

export const balanceOf = (disk: MemoryDisk, lockupScript: AssetLockupScript, now: bigint): AddressBalance => {
  const all = disk.ownedBy(lockupScript);
  const locked = all.filter(({ output }) => output.lockTime > now);
  return {
    amount: sumOf(all),
    lockedAmount: sumOf(locked),
    tokens: tokensOf(all),
    lockedTokens: tokensOf(locked),
    utxoCount: all.length,
  };
};

const hasToken = ({ output }: Utxo): boolean => output.tokens.length > 0;

type Values = (utxo: Utxo) => readonly bigint[];

const amountOnly: Values = ({ output }) => [output.amount];

/** Negative: the first is smaller. */
const compareValues = (a: readonly bigint[], b: readonly bigint[]): number => {
  for (const [i, value] of a.entries()) {
    if (value !== b[i]) return value < b[i]! ? -1 : 1;
  }
  return 0;
};

const compareKeys = (a: Utxo, b: Utxo): number => {
  const [first, second] = [a.reference.key, b.reference.key];
  return first === second ? 0 : first < second ? -1 : 1;
};

export const listUtxos = (disk: MemoryDisk, { lockupScript, offset = 0, limit }: ListQuery): readonly Utxo[] =>
  [...disk.ownedBy(lockupScript)]
    .sort(
      (a, b) =>
        Number(hasToken(a)) - Number(hasToken(b)) || compareValues(amountOnly(a), amountOnly(b)) || compareKeys(a, b),
    )
    .slice(offset, offset + limit)
    .map(copyOfUtxo);

const isOfClass = (kind: UtxoClass, utxo: Utxo): boolean => {
  switch (kind.kind) {
    case 'withoutToken':
      return !hasToken(utxo);
    case 'withToken':
      return hasToken(utxo);
    case 'token':
      return utxo.output.tokens[0]?.id === kind.tokenId;
  }
};

/** Equal amounts are in ascending order of key in both directions. */
export const selectUtxos = (disk: MemoryDisk, query: SelectionQuery): readonly Utxo[] => {
  const { lockupScript, direction, usableAt, below, after, limit } = query;
  const values: Values =
    query.class.kind === 'token' ? ({ output }) => [output.tokens[0]!.amount, output.amount] : amountOnly;
  const turn = direction === 'ascending' ? 1 : -1;
  const compare = (a: Utxo, b: Utxo): number => turn * compareValues(values(a), values(b)) || compareKeys(a, b);
  const isAsked = (utxo: Utxo): boolean =>
    isOfClass(query.class, utxo) &&
    (usableAt === undefined || utxo.output.lockTime <= usableAt) &&
    (below === undefined || utxo.output.amount < below) &&
    (after === undefined || compare(utxo, after) > 0);
  return disk.ownedBy(lockupScript).filter(isAsked).sort(compare).slice(0, limit).map(copyOfUtxo);
};

export const presentUtxos = (disk: MemoryDisk, references: readonly OutputReference[]): ReadonlySet<string> =>
  new Set(
    references
      .filter(({ key, hint }) => disk.utxos.get(key)?.reference.hint === hint)
      .map((reference) => referenceId(reference)),
  );
