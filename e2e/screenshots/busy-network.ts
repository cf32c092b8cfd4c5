import { setTimeout as sleep } from 'node:timers/promises';
import { type TestKey, developmentKeys, testKeysOfGroup } from '@shardnode/testing/keys';
import { seededRandom } from '@shardnode/testing/seeded-random';
import { apiClient, type ApiClient } from '../kit/api-client.js';
import { type Deployment, type Ready } from '../kit/deployment.js';
import { embeddedDeployment } from '../kit/embedded-deployment.js';
import { confirmed, oneCoin, transfer } from '../kit/transfers.js';
import { type Harbour, openHarbour } from './harbour.js';

const groups = [0, 1, 2, 3];
const sendersOfGroup = 8;
/** Milliseconds between two payments of one sender, on average. */
const pause = 8_000;

/** Ids and addresses that pages show. */
export interface Places {
  readonly [name: string]: string;
}

/** `npm start` with senders in all groups, contracts, large and small transactions. */
export class BusyNetwork {
  private readonly random = seededRandom(2026);
  private isStopping = false;
  private sending: readonly Promise<void>[] = [];

  private constructor(
    private readonly deployment: Deployment,
    private readonly api: ApiClient,
    private ready: Ready,
    private readonly funded: readonly TestKey[],
    private readonly senders: readonly TestKey[],
  ) {}

  /** @param say tells what is under way */
  static async open(say: (text: string) => void): Promise<BusyNetwork> {
    say('starting a network');
    const deployment = embeddedDeployment({
      EXPLORER: 'on',
      EXPLORER_PORT: '0',
      DEV_WALLET: 'true',
      MINING_HEARTBEAT: '2',
    });
    const ready = await deployment.start();
    const api = apiClient(() => deployment.baseUrl);
    const senders = groups.flatMap((group) => testKeysOfGroup(group, sendersOfGroup));
    const network = new BusyNetwork(deployment, api, ready, await developmentKeys(), senders);
    say(`funding ${senders.length} senders`);
    await network.fund();
    network.sending = senders.map((sender) => network.sendOnAndOn(sender));
    return network;
  }

  get explorerUrl(): string {
    return this.ready.explorerUrl!;
  }

  async close(): Promise<void> {
    this.isStopping = true;
    await Promise.allSettled(this.sending);
    this.api.close();
    await this.deployment.remove();
  }

  private async fund(): Promise<void> {
    for (const group of groups)
      await this.pay(
        group,
        this.senders.filter((key) => key.group === group),
      );
  }

  private async pay(group: number, receivers: readonly TestKey[]): Promise<void> {
    const paid = receivers.map(({ address }) => ({ address, attoCoinAmount: String(900n * oneCoin) }));
    await confirmed(this.api, (await transfer(this.api, this.funded[group]!, paid)).txId);
  }

  private someone(): TestKey {
    return this.senders[Math.floor(this.random() * this.senders.length)]!;
  }

  /** Amounts as people send them: mostly small, seldom round. */
  private amount(): string {
    const cents = Math.ceil(10 ** (this.random() * 3.5));
    return String((BigInt(cents) * oneCoin) / 100n);
  }

  private async sendOnAndOn(from: TestKey): Promise<void> {
    while (!this.isStopping) {
      await sleep(this.random() * 2 * pause);
      await transfer(this.api, from, [{ address: this.someone().address, attoCoinAmount: this.amount() }]).catch(
        // Its last output may wait for another block.
        () => undefined,
      );
    }
  }

  /** Makes what the pages are to show. */
  async makePlaces(say: (text: string) => void): Promise<Places> {
    const { api, funded } = this;
    const [payer, other, third] = funded as readonly [TestKey, TestKey, TestKey, TestKey];
    say('paying out and consolidating');
    const payout = await transfer(
      api,
      payer,
      this.senders
        .filter(({ group }) => group === 2)
        .concat(testKeysOfGroup(2, 30))
        .map(({ address }) => ({ address, attoCoinAmount: this.amount() })),
    );
    const small = testKeysOfGroup(1, 40)[39]!;
    for (let i = 0; i < 3; i++) {
      const paid = Array.from({ length: 20 }, () => ({ address: small.address, attoCoinAmount: this.amount() }));
      await confirmed(api, (await transfer(api, other, paid)).txId);
    }
    await transfer(api, other, [
      { address: small.address, attoCoinAmount: String(25n * oneCoin), lockTime: Date.now() + 7 * 86_400_000 },
    ]);
    const payment = await transfer(api, third, [
      { address: payer.address, attoCoinAmount: String((12_345n * oneCoin) / 100n) },
    ]);
    await confirmed(api, payment.txId);
    say('deploying contracts');
    // They spend nothing beside this: nobody else takes their outputs.
    const traders = testKeysOfGroup(payer.group, 2 * sendersOfGroup).slice(sendersOfGroup);
    await this.pay(payer.group, traders);
    const shares = traders.map((key, i) => [key, 400_000n / BigInt(i + 1)] as const);
    const harbour = await openHarbour(api, payer, shares);
    const call = await this.trade(harbour, traders);
    const { blockHash } = await confirmed(api, payment.txId);
    return {
      block: blockHash,
      payment: payment.txId,
      payout: payout.txId,
      call,
      market: harbour.market,
      token: harbour.token,
      collection: harbour.collection,
      address: payer.address,
      small: small.address,
    };
  }

  /** Purchases and launches. Gives the id of the last purchase. */
  private async trade(harbour: Harbour, buyers: readonly TestKey[]): Promise<string> {
    let last = '';
    for (const [i, buyer] of buyers.entries()) {
      last = await harbour.buy(buyer, BigInt(5 + i * 7));
      if (i < 3) await harbour.launch(buyer);
    }
    return last;
  }

  /** Starts again without mining and sends, so that something waits. Gives the id of one that waits. */
  async letWait(): Promise<string> {
    this.isStopping = true;
    await Promise.allSettled(this.sending);
    this.ready = await this.deployment.restart({ MINING: 'off' });
    const sent: string[] = [];
    for (const from of this.senders) {
      const paid = [{ address: this.someone().address, attoCoinAmount: this.amount() }];
      sent.push((await transfer(this.api, from, paid)).txId);
      await sleep(this.random() * 2_000);
    }
    return sent[0]!;
  }
}
