import { runForRequest, type Logger } from '../../observability/index.js';
import { type IncomingMessage } from '../bus-context.js';
import { busUnavailable, senderNotPermitted } from '../bus-errors.js';
import { type BusConnection, type BusNetwork, type BusObserver } from '../bus.js';
import { encodeFrame } from '../frame.js';
import { type Subscription, type Subscriptions } from '../in-process/subscriptions.js';
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

/** Parts of the network in this process that members at the far side need. */
export interface NetworkParts {
  readonly join: BusNetwork['join'];
  readonly subscriptions: Pick<Subscriptions, 'add' | 'remove'>;
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
export class FarMembers {
  private readonly members = new Map<number, Promise<FarMember | undefined>>();
  private readonly responses = new OpenResponses();

  constructor(
    private readonly channel: Channel,
    private readonly network: NetworkParts,
    private readonly options: FarMembersOptions,
  ) {
    channel.listen(
      (message) => void this.take(message as FromMember).catch((error: unknown) => this.refused(error)),
      () => this.ended(),
    );
  }

  private async take(message: FromMember): Promise<void> {
    switch (message.type) {
      case 'join':
        this.members.set(message.member, this.join(message.sender));
        return;
      case 'leave':
        return this.leave(message.member);
      case 'listen':
        return respond(this.channel, message.id, 'the subscriptions', this.listen(message.member, message.open));
      case 'request': {
        const { subject, frame } = message.message;
        const outcome = this.asMember(message.member, message.message, (bus) =>
          bus.request(subject, payloadOf(frame), message.options),
        );
        return respond(this.channel, message.id, subject, outcome);
      }
      case 'publish': {
        const { subject, frame } = message.message;
        return this.asMember(message.member, message.message, (bus) => bus.publish(subject, payloadOf(frame)));
      }
      case 'reply':
      case 'failure':
        return this.responses.take(message);
    }
  }

  private async join(wanted: Sender): Promise<FarMember | undefined> {
    const { sender, logger, observer } = this.options;
    if (senderName(wanted) !== senderName(sender)) {
      logger.error(
        { wanted: senderName(wanted), sender: senderName(sender) },
        'the channel is that of another service',
      );
      return undefined;
    }
    return { connection: await this.network.join({ sender, logger, ...(observer && { observer }) }), open: [] };
  }

  private async leave(number: number): Promise<void> {
    const member = await this.members.get(number);
    this.members.delete(number);
    for (const subscription of member?.open ?? []) this.network.subscriptions.remove(subscription);
    await member?.connection.close();
  }

  /** Replaces the subscriptions of a member. */
  private async listen(number: number, open: readonly FarSubscription[]): Promise<void> {
    const member = await this.members.get(number);
    if (!member) return;
    for (const subscription of member.open) this.network.subscriptions.remove(subscription);
    member.open = open.map((one) => this.subscriptionOf(number, one));
    for (const subscription of member.open) this.network.subscriptions.add(subscription);
  }

  private subscriptionOf(member: number, { key, ...rest }: FarSubscription): Subscription {
    return {
      ...rest,
      owner: this.options.sender,
      handle: async (message) => {
        if (rest.kind === 'request')
          return this.responses.expect(message.subject, (id) => this.deliver(member, key, message, id)).response;
        if (this.channel.bytesWaiting > congestion) this.options.observer?.publishDropped?.('congested');
        else this.deliver(member, key, message);
        return undefined;
      },
    };
  }

  private deliver(member: number, key: number, { payload, ...rest }: IncomingMessage, id?: number): void {
    const frame = encodeFrame(payload);
    const carried: ToMember = { type: 'deliver', member, key, id, message: { ...rest, frame } };
    this.channel.send(carried, sizeOf(frame));
  }

  /** Sends as the member, under the id of the request that it serves. */
  private async asMember<T>(
    number: number,
    { requestId, client, subject }: CarriedMessage,
    send: (bus: BusConnection['bus']) => Promise<T> | T,
  ): Promise<T> {
    const member = await this.members.get(number);
    if (!member) throw senderNotPermitted(this.options.sender, subject);
    return runForRequest({ requestId, client }, async () => send(member.connection.bus));
  }

  private refused(error: unknown): void {
    this.options.logger.error({ err: error }, 'message refused');
  }

  private ended(): void {
    this.responses.failAll((subject) => busUnavailable(subject, { deadlineMs: 0 }, 'was lost before the answer'));
    for (const number of this.members.keys()) void this.leave(number);
  }
}
