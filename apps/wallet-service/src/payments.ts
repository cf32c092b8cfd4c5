import { bytesToHex, decode, encode, hexToBytes } from '@shardnode/protocol/encoding';
import { lockupScriptCodec } from '@shardnode/protocol/primitives';
import {
  transactionId,
  transactionTemplateCodec,
  unlockScriptCodec,
  unsignedTransactionCodec,
} from '@shardnode/protocol/transaction';
import { type GroupClient, type WalletRequests } from '@shardnode/messages';
import { type UnlockedWallet, type WalletAddress } from './keys/unlocked-wallet.js';

type TransferRequest = WalletRequests['transfer']['request'];
type TransferReply = WalletRequests['transfer']['reply'];
type Balances = WalletRequests['balances']['reply'];

/** Runs the tasks of one key one after another; others run beside them. */
const queuePerKey = (): (<T>(key: string, task: () => Promise<T>) => Promise<T>) => {
  const last = new Map<string, Promise<unknown>>();
  return (key, task) => {
    const turn = (last.get(key) ?? Promise.resolve()).then(task, task);
    const settled = turn.catch(() => undefined);
    last.set(key, settled);
    void settled.then(() => {
      if (last.get(key) === settled) last.delete(key);
    });
    return turn;
  };
};

/** What a wallet asks of the group-nodes: balances, and build, sign and submit in one step. */
export class Payments {
  private readonly inTurn = queuePerKey();

  constructor(private readonly groups: GroupClient) {}

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
   * (00-decisions, 24).
   */
  transfer(wallet: UnlockedWallet, request: TransferRequest): Promise<TransferReply> {
    const sender = wallet.active;
    return this.inTurn(sender.address, () => this.buildSignSubmit(wallet, sender, request));
  }

  private async buildSignSubmit(
    wallet: UnlockedWallet,
    sender: WalletAddress,
    request: TransferRequest,
  ): Promise<TransferReply> {
    const { destinations, gasAmount, gasPrice, gasFormula } = request;
    const built = await this.groups.request(sender.group, 'read.building.transfer', {
      lockupScript: bytesToHex(encode(lockupScriptCodec, sender.lockupScript)),
      unlockScript: bytesToHex(encode(unlockScriptCodec, { kind: 'p2pkh', publicKey: sender.publicKey })),
      destinations,
      gasAmount,
      gasPrice,
      gasFormula,
    });
    const unsigned = decode(unsignedTransactionCodec, built.unsignedTx);
    const signature = wallet.sign(sender.index, hexToBytes(transactionId(unsigned)));
    const template = encode(transactionTemplateCodec, { unsigned, inputSignatures: [signature], scriptSignatures: [] });
    return this.groups.request(sender.group, 'command.mempool.submit', { template });
  }
}
