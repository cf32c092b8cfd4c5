import { runForRequest, type Logger } from '../../observability/index.js';
import { type IncomingMessage } from '../bus-context.js';
import { busUnavailable, senderNotPermitted } from '../bus-errors.js';
import { type BusConnection, type BusNetwork, type BusObserver } from '../bus.js';
import { encodeFrame } from '../frame.js';
import { type Subscription } from '../in-process/subscriptions.js';
import { senderName, type Sender } from '../sender.js';
import { type Channel } from './channel.js';
import { type CarriedMessage, type FarSubscription, type FromMember, type ToMember } from './channel-messages.js';
import { OpenResponses, payloadOf, respond, sizeOf } from './open-responses.js';

/** Bytes; with more on their way, events are dropped (09-cluster §7). */
const congestion = 8 * 1024 * 1024;

export interface FarMembersOptions {
  /** The channel is one service's: other names are refused. Receivers check what this name may send. */
  readonly sender: Sender;
  readonly logger: Logger;
  readonly observer?: BusObserver;
}

/** What the members at the far side need of the network in this process. */
export interface NetworkParts {
  readonly join: BusNetwork['join'];
  add(subscription: Subscription): void;
  remove(subscription: Subscription): void;
}

/** A member at the far side of a channel, as a member of the network in this process. */
interface FarMember {
  readonly connection: BusConnection;
  open: Subscription[];
}

/**
 * Serves the service at the far side of a channel as if it were in this process, until the channel ends: permissions,
 * deadlines and errors are those of the network. Its payloads travel in the form that they have over NATS.
 */
export const serveFarMembers = (channel: Channel, network: NetworkParts, options: FarMembersOptions): void => {
  const members = new Map<number, Promise<FarMember | undefined>>();
  const responses = new OpenResponses();
  const { sender, observer, logger } = options;

  const deliver = (member: number, key: number, message: IncomingMessage, id?: number): void => {
    const { payload, ...rest } = message;
    const frame = encodeFrame(payload);
    const carried: ToMember = { type: 'deliver', member, key, id, message: { ...rest, frame } };
    channel.send(carried, sizeOf(frame));
  };
  const subscriptionOf = (member: number, { key, ...rest }: FarSubscription): Subscription => ({
    ...rest,
    owner: sender,
    handle: async (message) => {
      if (rest.kind === 'request')
        return responses.expect(message.subject, (id) => deliver(member, key, message, id)).response;
      if (channel.bytesWaiting > congestion) observer?.publishDropped?.('congested');
      else deliver(member, key, message);
      return undefined;
    },
  });
  const leave = async (number: number): Promise<void> => {
    const member = await members.get(number);
    members.delete(number);
    for (const subscription of member?.open ?? []) network.remove(subscription);
    await member?.connection.close();
  };
  const join = async (wanted: Sender): Promise<FarMember | undefined> => {
    if (senderName(wanted) !== senderName(sender)) {
      logger.error({ wanted: senderName(wanted), sender: senderName(sender) }, 'the channel is that of another service');
      return undefined;
    }
    return { connection: await network.join({ sender, logger, ...(observer && { observer }) }), open: [] };
  };
  const listen = async (number: number, open: readonly FarSubscription[]): Promise<void> => {
    const member = await members.get(number);
    if (!member) return;
    for (const subscription of member.open) network.remove(subscription);
    member.open = open.map((one) => subscriptionOf(number, one));
    for (const subscription of member.open) network.add(subscription);
  };
  /** Sends as the member, under the id of the request that it serves. */
  const asMember = async <T>(
    number: number,
    { requestId, client, subject }: CarriedMessage,
    send: (bus: BusConnection['bus']) => Promise<T> | T,
  ): Promise<T> => {
    const member = await members.get(number);
    if (!member) throw senderNotPermitted(sender, subject);
    return runForRequest({ requestId, client }, async () => send(member.connection.bus));
  };
  const take = async (message: FromMember): Promise<void> => {
    switch (message.type) {
      case 'join': {
        members.set(message.member, join(message.sender));
        return;
      }
      case 'leave':
        return leave(message.member);
      case 'listen':
        return respond(channel, message.id, 'the subscriptions', listen(message.member, message.open));
      case 'request': {
        const { subject, frame } = message.message;
        const outcome = asMember(message.member, message.message, (bus) =>
          bus.request(subject, payloadOf(frame), message.options),
        );
        return respond(channel, message.id, subject, outcome);
      }
      case 'publish': {
        const { subject, frame } = message.message;
        return asMember(message.member, message.message, (bus) => bus.publish(subject, payloadOf(frame)));
      }
      case 'reply':
      case 'failure':
        return responses.take(message);
    }
  };
  channel.listen(
    (message) =>
      void take(message as FromMember).catch((error: unknown) => logger.error({ err: error }, 'message refused')),
    () => {
      responses.failAll((subject) => busUnavailable(subject, { deadlineMs: 0 }, 'was lost before the answer'));
      for (const number of members.keys()) void leave(number);
    },
  );
};
