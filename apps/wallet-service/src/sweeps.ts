import { type KeyedMutex } from '@shardnode/core/concurrency';
import { type GroupClient, type WalletRequests, type WalletTransferReply, serviceError } from '@shardnode/messages';
import { type Clock } from '@shardnode/core/lifecycle';
import { ServiceError } from '@shardnode/core/errors';
import { outputKey } from '@shardnode/protocol/transaction';
import { type UnlockedWallet, type WalletAddress } from './keys/unlocked-wallet.js';
import { scriptsOf, type SignedTransaction, submitTo } from './signed-transactions.js';
import { type Signing } from './signing.js';

type SweepRequest = WalletRequests['sweep-all-addresses']['request'];
type SweepReply = WalletRequests['sweep-all-addresses']['reply'];

/** Milliseconds before the deadline that the last submit and the response may need: no further one starts in them. */
const lastSubmitMs = 12_000;

/**
 * Sends all coins of addresses to one receiver, address by address and transaction by transaction (protocol 07 §4.12,
 * §4.13). A sweep waits for the earlier transfers of its address and delays the later ones.
 */
export class Sweeps {
  constructor(
    private readonly groups: GroupClient,
    private readonly clock: Clock,
    private readonly mutex: KeyedMutex,
    private readonly signing: Signing,
  ) {}

  /**
   * The submitted transactions, the last one first. The first failure stops: earlier submits stay, and the error states
   * their number. Near the deadline it returns the transactions so far; a repeated request sweeps the rest.
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

  /**
   * A group-node builds a bounded number of transactions at once; the next ones see the outputs that these spend. Outputs
   * of this sweep are swept again only if fewer remain: otherwise a group-node that is taken over could spend the wallet
   * on fees.
   */
  private async sweepAddress(
    wallet: UnlockedWallet,
    sender: WalletAddress,
    request: SweepRequest,
    { submitted, isLate }: { readonly submitted: WalletTransferReply[]; readonly isLate: () => boolean },
  ): Promise<void> {
    const { destination, lockTime, gasAmount, gasPrice, unminable } = request;
    const payload = { ...scriptsOf(sender), destination, lockTime, gasAmount, gasPrice, unminable };
    const made = new Set<string>();
    for (let more = true; more && !isLate();) {
      const built = await this.groups.request(sender.group, 'read.building.sweep', payload);
      for (const { unsignedTx } of built.transactions) {
        if (isLate()) return;
        const transaction = this.signing.sweep(wallet, sender, request, unsignedTx);
        if (onlySpends(made, transaction)) return;
        outputKeysOf(transaction).forEach((key) => made.add(key));
        submitted.push(await submitTo(this.groups, sender.group, transaction));
      }
      more = built.more && built.transactions.length > 0;
    }
  }
}

const outputKeysOf = ({ txId, unsigned }: SignedTransaction): string[] =>
  unsigned.fixedOutputs.map((_, index) => outputKey(txId, index));

/** Whether a transaction turns outputs of this sweep into no fewer ones. */
const onlySpends = (made: ReadonlySet<string>, { unsigned: { inputs, fixedOutputs } }: SignedTransaction): boolean =>
  inputs.length <= fixedOutputs.length && inputs.every(({ outputReference }) => made.has(outputReference.key));

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
