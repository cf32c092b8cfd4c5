import { type ErrorHeaderKey, headersOf } from '@shardnode/core/http-server';
import { type Brand, brandedText, scriptHex } from '@shardnode/http';
import { type BuildSweepRequest, type SweepReply } from '@shardnode/messages';
import { type AssetLockupScript } from '@shardnode/protocol/primitives';

/** Fields of a sweep request, for any sender (`sweepFields`). Amounts are attoCoin, times milliseconds since 1970. */
interface SweepBody {
  readonly toAddress: { readonly lockupScript: AssetLockupScript };
  readonly maxAttoCoinPerUTXO?: bigint | undefined;
  readonly lockTime?: bigint | undefined;
  readonly gasAmount?: number | undefined;
  readonly gasPrice?: bigint | undefined;
  readonly targetBlockHash?: string | undefined;
}

/** The request of a sweep to a group, without its sender. */
export const sweepRequest = ({
  toAddress,
  maxAttoCoinPerUTXO,
  lockTime,
  gasAmount,
  gasPrice,
  targetBlockHash,
}: SweepBody): Omit<BuildSweepRequest, 'lockupScript' | 'unlockScript'> => ({
  destination: scriptHex(toAddress.lockupScript),
  maxAmountPerUtxo: maxAttoCoinPerUTXO?.toString(),
  lockTime: lockTime?.toString(),
  gasAmount,
  gasPrice: gasPrice?.toString(),
  targetBlockHash,
});

/** Headers of a sweep that leaves outputs at the address, or has none to take: its body has no field for them. */
export const sweepHeaders = (
  { transactions, left, more }: SweepReply,
  { maxAttoCoinPerUTXO }: SweepBody,
  brand: Brand,
): Readonly<Record<string, string>> => {
  const none =
    maxAttoCoinPerUTXO === undefined
      ? 'The address has no outputs.'
      : 'The address has no outputs with less than maxAttoCoinPerUTXO.';
  const advice = left?.detail ?? (transactions.length > 0 || more ? undefined : none);
  return headersOf({
    sweepAdvice: advice === undefined ? undefined : brandedText(advice, brand),
    spendableAt: left?.spendableAt,
  });
};
/** The headers of `sweepHeaders`. */
export const sweepHeaderKeys: readonly ErrorHeaderKey[] = ['sweepAdvice', 'spendableAt'];

/** For the descriptions of operations that build sweeps. */
export const howSweepsEnd =
  'One transaction takes 128 outputs. One answer takes at most 32,768, of more the smallest first: submit the ' +
  'transactions, then ask again.';
