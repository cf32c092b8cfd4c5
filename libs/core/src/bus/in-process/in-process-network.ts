import { currentContext } from '../../observability/index.js';
import { systemClock, type Clock } from '../../lifecycle/clock.js';
import {
  type Bus,
  type BusConnection,
  type BusNetwork,
  type BusObserver,
  type JoinOptions,
  type RequestOptions,
} from '../bus.js';
import { BusClientProxy } from '../bus-client-proxy.js';
import { type Channel } from '../channel/channel.js';
import { FarMembers, type FarMembersOptions } from '../channel/far-members.js';
import { busUnavailable, deadlineExceeded, noResponder } from '../bus-errors.js';
import { observed } from '../observed-request.js';
import { tracedRequest } from '../traced-messages.js';
import { longestWaitForBus, Presence } from '../presence.js';
import { type IncomingMessage } from '../bus-context.js';
import { EventDelivery } from './event-delivery.js';
import { type BusFaults, type MessageFate } from './faults.js';
import { InProcessServer } from './in-process-server.js';
import { type Sender } from '../sender.js';
import { type Subscription, Subscriptions } from './subscriptions.js';

/** Called for every message that the bus carries, responses included. */
type MessageLog = (fate: MessageFate, message: LoggedMessage) => void;

export interface LoggedMessage {
  readonly subject: string;
  readonly kind: 'event' | 'question' | 'answer' | 'failure';
  readonly from: Sender;
  readonly to: Sender;
  readonly payload: unknown;
}

export interface InProcessNetworkSettings {
  readonly faults?: BusFaults;
  readonly clock?: Clock;
  readonly log?: MessageLog;
}

export interface InProcessNetwork extends BusNetwork {
  /** Sets the faults of later messages; undefined: each message arrives once and in order. */
  setFaults(faults: BusFaults | undefined): void;
  /** Makes the bus unreachable or reachable for all members; messages in flight continue. */
  setReachable(isReachable: boolean): void;
  /** Serves a service in another process or thread as a member of this network, until the channel ends. */
  serve(channel: Channel, options: FarMembersOptions): void;
  /** Resolves when all events published so far are handled, including those that their handlers publish. */
  idle(): Promise<void>;
}

/**
 * The bus of a network in one process. A request is a function call with the types, errors, deadlines and permissions
 * of the real bus (architecture, decision 17). Nothing is serialised.
 */
export const createInProcessNetwork = (settings: InProcessNetworkSettings = {}): InProcessNetwork => {
  const clock = settings.clock ?? systemClock;
  const subscriptions = new Subscriptions();
  const { log } = settings;
  let { faults } = settings;
  const events = new EventDelivery(clock, (listener, message) => {
    const isThere = !faults?.isCut(message.sender, listener.owner);
    log?.(isThere ? 'delivered' : 'lost', logged('event', message, listener));
    return isThere;
  });
  const presence = new Presence(clock);
  const observers: BusObserver[] = [];
  let closed = false;

  const join = async (options: JoinOptions): Promise<BusConnection> => {
    const server = new InProcessServer(options, clock, subscriptions);
    let left = false;
    const isOpen = (): boolean => !closed && !left;
    const bus = createBus({ subscriptions, events, presence, clock, faults: () => faults, log }, options, isOpen);
    const close = async (): Promise<void> => {
      left = true;
      await server.close();
    };
    const { observer } = options;
    observer?.connectionChanged?.(presence.isThere);
    if (observer) observers.push(observer);
    return {
      bus,
      server,
      client: new BusClientProxy(bus),
      get isConnected() {
        return presence.isThere;
      },
      close,
    };
  };

  return {
    join,
    close: async () => {
      closed = true;
      await events.close();
    },
    setFaults: (next) => {
      faults = next;
    },
    setReachable: (isReachable) => {
      presence.set(isReachable);
      for (const observer of observers) observer.connectionChanged?.(isReachable);
    },
    serve: (channel, options) => void new FarMembers(channel, { join, subscriptions }, options),
    idle: () => events.idle(),
  };
};

/** Headers that the current request passes on to its messages. */
const passedOn = (): Pick<IncomingMessage, 'requestId' | 'client' | 'traceparent'> => {
  const context = currentContext();
  return { requestId: context?.requestId, client: context?.client, traceparent: context?.span?.traceparent };
};

