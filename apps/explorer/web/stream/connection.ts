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
  /** Every 15 s. */
  readonly alive: { readonly serverTime: number };
}

export type StreamEvent = {
  readonly [Name in keyof Events]: { readonly name: Name; readonly data: Events[Name] };
}[keyof Events];

const names: readonly (keyof Events)[] = [
  'hello',
  'snapshot',
  'block',
  'reorg',
  'pending',
  'stats',
  'address',
  'alive',
];

export type Link = 'connecting' | 'live' | 'polling';

/** What a connection tells: an event, or how it stands. */
export type StreamMessage = StreamEvent | { readonly name: 'link'; readonly data: Link };

/** Addresses that the service watches for one client. */
export const mostWatched = 10;

/** Milliseconds without an event, although the service sends one every 15 s. */
export const silence = {
  /** The connection is dead, whatever the browser says. */
  dead: 40_000,
  /** Events may have been lost: the next one is not trusted, nor is a connection that somebody looks at again. */
  late: 20_000,
  /** When the network has come back: no event can be older. */
  none: 1_000,
} as const;

/** Milliseconds between two looks at the clock, which goes on while the machine sleeps. */
const lookEveryMs = 1_000;
/** Milliseconds until a connection is there. */
const longestOpening = 8_000;

/** Milliseconds between two tries to open the stream again. */
const retryMs = [5_000, 15_000, 60_000];
const failuresUntilPolling = 3;

/** A connection to the stream, which is opened again when it is lost or silent. `polling` while it cannot be. */
export class Connection {
  private source: EventSource | undefined;
  private failures = 0;
  private tries = 0;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private looking: ReturnType<typeof setInterval> | undefined;
  private addresses: readonly string[] = [];
  private state: Link = 'connecting';
  /** When the last event came, or the browser began to connect: by the clock of the day, milliseconds since 1970. */
  private heardAt = 0;

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
    clearInterval(this.looking);
    this.source?.close();
    this.source = undefined;
  }

  /** Opens it again, if it waits for its next try, or has been silent for so long. @param silentMs milliseconds */
  check(silentMs: number): void {
    if (this.state === 'polling' && this.source === undefined) {
      this.tries = 0;
      this.connectAgain();
    } else if (this.silentFor() >= silentMs) {
      this.become('connecting');
      this.connectAgain();
    }
  }

  private connectAgain(): void {
    this.close();
    this.connect();
  }

  private connect(): void {
    const watched = this.addresses.map((address) => `&address=${encodeURIComponent(address)}`).join('');
    const source = new EventSource(`${this.base}stream?topics=blocks,pending,stats${watched}`);
    this.source = source;
    this.heardAt = Date.now();
    this.looking = setInterval(() => this.look(source), lookEveryMs);
    source.addEventListener('open', () => {
      this.failures = this.tries = 0;
      this.heardAt = Date.now();
      this.become('live');
    });
    source.addEventListener('error', () => this.onFailure(source));
    for (const name of names)
      source.addEventListener(name, ({ data }: MessageEvent<string>) => {
        const wasSilentFor = this.silentFor();
        this.heardAt = Date.now();
        if (wasSilentFor >= silence.late) return this.check(0);
        this.tell({ name, data: JSON.parse(data) } as StreamEvent);
      });
  }

  /** The clock may have been set back. */
  private silentFor(): number {
    this.heardAt = Math.min(this.heardAt, Date.now());
    return Date.now() - this.heardAt;
  }

  private look(source: EventSource): void {
    if (this.state === 'live') this.check(silence.dead);
    else if (this.silentFor() >= longestOpening) {
      source.close();
      this.onFailure(source);
    }
  }

  /** The browser tries again by itself, unless the answer was no stream. */
  private onFailure(source: EventSource): void {
    this.failures += 1;
    this.heardAt = Date.now();
    const isRefused = source.readyState === EventSource.CLOSED;
    if (!isRefused && this.failures < failuresUntilPolling) return this.become('connecting');
    this.close();
    this.become('polling');
    this.retry = setTimeout(() => this.connect(), retryMs[Math.min(this.tries++, retryMs.length - 1)]);
  }

  private become(link: Link): void {
    this.state = link;
    this.tell({ name: 'link', data: link });
  }
}
