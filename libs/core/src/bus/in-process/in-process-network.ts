import { currentRequestId } from '../../observability/index.js';
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
import { busUnavailable, deadlineExceeded, noResponder } from '../bus-errors.js';
import { observed } from '../observed-request.js';
import { longestWaitForBus, Presence } from '../presence.js';
import { type IncomingMessage } from '../bus-context.js';
import { createChaos, type Chaos, type ChaosSettings } from './chaos.js';
import { EventDelivery } from './event-delivery.js';
import { InProcessServer } from './in-process-server.js';
import { Subscriptions } from './subscriptions.js';

export interface InProcessNetworkSettings {
  readonly chaos?: ChaosSettings;
  readonly clock?: Clock;
}

export interface InProcessNetwork extends BusNetwork {
  /** Changes what happens to messages from now on; undefined: they all arrive, once and in order. */
  setChaos(chaos: ChaosSettings | undefined): void;
  /** Takes the bus away from all members, or gives it back; what is under way goes on. */
  setReachable(isReachable: boolean): void;
  /** Resolves when every event published so far has been handled, with those that the handlers published. */
  idle(): Promise<void>;
}

/**
 * The bus of a network in one process: a call between services is a function call with the types, errors, deadlines and
 * permissions of the real bus (architecture, decision 17). Nothing is serialised.
 */
export const createInProcessNetwork = (settings: InProcessNetworkSettings = {}): InProcessNetwork => {
  const clock = settings.clock ?? systemClock;
  const subscriptions = new Subscriptions();
  const events = new EventDelivery(clock);
  let chaos: Chaos | undefined = settings.chaos && createChaos(settings.chaos);
  const presence = new Presence(clock);
  const observers: BusObserver[] = [];
  let closed = false;

  const join = async (options: JoinOptions): Promise<BusConnection> => {
    const server = new InProcessServer(options, clock, subscriptions);
    let left = false;
    const isOpen = (): boolean => !closed && !left;
    const bus = createBus({ subscriptions, events, presence, clock, chaos: () => chaos }, options, isOpen);
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
      answerAtOnce: (handlers) => server.answersAtOnce(handlers),
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
    setChaos: (next) => {
      chaos = next && createChaos(next);
    },
    setReachable: (isReachable) => {
      presence.set(isReachable);
      for (const observer of observers) observer.connectionChanged?.(isReachable);
    },
    idle: () => events.idle(),
  };
};

interface Wiring {
  readonly subscriptions: Subscriptions;
  readonly events: EventDelivery;
  readonly presence: Presence;
  readonly clock: Clock;
  chaos(): Chaos | undefined;
}

/** A member's sending side. `isOpen`: neither it nor the network was closed. */
const createBus = (wiring: Wiring, options: JoinOptions, isOpen: () => boolean): Bus => {
  const { subscriptions, events, presence, clock, chaos } = wiring;
  const { sender, observer } = options;
  return {
    sender,
    request: (subject, payload, request) => {
      const message = { subject, payload, sender, requestId: currentRequestId(), deadlineMs: request.deadlineMs };
      const send = (): Promise<unknown> => ask(isOpen() ? subscriptions : undefined, clock, chaos(), message, request);
      const outcome = presence.isThere || !isOpen() ? send() : whenBack(presence, subject, request, send);
      return observer ? observed(outcome, observer, clock, subject) : outcome;
    },
    atOnce: (subject, payload) => {
      // What may be lost or late, is asked for.
      if (!isOpen() || !presence.isThere || chaos()) return undefined;
      const startedAt = clock.monotonic();
      const reply = subscriptions.responder(subject)?.atOnce({ subject, payload, sender });
      if (reply !== undefined) observer?.requestEnded(subject, 'ok', (clock.monotonic() - startedAt) / 1000);
      return reply;
    },
    publish: (subject, payload) => {
      if (!isOpen()) return;
      if (!presence.isThere) return observer?.publishDropped?.('disconnected');
      const message = { subject, payload, sender, requestId: currentRequestId() };
      for (const listener of subscriptions.listeners(subject)) events.send(listener, message, chaos()?.arrivals());
    },
  };
};

/** As over a network: waits a while for the bus to come back. */
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

/** The answer, or the deadline, whichever comes first; a late answer is dropped, a late failure too. */
const ask = (
  subscriptions: Subscriptions | undefined,
  clock: Clock,
  chaos: Chaos | undefined,
  message: IncomingMessage,
  options: RequestOptions,
): Promise<unknown> => {
  const responder = subscriptions?.responder(message.subject);
  if (!responder) return Promise.reject(noResponder(message.subject, options));
  const fate = chaos?.requestFate() ?? 'delivered';
  return new Promise((resolve, reject) => {
    const timer = clock.after(options.deadlineMs, () => reject(deadlineExceeded(message.subject, options)));
    if (fate === 'question-lost') return;
    const settle = (finish: () => void): void => {
      if (fate === 'answer-lost') return;
      timer.cancel();
      finish();
    };
    responder.handle(message).then(
      (reply) => settle(() => resolve(reply)),
      (error: unknown) => settle(() => reject(error as Error)),
    );
  });
};
