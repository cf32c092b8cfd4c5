import { type TestKey } from '@shardnode/testing/keys';
import { type VirtualTime } from '../virtual-time/index.js';
import { lockupHex, type Sender, senderOf, signed, type SignedTransaction, textOf } from './sender.js';
import { type SentTransactions } from './sent-transactions.js';

export const oneCoin = 10n ** 18n;

/** Of a transfer's ways: one, or two of which only one can win. */
const doubleSpends = 0.1;

/** Virtual milliseconds between two transfers of a sender, at most. */
const longestPause = 3_000;

/** One key that sends transfers to keys of all groups, one after the other, until it is told to rest. */
export class TransferLoad {
  private resting = false;

  constructor(
    private readonly sender: Sender,
    private readonly key: TestKey,
    private readonly receivers: readonly TestKey[],
    private readonly sent: SentTransactions,
    private readonly time: VirtualTime,
    private readonly random: () => number,
  ) {}

  rest(): void {
    this.resting = true;
  }

  async run(): Promise<void> {
    while (!this.resting) {
      await this.time.sleep(this.random() * longestPause);
      try {
        if (this.random() < doubleSpends) await this.spendTwice();
        else await this.spendOnce();
      } catch (error) {
        this.sent.defects.push(`a transfer of ${this.key.address} was not built: ${textOf(error)}`);
      }
    }
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
    const { key, receivers, random, sender } = this;
    const to = receivers[Math.floor(random() * receivers.length)]!;
    return buildTransfer(sender, key, to, oneCoin / 100n + BigInt(Math.floor(random() * 1e9)));
  }
}

/** @param amount attoCoin */
export const buildTransfer = async (
  sender: Sender,
  from: TestKey,
  to: TestKey,
  amount: bigint,
): Promise<SignedTransaction> => {
  const built = await sender.client.ask(from.group, 'read.building.transfer', {
    ...senderOf(from),
    destinations: [{ lockupScript: lockupHex(to.lockupScript), amount: amount.toString(), tokens: [] }],
    gasFormula: 'document',
  });
  return signed(built, from);
};
