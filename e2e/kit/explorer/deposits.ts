import { type TestKey, testKey } from '@shardnode/testing/keys';
import { mapBounded } from '@shardnode/testing/ledger-oracle';
import { seededRandom } from '@shardnode/testing/seeded-random';
import { type DestinationForm } from '../api-forms.js';

/** What an exchange books: who was paid what, by which transaction. */
export interface Deposit {
  readonly txId: string;
  readonly address: string;
  /** In attoCoin. */
  readonly amount: string;
}

/** The parts of a transaction of the explorer that an exchange reads. */
interface TransactionForm {
  readonly hash: string;
  readonly outputs: readonly { readonly address: string; readonly attoCoinAmount: string }[];
}

interface Share {
  readonly key: TestKey;
  /** In attoCoin. */
  readonly amount: bigint;
}

/** A transfer to several receivers of one group. */
export interface Payment {
  readonly group: number;
  readonly to: readonly Share[];
}

const receiversOfPayment = 100;
const askedAtOnce = 8;
/** Largest part of a list. */
const pageSize = 100;

/** Other tests, and miners of made blocks, use keys before it. */
const firstKey = 100_000;

/** The deposit addresses of an exchange: keys of a fixed sequence, in all groups. */
export const depositKeys = (count: number): readonly TestKey[] =>
  Array.from({ length: count }, (_, i) => testKey(firstKey + i));

/** Payments of random amounts, one to each key, as many in one transaction as fit well. */
export const paymentsTo = (keys: readonly TestKey[], groups: number, seed: number): Payment[] => {
  const random = seededRandom(seed);
  const payments: Payment[] = [];
  for (let group = 0; group < groups; group++) {
    const own = keys.filter((key) => key.group === group);
    for (let start = 0; start < own.length; start += receiversOfPayment) {
      const to = own.slice(start, start + receiversOfPayment);
      const amountOf = (): bigint => 10n ** 16n + BigInt(Math.floor(random() * 1e12));
      payments.push({ group, to: to.map((key) => ({ key, amount: amountOf() })) });
    }
  }
  return payments;
};

/** A receiver as the gateway takes it. */
export const destinationOf = ({ key, amount }: Share): DestinationForm => ({
  address: key.address,
  attoCoinAmount: amount.toString(),
});

export const depositsOf = ({ to }: Payment, txId: string): Deposit[] =>
  to.map(({ key, amount }) => ({ txId, address: key.address, amount: amount.toString() }));

const textOf = ({ txId, address, amount }: Deposit): string => `${address} ${amount} ${txId}`;

/** Deposits in an order of their own: two equal lists have each deposit as often. */
export const sorted = (deposits: readonly Deposit[]): string[] => deposits.map(textOf).sort();

/** The deposits of an exchange, as it reads them from an explorer. */
export class DepositReader {
  private readonly addresses: ReadonlySet<string>;

  /** @param url of the explorer */
  constructor(
    private readonly url: string,
    addresses: readonly string[],
  ) {
    this.addresses = new Set(addresses);
  }

  /** Asks for each address and an interval of time, milliseconds since 1970, page by page. */
  byTime(fromTs: number, toTs: number): Promise<Deposit[]> {
    return this.ofEach(async (address) => {
      const found: TransactionForm[] = [];
      for (let page = 1; ; page++) {
        const path = `/addresses/${address}/timeranged-transactions?fromTs=${fromTs}&toTs=${toTs}&limit=${pageSize}`;
        const { items } = await this.part(`${path}&page=${page}`);
        found.push(...items);
        if (items.length < pageSize) return found;
      }
    });
  }

  /** Follows the cursor of each address's list. @param limit transactions of a part */
  byCursor(limit: number): Promise<Deposit[]> {
    return this.ofEach((address) => this.list(`/addresses/${address}/transactions?limit=${limit}`));
  }

  /** Follows the cursor of the list of all transactions. @param afterPart runs between two parts */
  async ofAllTransactions(limit: number, afterPart: () => Promise<void>): Promise<Deposit[]> {
    const found = await this.list(`/transactions?limit=${limit}`, afterPart);
    return found.flatMap((transaction) => this.depositsIn(transaction, this.addresses));
  }

  private async ofEach(read: (address: string) => Promise<readonly TransactionForm[]>): Promise<Deposit[]> {
    const lists = await mapBounded([...this.addresses], askedAtOnce, async (address) => {
      const found = await read(address);
      return found.flatMap((transaction) => this.depositsIn(transaction, new Set([address])));
    });
    return lists.flat();
  }

  private depositsIn({ hash, outputs }: TransactionForm, addresses: ReadonlySet<string>): Deposit[] {
    return outputs
      .filter(({ address }) => addresses.has(address))
      .map(({ address, attoCoinAmount }) => ({ txId: hash, address, amount: attoCoinAmount }));
  }

  private async list(path: string, afterPart?: () => Promise<void>): Promise<TransactionForm[]> {
    const found: TransactionForm[] = [];
    let cursor: string | null = null;
    do {
      const { items, next } = await this.part(`${path}${cursor === null ? '' : `&cursor=${cursor}`}`);
      found.push(...items);
      cursor = next;
      await afterPart?.();
    } while (cursor !== null);
    return found;
  }

  private async part(path: string) {
    const answer = await fetch(`${this.url}${path}`);
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return { items: (await answer.json()) as readonly TransactionForm[], next: answer.headers.get('x-next-cursor') };
  }
}
