import { type Msg, type Subscription } from '@nats-io/transport-node';
import { frameOfError, ServiceError } from '../../errors/index.js';
import { type Clock } from '../../lifecycle/clock.js';
import { type JoinOptions } from '../bus.js';
import { BusServer, type RoutedHandler } from '../bus-server.js';
import { type IncomingMessage } from '../bus-context.js';
import { answerTooLarge, messageTooLarge, undecodableRequest, unencodable } from '../bus-errors.js';
import { decodeFrame, encodeFrame, type Frame, FrameError } from '../frame.js';
import { isInbox } from './inbox.js';
import { decodeHeaders } from './message-headers.js';
import { type NatsLink, wantedPayload } from './nats-link.js';

/** Deadline of a request that does not name one; milliseconds. */
const defaultDeadline = 5_000;
/** Milliseconds to drain requests in flight when the service stops; the same as for HTTP requests. */
const longestDrain = 10_000;

/** Where the reply to a request goes, and the id that it repeats. */
interface Caller {
  readonly reply: string;
  readonly traceId?: string | undefined;
}

/** The header and the body of an error as the route's callers expect them. */
const frameOf = ({ route: { publicErrors } }: RoutedHandler, error: ServiceError) => {
  if (publicErrors) return publicErrors.frameOf(publicErrors.publicOf(error));
  const { kind: header, body } = frameOfError(error);
  return { header, body };
};

/**
 * Receiving side over NATS. One member of the queue group serves a request; responses are sent as handlers finish.
 * Events are handled in order of arrival, without waiting for the handler of the previous one.
 */
export class NatsServer extends BusServer {
  private open: Subscription[] = [];
  /** Requests in flight, each with its deadline. */
  private readonly underWay = new Map<symbol, number>();
  private onIdle: (() => void) | undefined;

  constructor(
    options: JoinOptions,
    private readonly link: NatsLink,
    clock: Clock,
    /** Milliseconds within which the server must have received the subscriptions. */
    private readonly listenWithinMs: number,
  ) {
    super(options, clock);
  }

  override async listen(callback: (error?: unknown) => void): Promise<void> {
    try {
      this.open = this.routedHandlers().flatMap((routed) => this.subscribe(routed));
      if (!(await this.link.flush(this.listenWithinMs))) throw new Error('the NATS server does not take subscriptions');
      const refused = this.open.find((subscription) => subscription.isClosed());
      if (refused) {
        throw new Error(
          `the NATS server does not let ${this.link.name} listen to ${refused.getSubject()}: check its permissions`,
        );
      }
    } catch (error) {
      callback(error);
      return;
    }
    callback();
  }

  /** Takes no more messages and drains requests whose deadline has not passed. */
  override async close(): Promise<void> {
    for (const subscription of this.open) if (!subscription.isClosed()) subscription.unsubscribe();
    this.open = [];
    const latest = Math.min(longestDrain, Math.max(0, ...this.underWay.values()) - this.clock.monotonic());
    if (this.underWay.size === 0 || latest <= 0 || !this.link.isConnected) return;
    await new Promise<void>((resolve) => {
      const timer = this.clock.after(latest, resolve);
      this.onIdle = () => {
        timer.cancel();
        resolve();
      };
    });
  }

  private subscribe(routed: RoutedHandler): Subscription[] {
    const take = (message: Msg): void =>
      routed.kind === 'request' ? this.takeRequest(routed, message) : this.takeEvent(routed, message);
    return routed.route.subjects.map((subject) => this.link.subscribe(subject, routed.route.queue, take));
  }

  private takeEvent(routed: RoutedHandler, message: Msg): void {
    const incoming = this.read(routed, message);
    // `take` never rejects.
    if (!(incoming instanceof FrameError)) void this.take(routed, incoming);
  }

  private takeRequest(routed: RoutedHandler, message: Msg): void {
    const { reply } = message;
    if (!reply) return;
    if (!isInbox(reply)) {
      this.countRefused(routed.pattern, 'sender', undefined, 'its answer is to go to a subject that is no inbox');
      return;
    }
    const incoming = this.read(routed, message);
    if (incoming instanceof FrameError) {
      this.replyWithError(routed, { reply }, undecodableRequest(incoming.message));
      return;
    }
    const mark = Symbol(routed.pattern);
    this.underWay.set(mark, this.clock.monotonic() + (incoming.deadlineMs ?? defaultDeadline));
    void this.answer(routed, incoming)
      .then(
        (result) => this.reply(routed, { reply, traceId: incoming.traceId }, result),
        (error: unknown) => this.replyWithError(routed, { reply, traceId: incoming.traceId }, error as ServiceError),
      )
      // For example, the connection was closed at this moment: no response is possible, and the process must not end
      // because of it.
      .catch((error: unknown) =>
        this.options.logger.error({ err: error, pattern: routed.pattern }, 'no answer was sent'),
      )
      .finally(() => {
        this.underWay.delete(mark);
        if (this.underWay.size === 0) this.onIdle?.();
      });
  }

  /** The message, or the reason why it cannot be decoded; that is counted and logged. */
  private read(routed: RoutedHandler, message: Msg): IncomingMessage | FrameError {
    try {
      const { lengths, ...headers } = decodeHeaders(message, routed.route.publicErrors?.unnamedSender);
      const payload = decodeFrame(message.data, lengths);
      const { subject } = message;
      return { subject, payload, ...headers } as IncomingMessage;
    } catch (error) {
      const problem = error instanceof FrameError ? error : new FrameError('it is of no known form');
      this.countRefused(routed.pattern, 'undecodable', undefined, problem.message);
      return problem;
    }
  }

  private reply(routed: RoutedHandler, to: Caller, result: unknown): void {
    try {
      this.sendReply(routed, to, encodeFrame(result));
    } catch (error) {
      this.options.logger.error({ err: error, pattern: routed.pattern }, 'answer cannot be sent');
      this.replyWithError(routed, to, unencodable(`the answer to ${routed.pattern}`));
    }
  }

  private replyWithError(routed: RoutedHandler, to: Caller, error: ServiceError): void {
    const { header, body } = frameOf(routed, error);
    this.sendReply(routed, to, encodeFrame(body), header);
  }

  /** Without a connection the response is dropped: the requester has already received `BusUnavailable`. */
  private sendReply(routed: RoutedHandler, to: Caller, frame: Frame, errorKind?: string): void {
    if (!this.link.isConnected) return;
    const sender = this.link.name;
    const { reply, traceId } = to;
    const headers = { sender, traceId, lengths: frame.lengths, ...(errorKind === undefined ? {} : { errorKind }) };
    const outcome = this.link.send(reply, frame.data, headers);
    if (outcome.isSent) return;
    const { bytes, limit } = outcome;
    const fields = { pattern: routed.pattern, bytes, limit };
    this.link.warnRarely(`reply too large ${routed.pattern}`, fields, 'answer is larger than the bus carries');
    // A server configured with a lower limit is a fault on our side.
    const tooLarge = limit < wantedPayload ? messageTooLarge : answerTooLarge;
    const { header, body } = frameOf(routed, tooLarge(`the answer to ${routed.pattern}`, bytes, limit));
    this.link.send(reply, encodeFrame(body).data, { sender, traceId, lengths: undefined, errorKind: header });
  }
}
