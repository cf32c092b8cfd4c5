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

export interface PublishOptions {
  /** Lets receivers recognise a duplicate; the header `Nats-Msg-Id`. */
  readonly id?: string;
  /** Sent also while many bytes are unsent: for small, rare events by which receivers notice that they lack others. */
  readonly despiteCongestion?: boolean;
}

/**
 * The sending side of the bus. Payloads and replies may hold Uint8Array; they are immutable from the moment they are
 * handed over, because in one process they are passed by reference.
 */
export interface Bus {
  readonly sender: Sender;
  /**
   * Sends a request and waits for the response. Throws only ServiceError: the responder's own error, or `unavailable`
   * without a responder (`NoResponder`, at once), after the deadline (`DeadlineExceeded`) or without a bus
   * (`BusUnavailable`). After the last two it is unknown whether the responder has executed the request.
   */
  request(subject: string, payload: unknown, options: RequestOptions): Promise<unknown>;
  /** Publishes a hint to all listeners. The event may be lost, repeated or reordered. Never throws. */
  publish(subject: string, payload: unknown, options?: PublishOptions): void;
}

export interface JoinOptions {
  readonly sender: Sender;
  /** Maps the patterns of the decorators to subjects. Required for a service with handlers. */
  readonly routing?: BusRouting;
  readonly logger: Logger;
  /** Called for every request that this side sent and for its connection, for metrics. */
  readonly observer?: BusObserver;
}

/** Why a received message did not reach its handler. */
export type RefusalReason = 'undecodable' | 'schema' | 'sender';
/** Why an event was not sent. An event is a hint: its receivers can read the data themselves. */
export type DropReason = 'disconnected' | 'congested' | 'too-large' | 'unencodable';

export interface BusObserver {
  requestEnded(subject: string, outcome: 'ok' | string, seconds: number): void;
  /** `pattern`: that of the handler, never a subject, because a sender can invent subjects. */
  messageRefused?(pattern: string, reason: RefusalReason): void;
  publishDropped?(reason: DropReason): void;
  /** Called once after the join, and at each change. */
  connectionChanged?(isConnected: boolean): void;
  /** A connection that was lost is back. */
  reconnected?(): void;
}

/** A service's connection to the bus. */
export interface BusConnection {
  readonly bus: Bus;
  /** The `strategy` for the framework; its `listen` opens the subscriptions, its `close` ends them. */
  readonly server: Server & CustomTransportStrategy;
  /** The framework's own client over the same bus. `Bus` is faster and has a deadline for each request. */
  readonly client: ClientProxy;
  /** False while the bus is unreachable: requests are `unavailable`, events are dropped. In one process: true. */
  readonly isConnected: boolean;
  /**
   * Identifies the bus: members with different ids cannot reach each other. Undefined in one process, and while the bus
   * is unreachable.
   */
  readonly busId?: string | undefined;
  /** Bytes of the largest message that the bus carries now; undefined in one process, where there is no limit. */
  readonly longestMessage?: number | undefined;
  close(): Promise<void>;
}

/** Port with two adapters: `createInProcessNetwork` and `openNatsNetwork`. */
export interface BusNetwork {
  join(options: JoinOptions): Promise<BusConnection>;
  close(): Promise<void>;
}
