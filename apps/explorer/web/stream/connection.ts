import {
  type AddressChange,
  type BlockLite,
  type Hello,
  type PendingChange,
  type Reorganisation,
  type Snapshot,
  type Stats,
} from '../store/forms.js';

/** Events of the stream (protocol 08 §6). */
interface Events {
  readonly hello: Hello;
  readonly snapshot: Snapshot;
  readonly block: BlockLite;
  readonly reorg: Reorganisation;
  readonly pending: PendingChange;
  readonly stats: Stats;
  readonly address: AddressChange;
}

export type StreamEvent = {
  readonly [Name in keyof Events]: { readonly name: Name; readonly data: Events[Name] };
}[keyof Events];

const names: readonly (keyof Events)[] = ['hello', 'snapshot', 'block', 'reorg', 'pending', 'stats', 'address'];

export type Link = 'connecting' | 'live' | 'polling';

/** What a connection tells: an event, or how it stands. */
export type StreamMessage = StreamEvent | { readonly name: 'link'; readonly data: Link };

/** Addresses that the service watches for one client. */
export const mostWatched = 10;

/** Milliseconds between two tries to open the stream again. */
const retryMs = [5_000, 15_000, 60_000];
const failuresUntilPolling = 3;

/** A connection to the stream, which is opened again when it is lost. `polling` while it cannot be. */
export class Connection {
  private source: EventSource | undefined;
  private failures = 0;
  private tries = 0;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private addresses: readonly string[] = [];
  private state: Link = 'connecting';

  /** @param base address of the service, with a slash at its end */
  constructor(
    private readonly base: string,
    private readonly tell: (message: StreamMessage) => void,
  ) {}

  get link(): Link {
    return this.state;
  }

  /** Opens it, or again for other addresses. */
  open(addresses: readonly string[]): void {
    if (this.source && addresses.join() === this.addresses.join()) return;
    this.addresses = addresses;
    this.close();
    this.connect();
  }

  close(): void {
    clearTimeout(this.retry);
    this.source?.close();
    this.source = undefined;
  }

  private connect(): void {
    const watched = this.addresses.map((address) => `&address=${encodeURIComponent(address)}`).join('');
    const source = new EventSource(`${this.base}stream?topics=blocks,pending,stats${watched}`);
    this.source = source;
    source.addEventListener('open', () => {
      this.failures = this.tries = 0;
      this.become('live');
    });
    source.addEventListener('error', () => this.onFailure(source));
    for (const name of names)
      source.addEventListener(name, ({ data }: MessageEvent<string>) =>
        this.tell({ name, data: JSON.parse(data) } as StreamEvent),
      );
  }

  /** The browser tries again by itself, unless the answer was no stream. */
  private onFailure(source: EventSource): void {
    this.failures += 1;
    const isRefused = source.readyState === EventSource.CLOSED;
    if (!isRefused && this.failures < failuresUntilPolling) return this.become('connecting');
    source.close();
    this.become('polling');
    this.retry = setTimeout(() => this.connect(), retryMs[Math.min(this.tries++, retryMs.length - 1)]);
  }

  private become(link: Link): void {
    this.state = link;
    this.tell({ name: 'link', data: link });
  }
}
