import { ServiceError } from '@shardnode/core/errors';
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
import { type VirtualTime } from '../virtual-time/index.js';
import { type CarefulClient, isRefusal } from './careful-client.js';
import { type SentTransaction, type SentTransactions } from './sent-transactions.js';

export const lockupHex = (script: AssetLockupScript): string => bytesToHex(encode(assetLockupScriptCodec, script));

export interface SignedTransaction {
  readonly txId: string;
  readonly from: number;
  readonly to: number;
  readonly template: Uint8Array;
}

/** What every request to build says of its sender. */
export const senderOf = ({ lockupScript, publicKey }: TestKey) => ({
  lockupScript: lockupHex(lockupScript),
  unlockScript: bytesToHex(encode(unlockScriptCodec, { kind: 'p2pkh', publicKey })),
});

export const signed = (
  {
    unsignedTx,
    fromGroup,
    toGroup,
  }: { readonly unsignedTx: Uint8Array; readonly fromGroup: number; readonly toGroup: number },
  key: TestKey,
): SignedTransaction => {
  const unsigned = decode(unsignedTransactionCodec, unsignedTx);
  const txId = transactionId(unsigned);
  const signature = sign(hexToBytes(txId), key.privateKey);
  const template = encode(transactionTemplateCodec, {
    unsigned,
    inputSignatures: [signature],
    scriptSignatures: [],
  });
  return { txId, from: fromGroup, to: toGroup, template };
};

/** Virtual milliseconds: between two looks at a status, and until one that does not come is a defect. */
export interface WaitTimes {
  readonly look: number;
  /** Of the receiver's group; default: the same. */
  readonly lookAtReceiver?: number;
  readonly patience: number;
}

/** Submits transactions and waits for their end. */
export class Sender {
  constructor(
    readonly client: CarefulClient,
    private readonly time: VirtualTime,
    private readonly sent: SentTransactions,
    private readonly times: WaitTimes = { look: 250, patience: 180_000 },
  ) {}

  /** True when it is acknowledged. `mayRefuse`: it has a rival, so a refusal is no defect. */
  async submit(transaction: SignedTransaction, mayRefuse = false): Promise<SentTransaction | undefined> {
    const { txId, from, to, template } = transaction;
    const entry: SentTransaction = { txId, from, to, sentAt: this.time.now, acknowledged: false };
    this.sent.all.push(entry);
    try {
      await this.client.ask(from, 'command.mempool.submit', { template });
      entry.acknowledged = true;
      return entry;
    } catch (error) {
      if (mayRefuse && isRefusal(error)) this.sent.refused += 1;
      else this.sent.defects.push(`submit of ${txId} from group ${from} to ${to}: ${textOf(error)}`);
      return undefined;
    }
  }

  /** Until it is in a canonical block, or left the pool with a reason. */
  async wait(entry: SentTransaction): Promise<'confirmed' | 'left'> {
    const { txId, from, to } = entry;
    const until = this.time.now + this.times.patience;
    while (this.time.now < until) {
      const status = await this.client.ask(from, 'read.transaction.status', { txId, from, to });
      if (status.type === 'Confirmed') {
        entry.confirmedAt ??= this.time.now;
        entry.blockHash = status.blockHash;
        return 'confirmed';
      }
      if (status.type === 'TxNotFound') {
        if (status.reason) entry.reason = `${status.reason.code}: ${status.reason.detail}`;
        else this.sent.defects.push(`${txId} was acknowledged by group ${from} and is not found`);
        return 'left';
      }
      await this.time.sleep(this.times.look);
    }
    this.sent.defects.push(`${txId} of chain (${from}, ${to}) was not confirmed within ${this.times.patience} ms`);
    return 'left';
  }

  /** The virtual time at which the receiver's group shows the outputs of its block; undefined when it never does. */
  async seenByReceiver({ txId, to, blockHash }: SentTransaction): Promise<number | undefined> {
    const until = this.time.now + this.times.patience;
    while (blockHash !== undefined && this.time.now < until) {
      const { included } = await this.client.ask(to, 'read.view.includes', { blockHash });
      if (included) return this.time.now;
    }
    this.sent.defects.push(`the outputs of ${txId} were not shown by group ${to}`);
    return undefined;
  }

  /** The virtual time at which the receiver's group has included it, as the sender's group sees; undefined: never. */
  async includedByReceiver({ txId, from, to }: SentTransaction): Promise<number | undefined> {
    const until = this.time.now + this.times.patience;
    while (this.time.now < until) {
      const status = await this.client.ask(from, 'read.transaction.status', { txId, from, to });
      if (status.type === 'Confirmed' && status.toGroupConfirmations > 0) return this.time.now;
      await this.time.sleep(this.times.lookAtReceiver ?? this.times.look);
    }
    this.sent.defects.push(`${txId} of chain (${from}, ${to}) was not included by its receiver's group`);
    return undefined;
  }
}

export const textOf = (error: unknown): string =>
  error instanceof ServiceError ? `${error.kind} ${error.code}: ${error.message}` : String(error);
