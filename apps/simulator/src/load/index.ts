import { seededRandom } from '@shardnode/core/seeded-random';
import { type TestKey, testKeysOfGroup } from '@shardnode/testing/keys';
import { type SimulatedCluster } from '../cluster/simulated-cluster.js';
import { CarefulClient } from './careful-client.js';
import { ContractLoad, type SharedContract } from './contract-calls.js';
import { Sender } from './sender.js';
import { SentTransactions } from './sent-transactions.js';
import { oneCoin, TransferLoad } from './transfers.js';

export { CarefulClient } from './careful-client.js';
export { Sender } from './sender.js';
export { type SentTransaction, SentTransactions } from './sent-transactions.js';
export { buildTransfer, oneCoin } from './transfers.js';

const groups = [0, 1, 2, 3];
/** Keys of a group. Those that send have coins from the genesis. */
const counts = { senders: 1, callers: 1, receivers: 3 };

/** Made once: keys cost time. */
const keysOf = groups.map((group) => {
  const keys = testKeysOfGroup(group, 1 + counts.senders + counts.callers + counts.receivers).slice(1);
  const callersFrom = counts.senders;
  const receiversFrom = callersFrom + counts.callers;
  return {
    senders: keys.slice(0, callersFrom),
    callers: keys.slice(callersFrom, receiversFrom),
    receivers: keys.slice(receiversFrom),
  };
});

const coinsOf = (key: TestKey) => ({ lockupScript: key.lockupScript, amount: 10_000n * oneCoin, lockDuration: 0n });

/** What the genesis pays out: four outputs to each key that sends. */
export const allocationsOfLoad = keysOf.flatMap(({ senders, callers }) =>
  [...senders, ...callers].flatMap((key) => Array.from({ length: 4 }, () => coinsOf(key))),
);

/** Transfers among all groups, double spends and calls of contracts, all by chance from a seed. */
export class Load {
  readonly sent = new SentTransactions();
  private readonly parts: readonly (TransferLoad | ContractLoad)[];
  private running: Promise<void>[] = [];

  constructor({ client, time }: SimulatedCluster, seed: number) {
    const sender = new Sender(new CarefulClient(client, time), time, this.sent);
    const receivers = keysOf.flatMap((keys) => keys.receivers);
    const randomOf = (key: TestKey, index: number) => seededRandom(seed * 1_009 + key.group * 101 + index);
    const transfers = keysOf.flatMap(({ senders }) =>
      senders.map((key, i) => new TransferLoad(sender, key, receivers, this.sent, time, randomOf(key, i))),
    );
    const contracts = keysOf.flatMap(({ callers }) => {
      const shared: SharedContract = { id: undefined };
      return callers.map((key, i) => new ContractLoad(sender, key, shared, this.sent, time, randomOf(key, 50 + i)));
    });
    this.parts = [...transfers, ...contracts];
  }

  get calls(): number {
    return this.parts.reduce((sum, part) => sum + (part instanceof ContractLoad ? part.calls : 0), 0);
  }

  begin(): void {
    this.running = this.parts.map((part) => part.run());
  }

  /** Nobody begins anything new; what was sent is brought to its end. */
  async rest(): Promise<void> {
    for (const part of this.parts) part.rest();
    await Promise.all(this.running);
  }
}
