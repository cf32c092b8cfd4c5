import { mapBounded } from '@shardnode/testing/ledger-oracle';
import { EventStream } from '@shardnode/testing/event-stream';
import { until } from '@shardnode/testing/waiting';
import { type Deposit } from './deposits.js';

/** Addresses that one stream may watch (protocol 08 §6). */
const addressesOfStream = 10;
const askedAtOnce = 8;

interface AddressEvent {
  readonly address: string;
  readonly txHash: string;
  readonly kind: 'pending' | 'confirmed' | 'reverted';
}
interface TransactionForm {
  readonly outputs: readonly { readonly address: string; readonly attoCoinAmount: string }[];
}

/** A stream that goes on after a cut, as a browser's does. */
class LastingStream {
  private readonly former: AddressEvent[] = [];
  private stream: EventStream | undefined;

  constructor(private readonly url: string) {}

  get events(): readonly AddressEvent[] {
    return [...this.former, ...(this.stream?.of<AddressEvent>('address') ?? [])];
  }

  async open(): Promise<void> {
    const id = this.stream?.lastEventId;
    this.former.push(...(this.stream?.of<AddressEvent>('address') ?? []));
    this.stream = await EventStream.open(this.url, id === undefined ? {} : { 'last-event-id': id });
    const first = id === undefined ? 'snapshot' : 'hello';
    await this.stream.untilCame(first);
  }

  close(): void {
    this.stream?.close();
  }
}

/** The deposits of an exchange, as the live stream tells them. */
export class DepositListener {
  private constructor(
    private readonly url: string,
    private readonly streams: readonly LastingStream[],
  ) {}

  /** @param url of the explorer */
  static async open(url: string, addresses: readonly string[]): Promise<DepositListener> {
    const streams: LastingStream[] = [];
    for (let start = 0; start < addresses.length; start += addressesOfStream) {
      const watched = addresses.slice(start, start + addressesOfStream).map((address) => `&address=${address}`);
      streams.push(new LastingStream(`${url}/stream?topics=stats${watched.join('')}`));
    }
    await mapBounded(streams, askedAtOnce, (stream) => stream.open());
    return new DepositListener(url, streams);
  }

  /** Closes all streams, lets something happen, and opens them again where they were. */
  async cutDuring(work: () => Promise<void>): Promise<void> {
    for (const stream of this.streams) stream.close();
    await work();
    await mapBounded(this.streams, askedAtOnce, (stream) => stream.open());
  }

  /** What was told of the transactions of an address, in order. */
  kindsOf(address: string): string[] {
    return this.events.filter((event) => event.address === address).map(({ kind }) => kind);
  }

  /** Waits until so many deposits are confirmed. */
  async untilConfirmed(count: number): Promise<void> {
    await until(`${count} deposits are confirmed`, () => this.confirmed().length >= count);
  }

  /** The deposits that are confirmed now: one that was told twice is there twice. */
  async deposits(): Promise<Deposit[]> {
    const confirmed = this.confirmed();
    const hashes = [...new Set(confirmed.map(({ txHash }) => txHash))];
    const transactions = new Map(
      await mapBounded(hashes, askedAtOnce, async (hash) => {
        const answer = await fetch(`${this.url}/transactions/${hash}`);
        return [hash, (await answer.json()) as TransactionForm] as const;
      }),
    );
    return confirmed.flatMap(({ address, txHash: txId }) =>
      transactions
        .get(txId)!
        .outputs.filter((output) => output.address === address)
        .map(({ attoCoinAmount: amount }) => ({ txId, address, amount })),
    );
  }

  close(): void {
    for (const stream of this.streams) stream.close();
  }

  private get events(): AddressEvent[] {
    return this.streams.flatMap((stream) => [...stream.events]);
  }

  private confirmed(): AddressEvent[] {
    const confirmed: AddressEvent[] = [];
    for (const event of this.events) {
      if (event.kind === 'confirmed') confirmed.push(event);
      if (event.kind !== 'reverted') continue;
      const isSame = ({ address, txHash }: AddressEvent): boolean =>
        address === event.address && txHash === event.txHash;
      confirmed.splice(confirmed.findIndex(isSame), 1);
    }
    return confirmed;
  }
}