interface Wiring {
  readonly subscriptions: Subscriptions;
  readonly events: EventDelivery;
  readonly presence: Presence;
  readonly clock: Clock;
  readonly log: MessageLog | undefined;
  faults(): BusFaults | undefined;
}

const logged = (
  kind: 'event' | 'question',
  { subject, sender, payload }: IncomingMessage,
  { owner }: Subscription,
): LoggedMessage => ({ subject, kind, from: sender, to: owner, payload });

/** A member's sending side. `isOpen`: neither the member nor the network is closed. */
const createBus = (wiring: Wiring, options: JoinOptions, isOpen: () => boolean): Bus => {
  const { subscriptions, events, presence, faults, clock, log } = wiring;
  const { sender, observer } = options;
  return {
    sender,
    request: (subject, payload, request) => {
      const send = (): Promise<unknown> =>
        tracedRequest(subject, () => {
          const message = { subject, payload, sender, ...passedOn(), deadlineMs: request.deadlineMs };
          return ask(wiring, isOpen(), message, request);
        });
      const outcome = presence.isThere || !isOpen() ? send() : whenBack(presence, subject, request, send);
      return observer ? observed(outcome, observer, clock, subject) : outcome;
    },
    publish: (subject, payload) => {
      if (!isOpen()) return;
      if (!presence.isThere) return observer?.publishDropped?.('disconnected');
      const message = { subject, payload, sender, ...passedOn() };
      for (const listener of subscriptions.listeners(subject)) {
        const arrivals = faults()?.arrivals(sender, listener.owner);
        if (log) logSent(log, logged('event', message, listener), arrivals?.length ?? 1);
        events.send(listener, message, arrivals);
      }
    },
  };
};

/** Waits a bounded time until the bus is reachable, as over a network. */
const whenBack = async (
  presence: Presence,
  subject: string,
  options: RequestOptions,
  again: () => Promise<unknown>,
): Promise<unknown> => {
  const wait = Math.min(options.deadlineMs, longestWaitForBus);
  if (await presence.whenThere(wait)) return again();
  throw busUnavailable(subject, options, `did not come back within ${wait} ms`);
};

const logSent = (log: MessageLog, message: LoggedMessage, times: number): void => {
  log('sent', message);
  if (times === 0) log('lost', message);
  if (times > 1) log('repeated', message);
};

/** Carries a request or a response: it arrives after the delay, unless the bus is unreachable then. */
const carry = (
  { clock, faults, log }: Pick<Wiring, 'clock' | 'faults' | 'log'>,
  message: LoggedMessage,
  isLost: boolean,
  arrive: () => void,
): void => {
  const { from, to } = message;
  if (!log && !faults()) return arrive();
  log?.('sent', message);
  const end = (): void => {
    const isThere = !isLost && !faults()?.isCut(from, to);
    log?.(isThere ? 'delivered' : 'lost', message);
    if (isThere) arrive();
  };
  const delay = faults()?.requestDelay(from, to) ?? 0;
  if (delay > 0) clock.after(delay, end);
  else end();
};

/** The response, or the deadline, whichever comes first. A late response or failure is dropped. */
const ask = (wiring: Wiring, isOpen: boolean, message: IncomingMessage, options: RequestOptions): Promise<unknown> => {
  const { subscriptions, clock, faults } = wiring;
  const { subject, sender, payload } = message;
  const responder = isOpen ? subscriptions.responder(subject) : undefined;
  if (!responder) return Promise.reject(noResponder(subject, options));
  const fate = faults()?.requestFate() ?? 'delivered';
  const { owner } = responder;
  return new Promise((resolve, reject) => {
    const timer = clock.after(options.deadlineMs, () => reject(deadlineExceeded(subject, options)));
    const settle = (kind: 'answer' | 'failure', said: unknown, finish: () => void): void => {
      const answer: LoggedMessage = { subject, kind, from: owner, to: sender, payload: said };
      carry(wiring, answer, fate === 'answer-lost', () => {
        timer.cancel();
        finish();
      });
    };
    const question: LoggedMessage = { subject, kind: 'question', from: sender, to: owner, payload };
    carry(wiring, question, fate === 'question-lost', () => {
      responder.handle(message).then(
        (reply) => settle('answer', reply, () => resolve(reply)),
        (error: unknown) => settle('failure', String(error), () => reject(error as Error)),
      );
    });
  });
};
