import { bytesToHex, decode, encode, hexToBytes } from '@shardnode/protocol/encoding';
import { lockupScriptCodec } from '@shardnode/protocol/primitives';
import {
  transactionId,
  transactionTemplateCodec,
  unlockScriptCodec,
  unsignedTransactionCodec,
} from '@shardnode/protocol/transaction';
import { type GroupClient, type WalletRequests } from '@shardnode/messages';
import { type Clock } from '@shardnode/core/lifecycle';
import { ServiceError } from '@shardnode/core/errors';
import { type UnlockedWallet, type WalletAddress } from './keys/unlocked-wallet.js';
import { turnsByKey } from './turns.js';

type TransferRequest = WalletRequests['transfer']['request'];
type TransferReply = WalletRequests['transfer']['reply'];
type Balances = WalletRequests['balances']['reply'];

/** What a wallet asks of the group-nodes: balances, and build, sign and submit in one step. */
export class Payments {
  private readonly inTurn = turnsByKey();

  constructor(
    private readonly groups: GroupClient,
    private readonly clock: Clock,
  ) {}

  async balances(wallet: UnlockedWallet): Promise<Balances> {
    const balances = await Promise.all(
      wallet.addresses.map(async ({ address, group, lockupScript }) => {
        const lockup = bytesToHex(encode(lockupScriptCodec, lockupScript));
        const reply = await this.groups.request(group, 'read.address.balance', { lockupScript: lockup, mempool: true });
        return { address, balance: reply.balance, lockedBalance: reply.lockedBalance };
      }),
    );
    const total = balances.reduce((sum, { balance }) => sum + BigInt(balance), 0n);
    return { totalBalance: total.toString(), balances };
  }

  /**
   * Transfers of one address wait for each other, so that each sees the outputs that the ones before it spend and make
   * (00-decisions, 24). One whose turn comes after `deadlineMs` is not made: nobody waits for it any more, and who asks
   * again must not pay twice.
   */
  transfer(wallet: UnlockedWallet, request: TransferRequest, deadlineMs = Infinity): Promise<TransferReply> {
    const sender = wallet.active;
    const deadline = this.clock.monotonic() + deadlineMs;
    return this.inTurn(sender.address, async () => {
      this.refuseAfter(deadline);
      const { txId, template } = await this.buildAndSign(wallet, sender, request);
      this.refuseAfter(deadline);
      return this.submit(sender.group, txId, template);
    });
  }

  private async buildAndSign(
    wallet: UnlockedWallet,
    sender: WalletAddress,
    { destinations, gasAmount, gasPrice, gasFormula }: TransferRequest,
  ): Promise<{ txId: string; template: Uint8Array }> {
    const built = await this.groups.request(sender.group, 'read.building.transfer', {
      lockupScript: bytesToHex(encode(lockupScriptCodec, sender.lockupScript)),
      unlockScript: bytesToHex(encode(unlockScriptCodec, { kind: 'p2pkh', publicKey: sender.publicKey })),
      destinations,
      gasAmount,
      gasPrice,
      gasFormula,
    });
    const unsigned = decode(unsignedTransactionCodec, built.unsignedTx);
    const txId = transactionId(unsigned);
    const inputSignatures = [wallet.sign(sender.index, hexToBytes(txId))];
    return { txId, template: encode(transactionTemplateCodec, { unsigned, inputSignatures, scriptSignatures: [] }) };
  }

  /** Without an answer nobody knows whether the transaction was taken: the error names it, so that it can be looked up. */
  private async submit(group: number, txId: string, template: Uint8Array): Promise<TransferReply> {
    try {
      return await this.groups.request(group, 'command.mempool.submit', { template });
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== 'DeadlineExceeded') throw error;
      throw new ServiceError(
        error.kind,
        error.code,
        `${error.detail}; whether it has taken transaction ${txId} is not known: ask for its status before paying again`,
        { ...error.data, txId },
      );
    }
  }

  private refuseAfter(deadline: number): void {
    if (this.clock.monotonic() <= deadline) return;
    throw new ServiceError(
      'unavailable',
      'DeadlineExceeded',
      'The transfers before this one took too long; it was not made',
    );
  }
}
