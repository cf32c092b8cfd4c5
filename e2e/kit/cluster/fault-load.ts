import { setTimeout as pause } from 'node:timers/promises';
import { seededRandom } from '@shardnode/testing/seeded-random';
import { testKeysOfGroup, type TestKey } from '@shardnode/testing/keys';
import { mapBounded } from '@shardnode/testing/ledger-oracle';
import { type ApiClient, type Answer } from '../api-client.js';
import { type BuiltForm, type StatusForm } from '../api-forms.js';
import { groups } from '../chains.js';
import { fundingTransfer, oneCoin, signOffline } from '../transfers.js';
import { waitFor } from '../wait-for.js';

/** A transaction of the load, and what its sender knows of it. */
export interface LoadTransaction {
  readonly txId: string;
  readonly from: number;
  readonly to: number;
  readonly unsignedTx: string;
  readonly signature: string;
  /** The network has answered 200: it may not be lost from then on. */
  acknowledged: boolean;
  /** The block that the status names in the end. */
  blockHash: string | undefined;
  /** Why it left unmined (decision 12). */
  reason: string | undefined;
}

export interface FaultLoadOptions {
  /** Senders in each group; default 10. */
  readonly sendersPerGroup?: number;
  /** Of receivers and amounts; default 1. */
  readonly seed?: number;
  /** Transfers in all, after which the load rests; default: until `rest`. */
  readonly transfers?: number;
  /** Groups whose senders take part, and that receive; default all. */
  readonly among?: readonly number[];
  /** Milliseconds between two transfers of a sender; default 0. */
  readonly everyMs?: number;
  /** A sender waits until its transfer is confirmed, or has left, before it makes the next one. Default false. */
  readonly untilConfirmed?: boolean;
  /**
   * Receivers never send, so each sender spends what it was acknowledged itself; else a kill of everything may take the
   * unacknowledged transaction of another sender, on which one was built. Default false: senders receive too.
   */
  readonly othersReceive?: boolean;
  /** A gateway may be gone: connections that break are no defect. Default false. */
  readonly gatewaysMayBreak?: boolean;
}

/** 503 says which group is not there. */
export const groupWithNumber = /groups?(?:-node)?[ -]\d/i;
/** Milliseconds: no request may take longer than the longest deadline of a message and a little more. */
const longestAnswer = 12_000;

/** Milliseconds between two questions after a status. */
const statusEvery = 1_000;
/** Statuses that are asked for at a time. */
const askedAtOnce = 16;

interface Asked {
  readonly answer: Answer | undefined;
  readonly milliseconds: number;
}

/**
 * Senders in all groups that transfer to receivers in all groups, each one after the other, through all given gateways in
 * turn. They are careful: what was sent and not answered is sent again, the same bytes, until there is an answer. An answer
 * is 200, or 503 that names the group; everything else is a defect.
 */
export class FaultLoad {
  readonly transactions: LoadTransaction[] = [];
  /** Answers that no careful sender may get, and requests that took too long. */
  readonly defects: string[] = [];
  /** Answers by status; 0 for a connection that broke. */
  readonly answers = new Map<number, number>();
  /** Milliseconds from build to the acknowledgement of transfers that met no trouble, by the sender's group. */
  readonly durations: { readonly at: number; readonly group: number; readonly milliseconds: number }[] = [];
  private readonly random: () => number;
  private resting = true;
  private isAbandoned = false;
  private left: number;
  private running: Promise<void>[] = [];

  private constructor(
    private readonly apis: readonly ApiClient[],
    private readonly senders: readonly TestKey[],
    private readonly receivers: readonly TestKey[],
    private readonly options: FaultLoadOptions,
  ) {
    this.random = seededRandom(options.seed ?? 1);
    this.left = options.transfers ?? Number.POSITIVE_INFINITY;
  }

  /** Funds the senders with 1,000 coins each, and waits until they have them. */
  static async prepare(
    apis: readonly ApiClient[],
    funded: readonly TestKey[],
    options: FaultLoadOptions = {},
  ): Promise<FaultLoad> {
    const among = options.among ?? groups;
    const perGroup = options.sendersPerGroup ?? 10;
    const senders = among.map((group) => testKeysOfGroup(group, 100 + perGroup).slice(100));
    const attoCoinAmount = (1_000n * oneCoin).toString();
    await Promise.all(
      senders.map(async (keys, index) => {
        const destinations = keys.map(({ address }) => ({ address, attoCoinAmount }));
        await fundingTransfer(apis[0]!, funded[among[index]!]!, destinations);
      }),
    );
    const receivers = options.othersReceive ? among.map((group) => testKeysOfGroup(group, 5)) : senders;
    return new FaultLoad(apis, senders.flat(), receivers.flat(), options);
  }

  get acknowledged(): number {
    return this.transactions.filter(({ acknowledged }) => acknowledged).length;
  }

  begin(): void {
    this.resting = false;
    this.running = this.senders.map((sender, index) => this.run(sender, index));
  }

  /** Nobody begins another transfer; those under way are brought to their end. */
  async rest(): Promise<void> {
    this.resting = true;
    await Promise.all(this.running);
  }

  /** Ends what is under way as it is: nobody will answer any more. */
  async abandon(): Promise<void> {
    this.isAbandoned = true;
    await this.rest();
  }

  /** Waits until the given number of transfers is done. */
  async finished(): Promise<void> {
    await Promise.all(this.running);
  }

