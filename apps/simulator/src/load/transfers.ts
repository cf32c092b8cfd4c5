import { type ServiceError } from '@shardnode/core/errors';
import { type TestKey } from '@shardnode/testing/keys';
import { type Receiver, signed, type SignedTransaction } from './access.js';
import { type LoadParts, RepeatedLoad } from './repeated-load.js';
import { type Sender } from './sender.js';

export const oneCoin = 10n ** 18n;

/** Share of double spends: two transfers of which only one can win. */
const doubleSpends = 0.1;

/** Bound of the virtual milliseconds between two transfers of a sender. */
const longestPause = 3_000;

/** A little more than a hundredth of a coin, random: amounts identify transfers. In attoCoin. */
export const someAmount = (random: () => number): bigint => oneCoin / 100n + BigInt(Math.floor(random() * 1e9));

/**
 * Whether coins exist but are locked, and the refusal states until when: outputs are locked until the time of their
 * block, which may be ahead of a clock that was set back.
 */
const isForLater = ({ data }: ServiceError): boolean => data['spendableAt'] !== undefined;

/** A key that sends transfers to keys of all groups, one after the other. */
export class TransferLoad extends RepeatedLoad {
  constructor(
    private readonly sender: Sender,
    private readonly key: TestKey,
    private readonly receivers: readonly Receiver[],
    parts: LoadParts,
  ) {
    super(parts, longestPause);
  }

  protected async act(): Promise<void> {
    await this.tried(
      `a transfer of ${this.key.address} was not built`,
      () => (this.parts.random() < doubleSpends ? this.spendTwice() : this.spendOnce()),
      isForLater,
    );
  }

  private async spendOnce(): Promise<void> {
    const entry = await this.sender.submit(await this.build());
    if (entry) await this.sender.wait(entry);
  }

  /** Two transfers of the same outputs, both built before either is sent. */
  private async spendTwice(): Promise<void> {
    const [first, second] = [await this.build(), await this.build()];
    const entries = await Promise.all([this.sender.submit(first, true), this.sender.submit(second, true)]);
    for (const entry of entries) if (entry) await this.sender.wait(entry);
  }

  private build(): Promise<SignedTransaction> {
    const { key, receivers, sender } = this;
    return buildTransfer(sender, key, this.oneOf(receivers), someAmount(this.parts.random));
  }
}

/** @param amount attoCoin */
export const buildTransfer = async (
  { access }: Sender,
  from: TestKey,
  to: Receiver,
  amount: bigint,
): Promise<SignedTransaction> => signed(await access.build(from, to, amount), from);
