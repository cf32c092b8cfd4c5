import { bytesToHex, encode } from '@shardnode/protocol/encoding';
import { lockupScriptCodec } from '@shardnode/protocol/primitives';
import { type UnsignedTransaction, unlockScriptCodec } from '@shardnode/protocol/transaction';
import { type GroupClient, groupRequests, mayBeExecuted, type WalletTransferReply } from '@shardnode/messages';
import { ServiceError } from '@shardnode/core/errors';
import { type WalletAddress } from './keys/unlocked-wallet.js';

/** A transaction of a wallet, with the signature of the address from which it spends. */
export interface SignedTransaction {
  readonly txId: string;
  readonly unsigned: UnsignedTransaction;
  /** The encoding of bus messages to group-nodes. */
  readonly template: Uint8Array;
}

export const lockupScriptOf = ({ lockupScript }: WalletAddress): string =>
  bytesToHex(encode(lockupScriptCodec, lockupScript));

/** The scripts of a sender in build requests to group-nodes. */
export const scriptsOf = (sender: WalletAddress) => ({
  lockupScript: lockupScriptOf(sender),
  unlockScript: bytesToHex(encode(unlockScriptCodec, { kind: 'p2pkh', publicKey: sender.publicKey })),
});

/**
 * Without a response it is unknown whether the transaction was accepted: the error names it, so that its status can be
 * queried. `mostMs`: milliseconds after which the caller of the wallet no longer waits for this error.
 */
export const submitTo = async (
  groups: GroupClient,
  group: number,
  { txId, template }: SignedTransaction,
  mostMs = Infinity,
): Promise<WalletTransferReply> => {
  const deadlineMs = Math.min(groupRequests['command.mempool.submit'].deadlineMs, mostMs);
  try {
    // The id is the wallet's own: with that of an answer somebody could be led to pay again.
    return { ...(await groups.request(group, 'command.mempool.submit', { template }, { deadlineMs })), txId };
  } catch (error) {
    if (!(error instanceof ServiceError) || !mayBeExecuted(error)) throw error;
    throw new ServiceError(
      error.kind,
      error.code,
      `${error.detail}; whether it has taken transaction ${txId} is not known: ask for its status before paying again`,
      { ...error.data, txId },
    );
  }
};
