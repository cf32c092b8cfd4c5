import { type TransactionStatusReply } from '@shardnode/messages';
import { sign } from '@shardnode/protocol/crypto';
import { bytesToHex, decode, encode, hexToBytes } from '@shardnode/protocol/encoding';
import { type AssetLockupScript, assetLockupScriptCodec } from '@shardnode/protocol/primitives';
import {
  transactionId,
  transactionTemplateCodec,
  unlockScriptCodec,
  unsignedTransactionCodec,
} from '@shardnode/protocol/transaction';
import { type TestKey } from '@shardnode/testing/keys';
import { type CarefulClient } from './careful-client.js';
import { type HttpClient } from './http-client.js';

/** A possible receiver. */
export type Receiver = Pick<TestKey, 'address' | 'lockupScript'>;

export interface BuiltTransaction {
  readonly unsignedTx: Uint8Array;
  readonly fromGroup: number;
  readonly toGroup: number;
}

export interface SignedTransaction {
  readonly txId: string;
  readonly from: number;
  readonly to: number;
  readonly unsignedTx: Uint8Array;
  readonly signature: Uint8Array;
}

type TransactionPlace = Pick<SignedTransaction, 'txId' | 'from' | 'to'>;

export type SeenStatus =
  | Extract<TransactionStatusReply, { type: 'TxNotFound' }>
  | { readonly type: 'MemPooled' }
  | { readonly type: 'Confirmed'; readonly blockHash: string; readonly toGroupConfirmations: number };

/**
 * Access of a sender to the network. All methods retry until there is a response, and throw the ServiceError of a
 * refusal.
 */
export interface Access {
  /** @param amount attoCoin */
  build(from: TestKey, to: Receiver, amount: bigint): Promise<BuiltTransaction>;
  submit(transaction: SignedTransaction): Promise<void>;
  status(transaction: TransactionPlace): Promise<SeenStatus>;
}

const lockupHex = (script: AssetLockupScript): string => bytesToHex(encode(assetLockupScriptCodec, script));

/** Fields of the sender in every build request on the bus. */
export const senderOf = ({ lockupScript, publicKey }: TestKey) => ({
  lockupScript: lockupHex(lockupScript),
  unlockScript: bytesToHex(encode(unlockScriptCodec, { kind: 'p2pkh', publicKey })),
});

export const signed = ({ unsignedTx, fromGroup, toGroup }: BuiltTransaction, key: TestKey): SignedTransaction => {
  const txId = transactionId(decode(unsignedTransactionCodec, unsignedTx));
  return { txId, from: fromGroup, to: toGroup, unsignedTx, signature: sign(hexToBytes(txId), key.privateKey) };
};

/** Access over the bus, like the gateway. */
export const busAccess = (client: CarefulClient): Access => ({
  build: (from, to, amount) =>
    client.ask(from.group, 'read.building.transfer', {
      ...senderOf(from),
      destinations: [{ lockupScript: lockupHex(to.lockupScript), amount: amount.toString(), tokens: [] }],
      gasFormula: 'document',
    }),
  submit: async ({ from, unsignedTx, signature }) => {
    const unsigned = decode(unsignedTransactionCodec, unsignedTx);
    const template = encode(transactionTemplateCodec, { unsigned, inputSignatures: [signature], scriptSignatures: [] });
    await client.ask(from, 'command.mempool.submit', { template });
  },
  status: ({ txId, from, to }) => client.ask(from, 'read.transaction.status', { txId, from, to }),
});

/** Access through the gateway, like wallets of users. The gateway finds the location of a transaction. */
export const httpAccess = (client: HttpClient): Access => ({
  build: async (from, to, amount) => {
    const built = await client.ask<{ unsignedTx: string; fromGroup: number; toGroup: number }>(
      'POST',
      '/transactions/build',
      {
        fromPublicKey: bytesToHex(from.publicKey),
        destinations: [{ address: to.address, attoCoinAmount: amount.toString() }],
      },
    );
    return { ...built, unsignedTx: hexToBytes(built.unsignedTx) };
  },
  submit: async ({ unsignedTx, signature }) => {
    const body = { unsignedTx: bytesToHex(unsignedTx), signature: bytesToHex(signature) };
    await client.ask('POST', '/transactions/submit', body);
  },
  status: ({ txId }) => client.ask<SeenStatus>('GET', `/transactions/status?txId=${txId}`),
});
