import { randomBytes } from 'node:crypto';
import { type Logger, currentContext } from '../../observability/index.js';
import { systemClock, type Clock } from '../../lifecycle/clock.js';
import { BusClientProxy } from '../bus-client-proxy.js';
import {
  type Bus,
  type BusConnection,
  type BusNetwork,
  type DropReason,
  type JoinOptions,
  type PublishOptions,
} from '../bus.js';
import { observed } from '../observed-request.js';
import { tracedRequest } from '../traced-messages.js';
import { senderName } from '../sender.js';
import { connectTo, type NatsAccess, type NatsServers } from './connect.js';
import { encodeFrame } from '../frame.js';
import { inboxOf } from './inbox.js';
import { NatsLink } from './nats-link.js';
import { NatsRequests } from './nats-requests.js';
import { NatsServer } from './nats-server.js';

export interface NatsNetworkOptions extends NatsAccess {
  readonly logger: Logger;
  /** Milliseconds within which a joining member must connect to a server. Default 15,000. */
  readonly connectWithinMs?: number;
  readonly clock?: Clock;
}

/** Bytes; with more unsent, events are dropped (09-cluster §7). */
const congestion = 8 * 1024 * 1024;

/**
 * The bus over NATS. Every member has its own connection. A lost connection is restored with all subscriptions, with
 * retries without limit. During an outage new requests wait up to a second and then fail with `unavailable`; requests
 * in flight fail at once; events are dropped and counted.
 */
export const openNatsNetwork = (options: NatsNetworkOptions): BusNetwork => {
  const clock = options.clock ?? systemClock;
  const servers: NatsServers = { ...options, connectWithinMs: options.connectWithinMs ?? 15_000 };
  const members: BusConnection[] = [];
  return {
    join: async (joining) => {
      const member = await join(joining, servers, clock);
      members.push(member);
      return member;
    },
    close: async () => {
      await Promise.all(members.splice(0).map((member) => member.close()));
    },
  };
};

const join = async (options: JoinOptions, servers: NatsServers, clock: Clock): Promise<BusConnection> => {
  const name = senderName(options.sender);
  const prefix = inboxOf(servers.user ?? name);
  const connection = await connectTo(name, prefix, servers, clock);
  const link = new NatsLink(connection, name, clock, options.logger, options.observer);
  const inbox = `${prefix}.${randomBytes(12).toString('hex')}`;
  const requests = new NatsRequests(link, inbox, clock);
  const answers = link.subscribe(`${inbox}.*`, undefined, (message) => requests.take(message));
  if (!(await link.flush(servers.connectWithinMs)) || answers.isClosed()) {
    await link.close();
    throw new Error(`the NATS server does not let ${name} listen to ${inbox}.*: check the permissions of its user`);
  }
  const server = new NatsServer(options, link, clock, servers.connectWithinMs);
  const bus: Bus = {
    sender: options.sender,
    request: (subject, payload, request) => {
      const outcome = tracedRequest(subject, () => requests.ask(subject, payload, request));
      return options.observer ? observed(outcome, options.observer, clock, subject) : outcome;
    },
    publish: (subject, payload, how) => publish(link, options, { subject, payload, ...how }),
  };
  return {
    bus,
    server,
    client: new BusClientProxy(bus),
    get isConnected() {
      return link.isConnected;
    },
    get busId() {
      return link.busId;
    },
    get longestMessage() {
      return link.longestMessage;
    },
    close: async () => {
      await server.close();
      await link.close();
    },
  };
};

interface Event {
  readonly subject: string;
  readonly payload: unknown;
}

/** Never throws: a dropped event is counted, and logged once a minute. */
const publish = (
  link: NatsLink,
  { observer, logger }: JoinOptions,
  { subject, payload, id, despiteCongestion = false }: Event & PublishOptions,
): void => {
  const drop = (reason: DropReason, fields: object = {}): void => {
    observer?.publishDropped?.(reason);
    // Our own subjects only, so the number of keys is bounded by the chains of the groups.
    link.warnRarely(`drop ${reason} ${subject}`, { subject, reason, ...fields }, 'event dropped');
  };
  try {
    if (!link.isConnected) return drop('disconnected');
    if (link.bytesWaiting > congestion && !despiteCongestion)
      return drop('congested', { bytesWaiting: link.bytesWaiting });
    const frame = encodeFrame(payload);
    const context = currentContext();
    const traceparent = context?.span?.traceparent;
    const headers = {
      sender: link.name,
      lengths: frame.lengths,
      requestId: context?.requestId,
      traceparent,
      messageId: id,
    };
    const outcome = link.send(subject, frame.data, headers);
    if (!outcome.isSent) drop('too-large', { bytes: outcome.bytes, limit: outcome.limit });
  } catch (error) {
    observer?.publishDropped?.('unencodable');
    logger.warn({ err: error, subject }, 'event cannot be sent');
  }
};
