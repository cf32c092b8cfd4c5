import { RecentMap } from '@shardnode/core/eviction';
import { addressOf } from '@shardnode/protocol/address';
import { type Hash, type LockupScript } from '@shardnode/protocol/primitives';

/** Base58 of the same addresses again and again would be a third of the rows' processor time. */
const recent = new RecentMap<Hash, string>(200_000);

/** The address of a lockup script, memoized for those of one public key. */
export const addressText = (script: LockupScript): string => {
  if (script.kind !== 'p2pkh') return addressOf(script);
  const known = recent.get(script.publicKeyHash);
  if (known !== undefined) return known;
  const text = addressOf(script);
  recent.set(script.publicKeyHash, text);
  return text;
};
