import { type ServerResponse } from 'node:http';
import { type LiveChange } from '@shardnode/messages';
import { eventText, idOf, type LiveEvent } from './event-ring.js';

/** Topics of the stream (protocol 08 §6). */
export const streamTopics = ['blocks', 'pending', 'stats'] as const;
export type StreamTopic = (typeof streamTopics)[number];

/** The topic of each kind of change; undefined: for watched addresses alone. */
const topicOf: { readonly [Name in LiveChange['name']]: StreamTopic | undefined } = {
  block: 'blocks',
  reorg: 'blocks',
  pending: 'pending',
  stats: 'stats',
  transactions: undefined,
};

/** Bytes that may wait for a client; one that reads slower is disconnected (protocol 08 §6). */
const mostWaiting = 256 * 1_024;
/** Bytes that may wait before more is replayed. */
const mostReplayed = 64 * 1_024;

/** Events that a client listens to. */
export interface Listening {
  readonly topics: ReadonlySet<StreamTopic>;
  /** At most 10. */
  readonly addresses: ReadonlySet<string>;
}

/** A client of the stream. It only receives. */
export class StreamClient {
  private live = false;
  private isStalled = false;

  constructor(
    private readonly response: ServerResponse,
    readonly listening: Listening,
  ) {}

  /** Events go to it as they come; false while it gets a snapshot or missed events. */
  get isLive(): boolean {
    return this.live;
  }

  set isLive(live: boolean) {
    this.live = live;
    this.isStalled = false;
  }

  get isClosed(): boolean {
    return this.response.destroyed || this.response.writableEnded;
  }

  /** The part of an event that the client gets; undefined: none. */
  textOf({ change, text }: LiveEvent): string | undefined {
    if (change.name === 'transactions') return this.addressTexts(change);
    return this.listening.topics.has(topicOf[change.name]!) ? text : undefined;
  }

  /** Sends an event of now; disconnects a client that does not read. */
  send(event: LiveEvent): void {
    const text = this.textOf(event);
    if (text !== undefined) this.write(text);
  }

  write(text: string): void {
    if (this.isClosed) return;
    this.response.write(text);
    if (this.response.writableLength > mostWaiting) this.response.destroy();
  }

  /** Sends missed events, as fast as the client reads. */
  async replay(events: readonly LiveEvent[]): Promise<void> {
    for (const event of events) {
      if (this.isClosed) return;
      const text = this.textOf(event);
      if (text === undefined) continue;
      this.response.write(text);
      if (this.response.writableLength > mostReplayed) await this.drained();
    }
  }

  /** Called while it is not live: disconnects a client that does not read what it missed until the next call. */
  noteStall(): void {
    if (this.isStalled) this.response.destroy();
    this.isStalled = true;
  }

  end(): void {
    this.response.end();
  }

  /** One event for each watched address that a transaction touches; the last has the id. */
  private addressTexts({ epoch, n, data }: LiveChange & { name: 'transactions' }): string | undefined {
    const { addresses: watched } = this.listening;
    if (watched.size === 0) return undefined;
    const found = data.transactions.flatMap(({ hash, addresses }) =>
      addresses
        .filter((address) => watched.has(address))
        .map((address) => JSON.stringify({ address, txHash: hash, kind: data.kind })),
    );
    if (found.length === 0) return undefined;
    return found
      .map((text, i) => eventText('address', text, i === found.length - 1 ? idOf(epoch, n) : undefined))
      .join('');
  }

  private async drained(): Promise<void> {
    await new Promise<void>((resolve) => {
      const done = (): void => {
        this.response.off('drain', done).off('close', done);
        resolve();
      };
      this.response.on('drain', done).on('close', done);
    });
  }
}
