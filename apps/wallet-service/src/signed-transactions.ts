import { bytesToHex, decode, encode, hexToBytes } from '@shardnode/protocol/encoding';
import { lockupScriptCodec } from '@shardnode/protocol/primitives';
import {
  transactionId,
  transactionTemplateCodec,
  unlockScriptCodec,
  unsignedTransactionCodec,
} from '@shardnode/protocol/transaction';
import { type GroupClient, type WalletTransferReply } from '@shardnode/messages';
import { ServiceError } from '@shardnode/core/errors';
import { type UnlockedWallet, type WalletAddress } from './keys/unlocked-wallet.js';

/** A transaction of a wallet, with the signature of the address from which it spends. */
export interface SignedTransaction {
  readonly txId: string;
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

/** Signs a transaction that a group-node built for `sender`. @throws ServiceError `WalletLocked` */
export const signed = (wallet: UnlockedWallet, sender: WalletAddress, unsignedTx: Uint8Array): SignedTransaction => {
  const unsigned = decode(unsignedTransactionCodec, unsignedTx);
  const txId = transactionId(unsigned);
  const inputSignatures = [wallet.sign(sender.index, hexToBytes(txId))];
  return { txId, template: encode(transactionTemplateCodec, { unsigned, inputSignatures, scriptSignatures: [] }) };
};

/**
 * Without a response it is unknown whether the transaction was accepted: the error names it, so that its status can be
 * queried.
 */
export const submitTo = async (
  groups: GroupClient,
  group: number,
  { txId, template }: SignedTransaction,
): Promise<WalletTransferReply> => {
  try {
    return await groups.request(group, 'command.mempool.submit', { template });
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'DeadlineExceeded') throw error;
    throw new ServiceError(
      error.kind,
      error.code,
      `${error.detail}; whether it has taken transaction ${txId} is not known: ask for its status before paying again`,
      { ...error.data, txId },
    );
  }
};
