import { type UnsweptOutputs } from '@shardnode/messages';
import { type BuildRefusalName, type Utxo } from '@shardnode/protocol/building';
import { amountText, timeText } from '@shardnode/protocol/primitives';

/** Locked outputs of an address. */
export interface LockedOutputs {
  /** attoCoin */
  readonly amount: bigint;
  /** The first end of a lock, milliseconds since 1970; undefined of an address with very many outputs. */
  readonly spendableAt: bigint | undefined;
}

/** The locked ones of outputs. `now`: milliseconds since 1970. */
export const lockedOutputs = (
  outputs: readonly { readonly output: { readonly amount: bigint; readonly lockTime: bigint } }[],
  now: bigint,
): LockedOutputs | undefined => {
  let amount = 0n;
  let spendableAt: bigint | undefined;
  for (const { output } of outputs) {
    if (output.lockTime <= now) continue;
    amount += output.amount;
    if (spendableAt === undefined || output.lockTime < spendableAt) spendableAt = output.lockTime;
  }
  return amount === 0n ? undefined : { amount, spendableAt };
};

const lockedText = ({ amount, spendableAt }: LockedOutputs): string => {
  const when = spendableAt === undefined ? '' : `, and the first can be spent from ${timeText(spendableAt)} on`;
  return `Outputs with ${amountText(amount)} are locked${when}.`;
};

const poorText = (poor: readonly Utxo[]): string => {
  const amount = poor.reduce((sum, utxo) => sum + utxo.amount, 0n);
  return poor.length === 1
    ? `1 output with ${amountText(amount)} costs more to sweep than it has.`
    : `${poor.length} outputs with ${amountText(amount)} cost more to sweep than they have.`;
};

/** Why outputs stay after a sweep: their locks, or their own poverty. Undefined if none stays. */
export const unsweptOutputs = (
  locked: LockedOutputs | undefined,
  poor: readonly Utxo[],
): UnsweptOutputs | undefined => {
  if (!locked && poor.length === 0) return undefined;
  const code: BuildRefusalName = locked ? 'LockedUtxo' : 'NotEnoughBalanceForFee';
  const detail = [...(locked ? [lockedText(locked)] : []), ...(poor.length > 0 ? [poorText(poor)] : [])].join(' ');
  const spendableAt = locked?.spendableAt?.toString();
  return { code, detail, ...(spendableAt === undefined ? {} : { spendableAt }) };
};
