import { currentRequestId } from '../../observability/index.js';
import { systemClock, type Clock } from '../../lifecycle/clock.js';
import { type Bus, type BusConnection, type BusNetwork, type JoinOptions, type RequestOptions } from '../bus.js';
import { BusClientProxy } from '../bus-client-proxy.js';
import { deadlineExceeded, noResponder } from '../bus-errors.js';
import { observed } from '../observed-request.js';
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
  let closed = false;

  const join = async (options: JoinOptions): Promise<BusConnection> => {
    const server = new InProcessServer(options, subscriptions);
    let left = false;
    const isOpen = (): boolean => !closed && !left;
    const bus: Bus = {
      sender: options.sender,
      request: (subject, payload, request) => {
        const message = {
          subject,
          payload,
          sender: options.sender,
          requestId: currentRequestId(),
          deadlineMs: request.deadlineMs,
        };
        const outcome = ask(isOpen() ? subscriptions : undefined, clock, chaos, message, request);
        return options.observer ? observed(outcome, options.observer, clock, subject) : outcome;
      },
      publish: (subject, payload) => {
        if (!isOpen()) return;
        const message = { subject, payload, sender: options.sender, requestId: currentRequestId() };
        for (const listener of subscriptions.listeners(subject)) events.send(listener, message, chaos?.arrivals());
      },
    };
    const close = async (): Promise<void> => {
      left = true;
      await server.close();
    };
    options.observer?.connectionChanged?.(true);
    return { bus, server, client: new BusClientProxy(bus), isConnected: true, close };
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
    idle: () => events.idle(),
  };
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
