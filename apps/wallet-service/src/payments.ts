import { type GroupClient, type WalletRequests, serviceError } from '@shardnode/messages';
import { type KeyedMutex } from '@shardnode/core/concurrency';
import { type Clock } from '@shardnode/core/lifecycle';
import { type UnlockedWallet, type WalletAddress } from './keys/unlocked-wallet.js';
import { lockupScriptOf, scriptsOf, submitTo, type SignedTransaction } from './signed-transactions.js';
import { type Signing } from './signing.js';

type TransferRequest = WalletRequests['transfer']['request'];
type TransferReply = WalletRequests['transfer']['reply'];
type Balances = WalletRequests['balances']['reply'];

/** Requests of a wallet to the group-nodes: balances, and build, sign and submit in one step. */
export class Payments {
  constructor(
    private readonly groups: GroupClient,
    private readonly clock: Clock,
    /** One mutex per address, shared with all other spenders of the address. */
    private readonly mutex: KeyedMutex,
    private readonly signing: Signing,
  ) {}

  async balances(wallet: UnlockedWallet): Promise<Balances> {
    const balances = await Promise.all(
      wallet.addresses.map(async (owner) => {
        const { balance, lockedBalance } = await this.groups.request(owner.group, 'read.address.balance', {
          lockupScript: lockupScriptOf(owner),
          mempool: true,
        });
        return { address: owner.address, balance, lockedBalance };
      }),
    );
    const total = balances.reduce((sum, { balance }) => sum + BigInt(balance), 0n);
    return { totalBalance: total.toString(), balances };
  }

  /**
   * Transfers of one address run one after the other, so that each sees the outputs that the earlier ones spend and
   * create (00-decisions, 24). A transfer that would start after `deadlineMs` is not made: its caller has timed out,
   * and a retry must not pay twice.
   */
  transfer(wallet: UnlockedWallet, request: TransferRequest, deadlineMs = Infinity): Promise<TransferReply> {
    const sender = wallet.active;
    const deadline = this.clock.monotonic() + deadlineMs;
    return this.mutex(sender.address, async () => {
      this.refuseAfter(deadline);
      const transaction = await this.buildAndSign(wallet, sender, request);
      this.refuseAfter(deadline);
      return submitTo(this.groups, sender.group, transaction);
    });
  }

  private async buildAndSign(
    wallet: UnlockedWallet,
    sender: WalletAddress,
    request: TransferRequest,
  ): Promise<SignedTransaction> {
    const { destinations, gasAmount, gasPrice, gasFormula, unminable } = request;
    const built = await this.groups.request(sender.group, 'read.building.transfer', {
      ...scriptsOf(sender),
      destinations,
      gasAmount,
      gasPrice,
      gasFormula,
      unminable,
    });
    return this.signing.transfer(wallet, sender, request, built.unsignedTx);
  }

  private refuseAfter(deadline: number): void {
    if (this.clock.monotonic() <= deadline) return;
    throw serviceError('DeadlineExceeded', 'The transfers before this one took too long; it was not made');
  }
}
