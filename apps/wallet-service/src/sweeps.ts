import { type KeyedMutex } from '@shardnode/core/concurrency';
import { type GroupClient, type WalletRequests, type WalletTransferReply, serviceError } from '@shardnode/messages';
import { type Clock } from '@shardnode/core/lifecycle';
import { ServiceError } from '@shardnode/core/errors';
import { type UnlockedWallet, type WalletAddress } from './keys/unlocked-wallet.js';
import { scriptsOf, signed, submitTo } from './signed-transactions.js';

type SweepRequest = WalletRequests['sweep-all-addresses']['request'];
type SweepReply = WalletRequests['sweep-all-addresses']['reply'];

/** Milliseconds of the deadline that the last submit and the answer may need: no other one is begun in them. */
const lastSubmitMs = 12_000;

/**
 * Sends everything that addresses have to one receiver, address by address and transaction by transaction (protocol 07
 * §4.12, §4.13). A sweep waits for the transfers of its address and holds up those that come after it.
 */
export class Sweeps {
  constructor(
    private readonly groups: GroupClient,
    private readonly clock: Clock,
    private readonly mutex: KeyedMutex,
  ) {}

  /**
   * What was submitted, the last first. The first failure stops: what was submitted before stays, and the error says how
   * many those are. When the deadline comes near, it answers what is done; who asks again sweeps the rest.
   */
  async sweep(
    wallet: UnlockedWallet,
    senders: readonly WalletAddress[],
    request: SweepRequest,
    deadlineMs = Infinity,
  ): Promise<SweepReply> {
    const lastBegin = this.clock.monotonic() + deadlineMs - lastSubmitMs;
    const isLate = (): boolean => this.clock.monotonic() > lastBegin;
    const submitted: WalletTransferReply[] = [];
    try {
      for (const sender of senders)
        await this.mutex(sender.address, () => this.sweepAddress(wallet, sender, request, { submitted, isLate }));
    } catch (error) {
      throw submitted.length > 0 && error instanceof ServiceError ? afterOthers(error, submitted.length) : error;
    }
    if (submitted.length === 0 && isLate()) throw cameTooLate();
    return { results: submitted.reverse() };
  }

  /** A group-node builds a bounded number of transactions at once; the next ones see what these have spent. */
  private async sweepAddress(
    wallet: UnlockedWallet,
    sender: WalletAddress,
    { destination, lockTime, gasAmount, gasPrice, unminable }: SweepRequest,
    { submitted, isLate }: { readonly submitted: WalletTransferReply[]; readonly isLate: () => boolean },
  ): Promise<void> {
    const payload = { ...scriptsOf(sender), destination, lockTime, gasAmount, gasPrice, unminable };
    for (let more = true; more && !isLate();) {
      const built = await this.groups.request(sender.group, 'read.building.sweep', payload);
      for (const { unsignedTx } of built.transactions) {
        if (isLate()) return;
        submitted.push(await submitTo(this.groups, sender.group, signed(wallet, sender, unsignedTx)));
      }
      more = built.more;
    }
  }
}

const afterOthers = ({ kind, code, detail, data }: ServiceError, submitted: number): ServiceError =>
  new ServiceError(
    kind,
    code,
    `${detail.replace(/\.$/, '')}; transactions of this sweep submitted before: ${submitted}`,
    {
      ...data,
      submitted,
    },
  );

const cameTooLate = (): ServiceError =>
  serviceError('DeadlineExceeded', 'The transfers before this sweep took too long; nothing was swept');
