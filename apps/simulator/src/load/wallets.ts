import { ServiceError } from '@shardnode/core/errors';
import { parseAssetAddress } from '@shardnode/protocol/address';
import { type LedgerReport } from '@shardnode/testing/ledger-oracle';
import { type TestKey } from '@shardnode/testing/keys';
import { type Receiver } from './access.js';
import { isRefusal } from './careful-client.js';
import { type HttpClient } from './http-client.js';
import { type LoadParts, RepeatedLoad } from './repeated-load.js';
import { type Sender } from './sender.js';
import { buildTransfer, oneCoin, someAmount } from './transfers.js';

/** Bound of the virtual milliseconds between two actions of a wallet's owner. */
const longestPause = 3_000;

/** The first payment to a wallet, in attoCoin. */
const firstCoins = 1_000n * oneCoin;

/** Responses that the owner of a wallet has received. */
interface KnownWallet {
  readonly name: string;
  readonly password: string;
  mnemonic: string;
  readonly addresses: Set<string>;
}

interface WalletBalances {
  readonly totalBalance: string | number;
  readonly balances: readonly { readonly address: string; readonly balance: string | number }[];
}

interface TransferAnswer {
  readonly txId: string;
  readonly fromGroup: number;
  readonly toGroup: number;
}

const isCode = (error: unknown, code: string): error is ServiceError =>
  error instanceof ServiceError && error.code === code;

export interface WalletLoadParts extends LoadParts {
  readonly client: HttpClient;
  readonly sender: Sender;
  /** Addresses of the wallets are added to them. */
  readonly receivers: Receiver[];
  readonly groups: number;
}

/** The owner of a wallet: creates it, has it funded, and spends from it, all through the gateway. */
export class WalletLoad extends RepeatedLoad {
  private readonly known: KnownWallet;
  /** Acknowledged transfers. */
  transfers = 0;

  constructor(
    name: string,
    private readonly funder: TestKey,
    protected override readonly parts: WalletLoadParts,
  ) {
    super(parts, longestPause);
    this.known = { name, password: `password of ${name}`, mnemonic: '', addresses: new Set() };
  }

  private get path(): string {
    return `/wallets/${this.known.name}`;
  }

  protected override async prepare(): Promise<void> {
    await this.owned(async () => {
      await this.create();
      await this.readAddresses();
      await this.fund();
    });
  }

  protected act(): Promise<void> {
    const chance = this.parts.random();
    if (chance < 0.6) return this.owned(() => this.transfer());
    if (chance < 0.72) return this.owned(() => this.lookAtBalances());
    if (chance < 0.84) return this.owned(() => this.derive());
    if (chance < 0.92) return this.owned(() => this.parts.client.ask('POST', `${this.path}/lock`));
    return this.owned(() => this.mistypePassword());
  }

  /** Compares the reports of the services on the wallet at the end with the owner's responses and with the chains. */
  async problems(report: LedgerReport): Promise<string[]> {
    const { name, password, mnemonic, addresses } = this.known;
    const { client } = this.parts;
    const { mnemonic: revealed } = await client.ask<{ mnemonic: string }>('POST', `${this.path}/reveal-mnemonic`, {
      password,
    });
    const { totalBalance, balances } = await this.unlocked<WalletBalances>('GET', 'balances');
    const shown = new Set(balances.map(({ address }) => address));
    const total = [...shown].reduce((sum, address) => sum + report.balanceOf(address), 0n);
    return [
      ...(revealed === mnemonic ? [] : [`WalletDiffers: ${name} has another mnemonic than its owner was told`]),
      ...[...addresses].filter((one) => !shown.has(one)).map((one) => `WalletDiffers: ${name} has lost ${one}`),
      ...balances.flatMap(({ address, balance }) => differenceOf(address, balance, report)),
      ...(BigInt(totalBalance) === total ? [] : [`BalanceDiffers: ${name} has ${totalBalance} in all, not ${total}`]),
    ];
  }

  private async owned(run: () => Promise<unknown>): Promise<void> {
    await this.tried(`wallet ${this.known.name}`, run, () => false);
  }

