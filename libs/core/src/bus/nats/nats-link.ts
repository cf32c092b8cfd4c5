import { type Msg, type NatsConnection, type Status, type Subscription } from '@nats-io/transport-node';
import { LogLimiter, type Logger } from '../../observability/index.js';
import { type Clock } from '../../lifecycle/clock.js';
import { type BusObserver } from '../bus.js';
import { Presence } from '../presence.js';
import { type OutgoingHeaders, encodeHeaders } from './message-headers.js';
import { bytesWaiting, cutSocket, gatherWrites } from './socket.js';

/** Fits the largest block in one message (09-cluster §7). */
export const wantedPayload = 8 * 1024 * 1024;
/** Milliseconds. */
const times = { flush: 1_000, cut: 200 };

/** Id of a bus, from the information of one of its servers: the name of the server cluster, otherwise the server id. */
export const busIdOf = (info: { readonly cluster?: string; readonly server_id?: string }): string | undefined =>
  info.cluster ?? info.server_id;

export interface LinkListener {
  /** The connection broke: responses in flight are lost. */
  disconnected(): void;
  /** The server does not let us publish to this subject. */
  publishRefused(subject: string): void;
}

/** Outcome of a send: sent, or larger than the server's limit. */
export type SendOutcome =
  { readonly isSent: true } | { readonly isSent: false; readonly bytes: number; readonly limit: number };

/** One connection with its state. Its methods never throw: an unreachable bus is a state, not an error. */
export class NatsLink {
  private readonly presence: Presence;
  private closed = false;
  private readonly listeners: LinkListener[] = [];
  private readonly rarely: LogLimiter;

  constructor(
    private readonly connection: NatsConnection,
    readonly name: string,
    private readonly clock: Clock,
    private readonly logger: Logger,
    private readonly observer: BusObserver | undefined,
  ) {
    this.rarely = new LogLimiter(clock);
    this.presence = new Presence(clock);
    observer?.connectionChanged?.(true);
    this.checkPayload();
    void this.watch();
  }

  get isConnected(): boolean {
    return this.presence.isThere && !this.closed;
  }

  /** See `busIdOf`; undefined while disconnected. */
  get busId(): string | undefined {
    const { info } = this.connection;
    return this.isConnected && info ? busIdOf(info) : undefined;
  }

  /** Bytes of the largest message that the server takes. */
  get longestMessage(): number {
    return this.connection.info?.max_payload ?? wantedPayload;
  }

  /** Bytes that the server has not read yet. */
  get bytesWaiting(): number {
    return bytesWaiting(this.connection);
  }

  listen(listener: LinkListener): void {
    this.listeners.push(listener);
  }

  /** True once connected, false after `milliseconds` or when the link is closed. */
  async whenConnected(milliseconds: number): Promise<boolean> {
    if (!this.closed) await this.presence.whenThere(milliseconds);
    return this.isConnected;
  }

  /** Only while connected. `reply`: subject of the response. */
  send(subject: string, data: Uint8Array, headers: OutgoingHeaders, reply?: string): SendOutcome {
    const { bytes, hdrs } = encodeHeaders(headers);
    const limit = this.longestMessage;
    const size = bytes.length + data.length;
    if (size > limit) return { isSent: false, bytes: size, limit };
    gatherWrites(this.connection);
    this.connection.publish(subject, data, reply === undefined ? { headers: hdrs } : { headers: hdrs, reply });
    return { isSent: true };
  }

  /** `take` must not throw: it runs inside the library's socket handler. */
  subscribe(subject: string, queue: string | undefined, take: (message: Msg) => void): Subscription {
    const callback = (error: Error | null, message: Msg): void => {
      if (!error) take(message);
    };
    return this.connection.subscribe(subject, queue === undefined ? { callback } : { callback, queue });
  }

  /**
   * Resolves with true when the server has received all messages and subscriptions sent so far. Waits for a connection
   * if necessary. False after `milliseconds`.
   */
  async flush(milliseconds = times.flush): Promise<boolean> {
    const startedAt = this.clock.monotonic();
    for (;;) {
      const left = milliseconds - (this.clock.monotonic() - startedAt);
      if (left <= 0 || !(await this.whenConnected(left))) return false;
      // Rejects if the connection breaks before the flush.
      const done = this.connection.flush().then(
        () => true,
        () => false,
      );
      const outcome = await this.within(done, left);
      if (outcome !== false) return outcome ?? false;
    }
  }

  /** Logs a warning, at most once a minute for each key. */
  warnRarely(key: string, fields: object, text: string): void {
    this.rarely.log(key, (suppressed) => this.logger.warn({ ...fields, suppressed }, text));
  }

  async close(): Promise<void> {
    if (this.closed) return;
    if (this.presence.isThere) await this.flush();
    this.closed = true;
    this.lost();
    this.presence.wake();
    await this.within(this.connection.close(), times.flush);
    // A dead server never reads the pending bytes; the process must be able to end.
    cutSocket(this.connection);
  }

  /** Undefined on timeout. */
  private within<T>(promise: Promise<T>, milliseconds: number): Promise<T | undefined> {
    return new Promise((resolve, reject) => {
      const timer = this.clock.after(milliseconds, () => resolve(undefined));
      promise.then(resolve, reject).finally(() => timer.cancel());
    });
  }

  private async watch(): Promise<void> {
    for await (const status of this.connection.status()) this.follow(status);
  }

  private follow(status: Status): void {
    switch (status.type) {
      case 'disconnect':
        if (!this.presence.isThere || this.closed) return;
        this.presence.set(false);
        this.logger.warn('the connection to the bus is lost; reconnecting');
        return this.lost();
      case 'reconnect':
        return this.returned();
      case 'staleConnection':
        this.logger.warn('the server of the bus is silent');
        this.clock.after(times.cut, () => {
          if (this.presence.isThere) cutSocket(this.connection);
        });
        return;
      case 'error':
        return this.failed(status.error);
      default:
        return;
    }
  }

  private lost(): void {
    this.observer?.connectionChanged?.(false);
    for (const listener of this.listeners) listener.disconnected();
  }

  private returned(): void {
    if (this.presence.isThere || this.closed) return;
    this.logger.info('the connection to the bus is back');
    this.observer?.connectionChanged?.(true);
    this.observer?.reconnected?.();
    this.checkPayload();
    this.presence.set(true);
  }

  private failed(error: Error): void {
    const { operation, subject } = error as { operation?: string; subject?: string };
    this.warnRarely(
      `${error.name} ${operation ?? ''} ${subject ?? ''}`,
      { err: error },
      'the server of the bus reports an error',
    );
    if (operation !== 'publish' || subject === undefined) return;
    for (const listener of this.listeners) listener.publishRefused(subject);
  }

  private checkPayload(): void {
    const limit = this.longestMessage;
    if (limit >= wantedPayload) return;
    this.warnRarely(
      'max_payload',
      { maxPayload: limit },
      'the NATS server takes messages of less than 8 MB: set max_payload: 8MB in its configuration, or large blocks cannot travel',
    );
  }
}
