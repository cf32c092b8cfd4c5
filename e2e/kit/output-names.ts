import { parseAssetAddress } from '@shardnode/protocol/address';
import { outputHint as hintOf } from '@shardnode/protocol/primitives';
import { outputKey } from '@shardnode/protocol/transaction';

/** The hint that outputs of an address carry. */
export const outputHint = (address: string): number => {
  const lockupScript = parseAssetAddress(address);
  if (!lockupScript) throw new Error(`not an asset address: ${address}`);
  return hintOf(lockupScript);
};

/** The key of an output of a transaction. */
export const outputKeyOf = (transactionId: string, index: number): string => outputKey(transactionId, index);
