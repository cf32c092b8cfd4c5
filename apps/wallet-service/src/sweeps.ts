import { type KeyedMutex } from '@shardnode/core/concurrency';
import {
  type GroupClient,
  isUnanswered,
  type SkippedAddress,
  type UnsweptOutputs,
  type WalletRequests,
  type WalletTransferReply,
  serviceError,
} from '@shardnode/messages';
import { type Clock } from '@shardnode/core/lifecycle';
import { brokenError, ServiceError } from '@shardnode/core/errors';
import { type Logger } from '@shardnode/core/observability';
import { outputKey } from '@shardnode/protocol/transaction';
import { type UnlockedWallet, type WalletAddress } from './keys/unlocked-wallet.js';
import { type OtherAddresses } from './other-addresses.js';
import { scriptsOf, type SignedTransaction, submitTo } from './signed-transactions.js';
import { type Signing } from './signing.js';
import { nothingSwept, skippedBy } from './skipped-addresses.js';

type SweepRequest = WalletRequests['sweep-all-addresses']['request'];
type SweepReply = WalletRequests['sweep-all-addresses']['reply'];

/** Milliseconds before the deadline that the last submit and the response may need: no further one starts in them. */
const lastSubmitMs = 12_000;

/** Progress of a sweep. */
interface Progress {
  readonly submitted: WalletTransferReply[];
  readonly skipped: SkippedAddress[];
  /** Why addresses were not swept, or not wholly. Locks are no failure. */
  readonly failures: ServiceError[];
  /** Groups that did not answer: their other addresses are not asked for. */
  readonly silent: Map<number, ServiceError>;
  readonly isLate: () => boolean;
}

/**
 * Sends all coins of addresses to one receiver, address by address and transaction by transaction (protocol 07 §4.12,
 * §4.13). A sweep waits for the earlier transfers of its address and delays the later ones.
 *
 * An address that cannot be swept does not stop the others, whatever the reason. Whoever has sent a transaction gets an
 * answer with its id and the reasons for the rest, never an error: clients look for ids in answers only, and a repeated
 * sweep takes the rest.
 */
export class Sweeps {
  constructor(
    private readonly groups: GroupClient,
    private readonly clock: Clock,
    private readonly mutex: KeyedMutex,
    private readonly signing: Signing,
    private readonly others: OtherAddresses,
    private readonly logger: Logger,
  ) {}

  /** @throws ServiceError if nothing was submitted and the sweep of an address failed; it names each such address */
  async sweepAll(wallet: UnlockedWallet, request: SweepRequest, deadlineMs = Infinity): Promise<SweepReply> {
    const progress = this.begin(deadlineMs);
    for (const sender of [...wallet.addresses]) await this.sweepOrSkip(wallet, sender, request, progress);
    const { submitted, skipped, failures } = progress;
    if (submitted.length === 0 && failures.length > 0) throw nothingSwept(failures, skipped);
    return { results: submitted.reverse(), skipped };
  }

  /**
   * Of the active address alone. If it has no coins, or too few, the reply or the error names the other addresses that have.
   * @throws ServiceError if nothing was submitted and the sweep failed
   */
  async sweepActive(wallet: UnlockedWallet, request: SweepRequest, deadlineMs = Infinity): Promise<SweepReply> {
    const sender = wallet.active;
    const progress = this.begin(deadlineMs);
    await this.sweepOrSkip(wallet, sender, request, progress);
    const { submitted, skipped, failures } = progress;
    if (submitted.length > 0) return { results: submitted.reverse(), skipped };
    const asked = {
      wallet,
      walletName: request.walletName,
      sender,
      could: (other: WalletAddress) => this.could(other, request),
    };
    if (failures[0]) throw await this.others.advised(failures[0], asked);
    if (skipped.length > 0) return { results: [], skipped };
    return { results: [], skipped, walletAdvice: (await this.others.advice(asked)).text };
  }

  private begin(deadlineMs: number): Progress {
    const lastBegin = this.clock.monotonic() + deadlineMs - lastSubmitMs;
    const isLate = (): boolean => this.clock.monotonic() > lastBegin;
    return { submitted: [], skipped: [], failures: [], silent: new Map(), isLate };
  }

  private async sweepOrSkip(
    wallet: UnlockedWallet,
    sender: WalletAddress,
    request: SweepRequest,
    progress: Progress,
  ): Promise<void> {
    const { failures, silent, skipped } = progress;
    try {
      const error = silent.get(sender.group);
      if (error) throw error;
      const left = await this.mutex(sender.address, () => this.sweepAddress(wallet, sender, request, progress));
      if (left) skipped.push({ address: sender.address, ...left });
    } catch (error) {
      const failure = this.failureOf(error);
      if (isUnanswered(failure)) silent.set(sender.group, failure);
      failures.push(failure);
      skipped.push(skippedBy(sender, failure));
    }
  }

  /**
   * A group-node builds a bounded number of transactions at once; the next ones see the outputs that these spend. Outputs
   * of this sweep are swept again only if fewer remain: otherwise a group-node that is taken over could spend the wallet
   * on fees. Returns why outputs are left.
   */
  private async sweepAddress(
    wallet: UnlockedWallet,
    sender: WalletAddress,
    request: SweepRequest,
    { submitted, isLate }: Progress,
  ): Promise<UnsweptOutputs | undefined> {
    const made = new Set<string>();
    for (;;) {
      if (isLate()) throw cameTooLate();
      const built = await this.build(sender, request);
      for (const { unsignedTx } of built.transactions) {
        if (isLate()) throw cameTooLate();
        const transaction = this.signing.sweep(wallet, sender, request, unsignedTx);
        if (onlySpends(made, transaction)) return built.left;
        outputKeysOf(transaction).forEach((key) => made.add(key));
        submitted.push(await submitTo(this.groups, sender.group, transaction));
      }
      if (!built.more || built.transactions.length === 0) return built.left;
    }
  }

  private build(sender: WalletAddress, request: SweepRequest, deadlineMs?: number) {
    const { destination, lockTime, gasAmount, gasPrice, unminable } = request;
    const payload = { ...scriptsOf(sender), destination, lockTime, gasAmount, gasPrice, unminable };
    const options = deadlineMs === undefined ? undefined : { deadlineMs };
    return this.groups.request(sender.group, 'read.building.sweep', payload, options);
  }

  private async could(other: WalletAddress, request: SweepRequest): Promise<boolean> {
    return (await this.build(other, request, this.others.deadlineMs)).transactions.length > 0;
  }

  private failureOf(error: unknown): ServiceError {
    if (error instanceof ServiceError) return error;
    this.logger.error({ err: error }, 'sweep of an address failed');
    return brokenError();
  }
}

const outputKeysOf = ({ txId, unsigned }: SignedTransaction): string[] =>
  unsigned.fixedOutputs.map((_, index) => outputKey(txId, index));

/** Whether a transaction turns outputs of this sweep into no fewer ones. */
const onlySpends = (made: ReadonlySet<string>, { unsigned: { inputs, fixedOutputs } }: SignedTransaction): boolean =>
  inputs.length <= fixedOutputs.length && inputs.every(({ outputReference }) => made.has(outputReference.key));

const cameTooLate = (): ServiceError =>
  serviceError('DeadlineExceeded', 'The time of this sweep was over before the address was swept wholly: sweep again');
