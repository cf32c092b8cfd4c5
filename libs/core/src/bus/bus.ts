import { type ClientProxy, type CustomTransportStrategy, type Server } from '@nestjs/microservices';
import { type ErrorData } from '../errors/index.js';
import { type Logger } from '../observability/index.js';
import { type BusRouting } from './routing.js';
import { type Sender } from './sender.js';

export interface RequestOptions {
  /** Milliseconds until the caller gets `unavailable`. */
  readonly deadlineMs: number;
  /** Names the responder in the error: `group-node 2`; `data` goes into it (`{ group: 2 }`). */
  readonly responder?: { readonly name: string; readonly data?: ErrorData };
}

/**
 * The sending side of the bus. Payloads and replies may hold Uint8Array; they are immutable from the moment they are
 * handed over, because in one process they are passed by reference.
 */
export interface Bus {
  readonly sender: Sender;
  /**
   * Asks and waits for the answer. Throws only ServiceError: what the responder threw, `unavailable` without a responder
   * (`NoResponder`, at once), in time (`DeadlineExceeded`) or without a bus (`BusUnavailable`). After the last two it is
   * not known whether the responder has done what was asked.
   */
  request(subject: string, payload: unknown, options: RequestOptions): Promise<unknown>;
  /** A hint to whoever listens: it may be lost, repeated or reordered, and never throws. */
  publish(subject: string, payload: unknown): void;
}

export interface JoinOptions {
  readonly sender: Sender;
  /** Needed by a service with handlers: patterns of its decorators to subjects. */
  readonly routing?: BusRouting;
  readonly logger: Logger;
  /** ObserveResponse of every request that this side made, for metrics. */
  readonly observer?: BusObserver;
}

/** Why a message that arrived was not given to its handler. */
export type RefusalReason = 'undecodable' | 'schema' | 'sender';
/** Why an event was not sent: it is a hint, whoever needs it asks for it. */
export type DropReason = 'disconnected' | 'congested' | 'too-large' | 'unencodable';

export interface BusObserver {
  requestEnded(subject: string, outcome: 'ok' | string, seconds: number): void;
  /** `pattern`: that of the handler, never a subject, which a stranger may make up. */
  messageRefused?(pattern: string, reason: RefusalReason): void;
  publishDropped?(reason: DropReason): void;
  /** ObserveResponse once after the join, and at each change. */
  connectionChanged?(isConnected: boolean): void;
  /** A connection that was lost is back. */
  reconnected?(): void;
}

/** A service's place on the bus. */
export interface BusConnection {
  readonly bus: Bus;
  /** Give it to the framework as `strategy`; its `listen` opens the subscriptions, its `close` ends them. */
  readonly server: Server & CustomTransportStrategy;
  /** The framework's own client over the same bus; `Bus` is faster and has deadlines for each request. */
  readonly client: ClientProxy;
  /** False while the bus cannot be reached: requests are `unavailable` then, events are dropped. In one process: true. */
  readonly isConnected: boolean;
  /** Names the bus: two members with other names cannot hear each other. Undefined in one process, and while it is away. */
  readonly busId?: string | undefined;
  close(): Promise<void>;
}

/** Port with two adapters: `createInProcessNetwork` and `openNatsNetwork`. */
export interface BusNetwork {
  join(options: JoinOptions): Promise<BusConnection>;
  close(): Promise<void>;
}
