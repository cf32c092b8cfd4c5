import { setTimeout as pause } from 'node:timers/promises';
import { type TestKey } from '@shardnode/testing/keys';
import { type ApiClient, type Answer } from '../api-client.js';
import { type SubmittedForm } from '../api-forms.js';
import { fundingTransfer, oneCoin } from '../transfers.js';
import { type FaultLoad, type LoadTransaction } from './fault-load.js';

const password = 'a password of wallet senders';

interface Wallet {
  readonly name: string;
  readonly address: string;
  readonly group: number;
}

export interface WalletSendersOptions {
  /** Wallets, in groups 0, 1, ... */
  readonly wallets: number;
  /** Milliseconds between two transfers of a wallet; default 0. */
  readonly everyMs?: number;
  /** Processes between sender and chain may be killed: broken connections and locked wallets are no defect. Default false. */
  readonly mayBreak?: boolean;
  /** Each so manieth turn of a wallet gathers the outputs of its address in one, in place of a transfer. Default: never. */
  readonly sweepEvery?: number;
  /** A wallet waits until its transactions are confirmed, or have left, before the next ones. Default false. */
  readonly untilConfirmed?: boolean;
}

/**
 * Wallets of the wallet-service that pay each other in turn. What was acknowledged joins the transactions of the load, which
 * the end of the scenario judges. What got no answer is not sent again: it might be paid twice.
 */
export class WalletSenders {
  acknowledged = 0;
  /** Transactions of sweeps among those acknowledged. */
  sweeps = 0;
  private resting = true;
  private running: Promise<void>[] = [];

  private constructor(
    private readonly apis: readonly ApiClient[],
    private readonly load: FaultLoad,
    private readonly wallets: readonly Wallet[],
    private readonly options: WalletSendersOptions,
  ) {}

  /** Makes the wallets and gives each 1,000 coins. */
  static async prepare(
    apis: readonly ApiClient[],
    funded: readonly TestKey[],
    load: FaultLoad,
    options: WalletSendersOptions,
  ): Promise<WalletSenders> {
    const api = apis[0]!;
    const open = async (_: unknown, index: number): Promise<Wallet> => {
      const name = `sender-${index}`;
      const group = index % funded.length;
      await api.post('/wallets', { password, walletName: name });
      const { address } = await api.post<{ address: string }>(`/wallets/${name}/derive-next-address?group=${group}`);
      await api.post(`/wallets/${name}/change-active-address`, { address });
      const attoCoinAmount = (1_000n * oneCoin).toString();
      await fundingTransfer(api, funded[group]!, [{ address, attoCoinAmount }]);
      return { name, address, group };
    };
    const wallets = await Promise.all(Array.from({ length: options.wallets }, open));
    return new WalletSenders(apis, load, wallets, options);
  }

  /** Each wallet makes so many transfers; default: until `rest`. */
  begin(transfers = Number.POSITIVE_INFINITY): void {
    this.resting = false;
    this.running = this.wallets.map((wallet, index) => this.run(wallet, index, transfers));
  }

  async rest(): Promise<void> {
    this.resting = true;
    await this.finished();
  }

  /** Waits until the given number of transfers is done. */
  async finished(): Promise<void> {
    await Promise.all(this.running);
  }

  /** The wallet-service still knows each wallet with its active address, and opens it with its password. */
  async expectKept(): Promise<void> {
    for (const { name, address } of this.wallets) {
      await this.apis[0]!.post(`/wallets/${name}/unlock`, { password });
      const { activeAddress } = await this.apis[0]!.get<{ activeAddress: string }>(`/wallets/${name}/addresses`);
      if (activeAddress !== address) throw new Error(`wallet ${name} pays from ${activeAddress}, not from ${address}`);
    }
  }

  private async run(wallet: Wallet, index: number, transfers: number): Promise<void> {
    for (let turn = index; !this.resting && turn < index + transfers; turn++) {
      await this.sendOne(wallet, turn);
      if (this.options.everyMs !== undefined) await pause(this.options.everyMs);
    }
  }

  private async sendOne(wallet: Wallet, turn: number): Promise<void> {
    const { name } = wallet;
    const api = this.apis[turn % this.apis.length]!;
    const { sweepEvery = Number.POSITIVE_INFINITY } = this.options;
    const isSweep = turn % sweepEvery === sweepEvery - 1;
    const to = isSweep ? wallet : this.wallets[(turn + 1) % this.wallets.length]!;
    const destinations = [{ address: to.address, attoCoinAmount: (oneCoin / 1_000n).toString() }];
    const answer = isSweep
      ? await this.ask(api, `/wallets/${name}/sweep-active-address`, { toAddress: to.address })
      : await this.ask(api, `/wallets/${name}/transfer`, { destinations });
    if (answer?.status === 200) {
      const submitted = JSON.parse(answer.text) as SubmittedForm | { readonly results: readonly SubmittedForm[] };
      const all = 'results' in submitted ? submitted.results : [submitted];
      if (isSweep) this.sweeps += all.length;
      const noted = all.map((one) => this.noteAcknowledged(one, { from: wallet.group, to: to.group }));
      if (!this.options.untilConfirmed) return;
      for (const transaction of noted) await this.load.untilSettled(transaction);
    } else if (this.options.mayBreak && answer?.status === 401) {
      await this.ask(api, `/wallets/${name}/unlock`, { password });
    } else {
      await pause(100);
    }
  }

  private noteAcknowledged(
    { txId }: SubmittedForm,
    { from, to }: { readonly from: number; readonly to: number },
  ): LoadTransaction {
    this.acknowledged += 1;
    const unknown = { unsignedTx: '', signature: '', blockHash: undefined, reason: undefined };
    const transaction = { txId, from, to, acknowledged: true, ...unknown };
    this.load.transactions.push(transaction);
    return transaction;
  }

  /** Undefined when the connection broke. */
  private async ask(api: ApiClient, path: string, body: unknown): Promise<Answer | undefined> {
    const { mayBreak = false } = this.options;
    try {
      const answer = await api.send('POST', path, { body });
      const expected = mayBreak ? [200, 401, 503] : [200];
      if (!expected.includes(answer.status)) this.load.defects.push(`${path}: ${answer.status} ${answer.text}`);
      return answer;
    } catch (error) {
      if (!mayBreak) this.load.defects.push(`${path}: ${String(error)}`);
      return undefined;
    }
  }
}
