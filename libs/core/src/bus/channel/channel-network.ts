import { type ServiceError } from '../../errors/index.js';
import { systemClock, type Clock } from '../../lifecycle/clock.js';
import { currentContext } from '../../observability/index.js';
import { busUnavailable, deadlineExceeded, noResponder, unencodable } from '../bus-errors.js';
import { BusClientProxy } from '../bus-client-proxy.js';
import { type Bus, type BusConnection, type BusNetwork, type JoinOptions, type RequestOptions } from '../bus.js';
import { encodeFrame } from '../frame.js';
import { observed } from '../observed-request.js';
import { tracedRequest } from '../traced-messages.js';
import { type Channel } from './channel.js';
import { type CarriedMessage, type FarSubscription, type FromMember, type ToMember } from './channel-messages.js';
import { ChannelServer } from './channel-server.js';
import { OpenResponses, respond, sizeOf } from './open-responses.js';

/** The far end of a channel: what its members share. */
interface FarEnd {
  readonly channel: Channel;
  readonly clock: Clock;
  readonly responses: OpenResponses;
  /** Receivers of the members that joined, by their numbers. */
  readonly servers: Map<number, ChannelServer>;
  hasEnded: boolean;
}

/**
 * The bus of another process or thread, which this one reaches over a channel: its network serves the members here as its
 * own (`InProcessNetwork.serve`). Payloads have the form that they have over NATS. When the channel ends, requests are
 * `unavailable` and events are dropped, for ever.
 */
export const openChannelNetwork = (channel: Channel, clock: Clock = systemClock): BusNetwork => {
  const end: FarEnd = { channel, clock, responses: new OpenResponses(), servers: new Map(), hasEnded: false };
  let joined = 0;
  channel.listen(
    (message) => take(end, message as ToMember),
    () => {
      end.hasEnded = true;
      end.responses.failAll(lost);
    },
  );
  const send = (message: FromMember, bytes = 0): void => channel.send(message, bytes);
  return {
    join: async (options) => join(end, ++joined, options, send),
    close: async () => {
      for (const member of end.servers.keys()) send({ type: 'leave', member });
      end.servers.clear();
    },
  };
};

const lost = (subject: string): ServiceError =>
  busUnavailable(subject, { deadlineMs: 0 }, 'was lost before the answer');

const take = ({ channel, servers, responses }: FarEnd, message: ToMember): void => {
  if (message.type !== 'deliver') return responses.take(message);
  const { member, key, id, message: carried } = message;
  const server = servers.get(member);
  const outcome = server ? server.deliver(key, carried) : Promise.resolve();
  if (id !== undefined) void respond(channel, id, carried.subject, outcome);
};

const join = (
  end: FarEnd,
  member: number,
  options: JoinOptions,
  send: (message: FromMember, bytes?: number) => void,
): BusConnection => {
  const { clock, responses } = end;
  const listenTo = (open: readonly FarSubscription[]): Promise<unknown> =>
    end.hasEnded
      ? Promise.resolve()
      : responses.expect('the subscriptions', (id) => send({ type: 'listen', member, id, open })).response;
  const server = new ChannelServer(options, clock, listenTo);
  end.servers.set(member, server);
  send({ type: 'join', member, sender: options.sender });
  options.observer?.connectionChanged?.(true);
  const bus = memberBus(end, member, options, send);
  return {
    bus,
    server,
    client: new BusClientProxy(bus),
    get isConnected() {
      return !end.hasEnded;
    },
    close: async () => {
      await server.close();
      if (end.servers.delete(member)) send({ type: 'leave', member });
    },
  };
};

const carriedMessage = (subject: string, payload: unknown, { sender }: JoinOptions): CarriedMessage => {
  const context = currentContext();
  return { subject, sender, frame: encodeFrame(payload), requestId: context?.requestId, client: context?.client };
};

/** A member's sending side. */
const memberBus = (
  end: FarEnd,
  member: number,
  options: JoinOptions,
  send: (message: FromMember, bytes: number) => void,
): Bus => {
  const { observer } = options;
  const isOpen = (): boolean => !end.hasEnded && end.servers.has(member);
  const ask = async (subject: string, payload: unknown, request: RequestOptions): Promise<unknown> => {
    if (!isOpen()) throw noResponder(subject, request);
    let message: CarriedMessage;
    try {
      message = carriedMessage(subject, payload, options);
    } catch {
      throw unencodable(`the request ${subject}`);
    }
    return withinDeadline(end, subject, request, (id) =>
      send({ type: 'request', member, id, message, options: request }, sizeOf(message.frame)),
    );
  };
  return {
    sender: options.sender,
    request: (subject, payload, request) => {
      const outcome = tracedRequest(subject, () => ask(subject, payload, request));
      return observer ? observed(outcome, observer, end.clock, subject) : outcome;
    },
    publish: (subject, payload) => {
      if (!isOpen()) return observer?.publishDropped?.('disconnected');
      let message: CarriedMessage;
      try {
        message = carriedMessage(subject, payload, options);
      } catch (error) {
        options.logger.warn({ err: error, subject }, 'event cannot be sent');
        return observer?.publishDropped?.('unencodable');
      }
      send({ type: 'publish', member, message }, sizeOf(message.frame));
    },
  };
};

/** The response, or the deadline, whichever comes first: the other process may be too busy to notice its own. */
const withinDeadline = (
  { clock, responses }: FarEnd,
  subject: string,
  options: RequestOptions,
  send: (id: number) => void,
): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const { response, forget } = responses.expect(subject, send);
    const timer = clock.after(options.deadlineMs, () => {
      forget();
      reject(deadlineExceeded(subject, options));
    });
    response.then(resolve, reject).finally(() => timer.cancel());
  });
