import { type GroupClient, type WalletRequests, serviceError } from '@shardnode/messages';
import { type KeyedMutex } from '@shardnode/core/concurrency';
import { type Clock } from '@shardnode/core/lifecycle';
import { type UnlockedWallet, type WalletAddress } from './keys/unlocked-wallet.js';
import { type OtherAddresses } from './other-addresses.js';
import { lockupScriptOf, scriptsOf, submitTo, type SignedTransaction } from './signed-transactions.js';
import { type Signing } from './signing.js';

type TransferRequest = WalletRequests['transfer']['request'];
type TransferReply = WalletRequests['transfer']['reply'];
/** Milliseconds that an error needs to its caller. */
const answerMs = 1_000;
/** Milliseconds that a submit gets at least. */
const leastSubmitMs = 2_000;
type Balances = WalletRequests['balances']['reply'];

/** Requests of a wallet to the group-nodes: balances, and build, sign and submit in one step. */
export class Payments {
  constructor(
    private readonly groups: GroupClient,
    private readonly clock: Clock,
    /** One mutex per address, shared with all other spenders of the address. */
    private readonly mutex: KeyedMutex,
    private readonly signing: Signing,
    private readonly others: OtherAddresses,
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
   * and a retry must not pay twice. A submit ends before its caller does, so that the caller hears of the transaction.
   * A refusal for too few coins names the addresses of the wallet that have enough.
   */
  async transfer(wallet: UnlockedWallet, request: TransferRequest, deadlineMs = Infinity): Promise<TransferReply> {
    const sender = wallet.active;
    const last = this.clock.monotonic() + deadlineMs - answerMs;
    try {
      return await this.mutex(sender.address, async () => {
        this.refuseAfter(last - leastSubmitMs);
        const transaction = await this.buildAndSign(wallet, sender, request);
        this.refuseAfter(last - leastSubmitMs);
        return submitTo(this.groups, sender.group, transaction, last - this.clock.monotonic());
      });
    } catch (error) {
      if (last - this.clock.monotonic() < this.others.mostMs) throw error;
      throw await this.others.advised(error, {
        wallet,
        walletName: request.walletName,
        sender,
        could: async (other) => (await this.build(other, request, this.others.deadlineMs)) !== undefined,
      });
    }
  }

  private build(sender: WalletAddress, request: TransferRequest, deadlineMs?: number) {
    const { destinations, gasAmount, gasPrice, gasFormula, unminable } = request;
    const payload = { ...scriptsOf(sender), destinations, gasAmount, gasPrice, gasFormula, unminable };
    const options = deadlineMs === undefined ? undefined : { deadlineMs };
    return this.groups.request(sender.group, 'read.building.transfer', payload, options);
  }

  private async buildAndSign(
    wallet: UnlockedWallet,
    sender: WalletAddress,
    request: TransferRequest,
  ): Promise<SignedTransaction> {
    const built = await this.build(sender, request);
    return this.signing.transfer(wallet, sender, request, built.unsignedTx);
  }

  private refuseAfter(deadline: number): void {
    if (this.clock.monotonic() <= deadline) return;
    throw serviceError('DeadlineExceeded', 'The transfers before this one took too long; it was not made');
  }
}
