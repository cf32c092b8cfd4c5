import { scriptHex } from '@shardnode/http';
import { type BuildSweepRequest } from '@shardnode/messages';
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

/** For the descriptions of operations that build sweeps. */
export const howSweepsEnd =
  'One transaction takes 128 outputs. One answer takes at most 32,768, of more the smallest first: submit the ' +
  'transactions, then ask again.';