  /**
   * Asks until each acknowledged transaction is Confirmed, or the status tells why it never will be. Of more than `asked` it
   * asks after so many, by chance.
   */
  async settle(timeoutMs = 60_000, asked = Number.POSITIVE_INFINITY): Promise<void> {
    const acknowledged = this.transactions.filter((transaction) => transaction.acknowledged);
    const share = asked / acknowledged.length;
    const open = new Set(share < 1 ? acknowledged.filter(() => this.random() < share) : acknowledged);
    await waitFor(
      'all acknowledged transactions to be confirmed',
      async () => {
        await mapBounded([...open], askedAtOnce, async (transaction) => {
          if (await this.isSettled(transaction)) open.delete(transaction);
        });
        const [first] = open;
        if (first) throw new Error(`${open.size} are not, among them ${first.txId} of group ${first.from}`);
        return true;
      },
      { timeoutMs, everyMs: 100 },
    );
  }

  /** Asks whether it is Confirmed, or never will be. */
  private async isSettled(transaction: LoadTransaction): Promise<boolean> {
    const { txId, from, to } = transaction;
    const chain = `fromGroup=${from}&toGroup=${to}`;
    const status = await this.apis[0]!.get<StatusForm>(`/transactions/status?txId=${txId}&${chain}`);
    if (status.type === 'Confirmed') transaction.blockHash = status.blockHash;
    else if (status.type === 'TxNotFound') this.leftUnmined(transaction, status);
    else return false;
    return true;
  }

  private leftUnmined(transaction: LoadTransaction, status: object): void {
    const { reason } = status as { readonly reason?: { readonly code: string; readonly detail: string } };
    if (reason) transaction.reason = `${reason.code}: ${reason.detail}`;
    else this.defects.push(`${transaction.txId} was acknowledged and is not found`);
  }

  private async run(sender: TestKey, index: number): Promise<void> {
    for (let turn = index; !this.resting && this.left > 0; turn++) {
      this.left -= 1;
      const to = this.receivers[Math.floor(this.random() * this.receivers.length)]!;
      const amount = oneCoin / 1_000n + BigInt(Math.floor(this.random() * 1e9));
      await this.sendOne(sender, to, amount, turn);
      if (this.options.everyMs !== undefined) await pause(this.options.everyMs);
    }
  }

  private async sendOne(sender: TestKey, to: TestKey, amount: bigint, turn: number): Promise<void> {
    const at = performance.now();
    const built = await this.build(sender, to, amount, turn);
    if (!built) return;
    const signature = signOffline(built.form, sender);
    const { txId, unsignedTx } = built.form;
    const transaction: LoadTransaction = {
      txId,
      from: sender.group,
      to: to.group,
      unsignedTx,
      signature,
      acknowledged: false,
      blockHash: undefined,
      reason: undefined,
    };
    this.transactions.push(transaction);
    const tries = await this.submit(transaction, turn);
    if (built.tries + tries === 2) {
      this.durations.push({ at, group: sender.group, milliseconds: performance.now() - at });
    }
    if (this.options.untilConfirmed) await this.untilSettled(transaction);
  }

  /** Waits, while the load runs, until an acknowledged transaction is confirmed or has left; the end of a scenario asks again. */
  async untilSettled(transaction: LoadTransaction): Promise<void> {
    while (transaction.acknowledged && !this.resting) {
      // Who is asked may be away.
      if (await this.isSettled(transaction).catch(() => false)) return;
      await pause(statusEvery);
    }
  }

  private async build(
    sender: TestKey,
    to: TestKey,
    amount: bigint,
    turn: number,
  ): Promise<{ readonly form: BuiltForm; readonly tries: number } | undefined> {
    const body = {
      fromPublicKey: Buffer.from(sender.publicKey).toString('hex'),
      destinations: [{ address: to.address, attoCoinAmount: amount.toString() }],
    };
    for (let tries = 1; ; tries++) {
      const answer = await this.ask('/transactions/build', body, turn + tries);
      if (answer?.status === 200) return { form: JSON.parse(answer.text) as BuiltForm, tries };
      if (answer && answer.status !== 503) return undefined;
      if (this.resting) return undefined;
      await pause(100);
    }
  }

  /** Gives the number of attempts. What nobody answered is sent again, even when the load is to rest: an exchange must know. */
  private async submit(transaction: LoadTransaction, turn: number): Promise<number> {
    const { unsignedTx, signature } = transaction;
    for (let tries = 1; ; tries++) {
      const answer = await this.ask('/transactions/submit', { unsignedTx, signature }, turn + tries);
      if (answer?.status === 200) transaction.acknowledged = true;
      if ((answer && answer.status !== 503) || this.isAbandoned) return tries;
      if (tries > 600) {
        this.defects.push(`${transaction.txId} was never answered`);
        return tries;
      }
      await pause(100);
    }
  }

  private async ask(path: string, body: unknown, turn: number): Promise<Answer | undefined> {
    const api = this.apis[turn % this.apis.length]!;
    const { answer, milliseconds } = await timed(api, path, body);
    const status = answer?.status ?? 0;
    this.answers.set(status, (this.answers.get(status) ?? 0) + 1);
    // As the logs of the processes name it.
    const now = new Date().toISOString();
    const what = `${path} after ${milliseconds.toFixed(0)} ms, at ${now}: ${status} ${answer?.text ?? ''}`;
    if (milliseconds > longestAnswer) this.defects.push(`too late: ${what}`);
    if (status === 0 && !this.options.gatewaysMayBreak) this.defects.push(`connection broke: ${what}`);
    if (status === 503 && !groupWithNumber.test(answer!.text)) this.defects.push(`503 without a group: ${what}`);
    if (![0, 200, 503].includes(status)) this.defects.push(what);
    return answer;
  }
}

const timed = async (api: ApiClient, path: string, body: unknown): Promise<Asked> => {
  const began = performance.now();
  let answer: Answer | undefined;
  try {
    answer = await api.send('POST', path, { body });
  } catch {
    // The connection broke: there is no answer.
  }
  return { answer, milliseconds: performance.now() - began };
};