  /** A creation whose response was lost may have been made: then the words are queried. */
  private async create(): Promise<void> {
    const { name: walletName, password } = this.known;
    const { client } = this.parts;
    const words = await client
      .ask<{ mnemonic: string }>('POST', '/wallets', { walletName, password, mnemonicSize: 12 })
      .catch((error: unknown) => {
        if (!isCode(error, 'WalletExists')) throw error;
        return client.ask<{ mnemonic: string }>('POST', `${this.path}/reveal-mnemonic`, { password });
      });
    this.known.mnemonic = words.mnemonic;
  }

  private async readAddresses(): Promise<void> {
    const { activeAddress } = await this.unlocked<{ activeAddress: string }>('GET', 'addresses');
    this.remember(activeAddress);
  }

  private async fund(): Promise<void> {
    const { sender, receivers } = this.parts;
    const [first] = this.known.addresses;
    const to = receivers.find(({ address }) => address === first)!;
    const entry = await sender.submit(await buildTransfer(sender, this.funder, to, firstCoins));
    if (entry) await sender.wait(entry);
  }

  /** Sent once: the result of an unanswered transfer is unknown, and a retry might pay twice. */
  private async transfer(): Promise<void> {
    const { sent, sender, time, random } = this.parts;
    const to = this.oneOf(this.parts.receivers).address;
    const body = { destinations: [{ address: to, attoCoinAmount: someAmount(random).toString() }] };
    const sentAt = time.now;
    try {
      const answer = await this.unlocked<TransferAnswer>('POST', 'transfer', body, 'once');
      const { txId, fromGroup: from, toGroup } = answer;
      this.transfers += 1;
      await sender.wait(sent.add({ txId, from, to: toGroup, sentAt, acknowledged: true }));
    } catch (error) {
      if (isRefusal(error) && error.kind === 'refused') return this.activate([...this.known.addresses][0]!);
      if (isRefusal(error) && error.kind !== 'throttled') throw error;
      sent.unanswered += 1;
    }
  }

  private async lookAtBalances(): Promise<void> {
    const { balances } = await this.unlocked<WalletBalances>('GET', 'balances');
    await this.parts.client.ask('GET', `/addresses/${this.oneOf(balances).address}/balance`);
  }

  private async derive(): Promise<void> {
    const group = Math.floor(this.parts.random() * this.parts.groups);
    const { address } = await this.unlocked<{ address: string }>('POST', `derive-next-address?group=${group}`);
    this.remember(address);
    await this.activate(this.oneOf([...this.known.addresses]));
  }

  private async activate(address: string): Promise<void> {
    await this.unlocked('POST', 'change-active-address', { address });
  }

  private async mistypePassword(): Promise<void> {
    try {
      await this.parts.client.once('POST', `${this.path}/unlock`, { password: 'another one' });
    } catch (error) {
      if (isRefusal(error) && error.code !== 'InvalidPassword' && error.kind !== 'throttled') throw error;
      return;
    }
    this.parts.sent.defects.push(`wallet ${this.known.name} was unlocked with a wrong password`);
  }

  /** Unlocks the wallet where needed: it locks itself, and a killed wallet-service loses all keys. */
  private async unlocked<Answer>(
    method: 'GET' | 'POST',
    what: string,
    body?: object,
    times: 'once' | 'ask' = 'ask',
  ): Promise<Answer> {
    const { client } = this.parts;
    for (;;) {
      try {
        return await client[times]<Answer>(method, `${this.path}/${what}`, body);
      } catch (error) {
        if (!isCode(error, 'WalletLocked')) throw error;
        await client.ask('POST', `${this.path}/unlock`, { password: this.known.password });
      }
    }
  }

  private remember(address: string): void {
    const { addresses } = this.known;
    if (addresses.has(address)) return;
    addresses.add(address);
    this.parts.receivers.push({ address, lockupScript: parseAssetAddress(address)! });
  }
}

/** A sentence when the shown balance is not that of the chains. */
export const differenceOf = (address: string, shown: string | number, report: LedgerReport): string[] => {
  const expected = report.balanceOf(address);
  return BigInt(shown) === expected ? [] : [`BalanceDiffers: ${address} is shown to have ${shown}, not ${expected}`];
};
