import { seededRandom } from '@shardnode/testing/seeded-random';
import { type LedgerReport } from '@shardnode/testing/ledger-oracle';
import { type TestKey, testKeysOfGroup } from '@shardnode/testing/keys';
import { type SimulatedCluster } from '../cluster/simulated-cluster.js';
import { type Access, busAccess, httpAccess, type Receiver } from './access.js';
import { CarefulClient } from './careful-client.js';
import { ContractLoad, type SharedContract } from './contract-calls.js';
import { HttpClient } from './http-client.js';
import { type LoadParts, type RepeatedLoad } from './repeated-load.js';
import { Sender } from './sender.js';
import { SentTransactions } from './sent-transactions.js';
import { oneCoin, TransferLoad } from './transfers.js';
import { differenceOf, WalletLoad } from './wallets.js';

export { busAccess } from './access.js';
export { CarefulClient } from './careful-client.js';
export { Sender } from './sender.js';
export { type SentTransaction, SentTransactions } from './sent-transactions.js';
export { buildTransfer, oneCoin } from './transfers.js';

const groups = [0, 1, 2, 3];
/** Keys per group. Those that send have coins from the genesis. */
const counts = { senders: 1, callers: 1, funders: 1, receivers: 3 };

/** Groups whose senders use the gateway, if there is one; the others send its requests themselves, on the bus. */
const groupsOverHttp = new Set([1, 3]);

/** Groups whose funders pay a wallet. */
const groupsOfFunders = [0, 2];

/** Computed once, because keys cost time. */
const keysOf = groups.map((group) => {
  const keys = testKeysOfGroup(group, 1 + Object.values(counts).reduce((sum, count) => sum + count)).slice(1);
  return {
    senders: keys.splice(0, counts.senders),
    callers: keys.splice(0, counts.callers),
    funders: keys.splice(0, counts.funders),
    receivers: keys,
  };
});

const coinsOf = (key: TestKey) => ({ lockupScript: key.lockupScript, amount: 10_000n * oneCoin, lockDuration: 0n });

/** Allocations of the genesis: four outputs to each sending key. */
export const allocationsOfLoad = keysOf.flatMap(({ senders, callers, funders }) =>
  [...senders, ...callers, ...funders].flatMap((key) => Array.from({ length: 4 }, () => coinsOf(key))),
);

/** Transfers among all groups, double spends, calls of contracts and owners of wallets, all random from a seed. */
export class Load {
  readonly sent = new SentTransactions();
  private readonly http: HttpClient | undefined;
  private readonly receivers: Receiver[] = keysOf.flatMap((keys) => keys.receivers);
  private readonly contracts: readonly ContractLoad[];
  private readonly wallets: readonly WalletLoad[];
  private readonly all: readonly RepeatedLoad[];
  private running: Promise<void>[] = [];

  constructor(
    { client, time, gateway, log }: SimulatedCluster,
    private readonly seed: number,
  ) {
    const careful = new CarefulClient(client, time);
    this.http = gateway && new HttpClient(gateway, time, log);
    const overBus = busAccess(careful);
    const overHttp = this.http ? httpAccess(this.http) : overBus;
    const senderOver = (access: Access): Sender => new Sender(access, time, this.sent);
    const partsOf = (number: number): LoadParts => ({ sent: this.sent, time, random: this.randomOf(number) });
    const transfers = keysOf.flatMap(({ senders }, group) =>
      senders.map((key, i) => {
        const sender = senderOver(groupsOverHttp.has(group) ? overHttp : overBus);
        return new TransferLoad(sender, key, this.receivers, partsOf(group * 101 + i));
      }),
    );
    this.contracts = keysOf.flatMap(({ callers }, group) => {
      const shared: SharedContract = { id: undefined };
      const sender = senderOver(overBus);
      return callers.map((key, i) => new ContractLoad(careful, sender, key, shared, partsOf(group * 101 + 50 + i)));
    });
    this.wallets = this.walletsOf(senderOver(overHttp), partsOf);
    this.all = [...transfers, ...this.contracts, ...this.wallets];
  }

  get calls(): number {
    return this.contracts.reduce((sum, { calls }) => sum + calls, 0);
  }

  /** Acknowledged transfers of wallets. */
  get walletTransfers(): number {
    return this.wallets.reduce((sum, { transfers }) => sum + transfers, 0);
  }

  /** Requests that the gateway has answered. */
  get answers(): number {
    return this.http?.answers ?? 0;
  }

  begin(): void {
    this.running = this.all.map((part) => part.run());
  }

  /** Starts no new work, and completes the work in flight. */
  async rest(): Promise<void> {
    for (const part of this.all) part.rest();
    await Promise.all(this.running);
  }

  /** Differences of gateway and wallet-service from the chains, or from their acknowledgements. Sentences. */
  async problems(report: LedgerReport): Promise<string[]> {
    const { http } = this;
    if (!http) return [];
    const ofWallets = await Promise.all(this.wallets.map((wallet) => wallet.problems(report)));
    const keys = keysOf.flatMap((ofGroup) => Object.values(ofGroup).flat());
    const ofKeys = await Promise.all(
      keys.map(async ({ address }) => {
        const { balance } = await http.ask<{ balance: string }>('GET', `/addresses/${address}/balance`);
        return differenceOf(address, balance, report);
      }),
    );
    return [...ofWallets, ...ofKeys].flat();
  }

  private randomOf(number: number): () => number {
    return seededRandom(this.seed * 1_009 + number);
  }

  private walletsOf(sender: Sender, partsOf: (number: number) => LoadParts): readonly WalletLoad[] {
    const { http, receivers } = this;
    if (!http) return [];
    return groupsOfFunders.map((group, i) => {
      const parts = { ...partsOf(group * 101 + 70), client: http, sender, receivers, groups: groups.length };
      return new WalletLoad(`wallet-${i}`, keysOf[group]!.funders[0]!, parts);
    });
  }
}
