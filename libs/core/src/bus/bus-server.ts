import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { Server, type CustomTransportStrategy, type MessageHandler } from '@nestjs/microservices';
import { isObservable, lastValueFrom, throwError, type Observable } from 'rxjs';
import { brokenError, errorOfFrame, frameOfError, ServiceError } from '../errors/index.js';
import { type Clock } from '../lifecycle/clock.js';
import { LogLimiter } from '../observability/index.js';
import { BusContext, type IncomingMessage } from './bus-context.js';
import { type JoinOptions, type RefusalReason } from './bus.js';
import { senderName, type Sender } from './sender.js';
import { invalidMessage, overloaded, senderNotPermitted } from './bus-errors.js';
import { type BusRoute } from './routing.js';
import { tracedMessage } from './traced-messages.js';

/** Longest sender name in the log, in characters. */
const longestSenderName = 100;

/** Limit on requests in flight of a member; one more is refused. Each holds some kilobytes until its handler ends. */
export const mostRequestsAtOnce = 10_000;

/** A handler of the framework with this member's route for its pattern. */
export interface RoutedHandler {
  readonly pattern: string;
  readonly kind: 'request' | 'event';
  readonly route: BusRoute;
  readonly handler: MessageHandler;
}

/**
 * The receiving side shared by both adapters: permissions, request id, errors. An adapter opens the subscriptions in
 * `listen` and calls `answer` or `take` for each message.
 */
export abstract class BusServer extends Server implements CustomTransportStrategy {
  /** This class awaits event handlers and logs their errors. */
  override readonly propagatesEventHandlerErrors = true;
  private readonly refusals: LogLimiter;
  private serving = 0;

  constructor(
    protected readonly options: JoinOptions,
    protected readonly clock: Clock,
  ) {
    super();
    this.refusals = new LogLimiter(clock);
  }

  abstract override listen(callback: (error?: unknown) => void): Promise<void>;
  abstract override close(): Promise<void>;
  override on(): void {}
  override unwrap<T>(): T {
    throw new Error('the bus has no underlying server to hand out');
  }

  /** All handlers registered by the decorators. Throws for a pattern without a route: a typing error in a table. */
  protected routedHandlers(): RoutedHandler[] {
    return [...this.getHandlers()].map(([pattern, handler]) => {
      const kind = handler.isEventHandler ? 'event' : 'request';
      const route = this.options.routing?.(pattern, kind);
      if (!route) throw new Error(`${senderName(this.options.sender)} has no route for the ${kind} ${pattern}`);
      return { pattern, kind, route, handler };
    });
  }

  /** Serves a request. Rejects with ServiceError only, as over a network. */
  protected async answer(routed: RoutedHandler, message: IncomingMessage): Promise<unknown> {
    this.serving++;
    try {
      if (this.serving > mostRequestsAtOnce) throw overloaded(this.options.sender);
      const refusal = this.refusalOf(routed, message);
      if (refusal) throw refusal;
      return await this.run(routed, message);
    } catch (error) {
      const known = this.knownError(routed, message, error);
      throw routed.route.publicErrors?.publicOf(known) ?? known;
    } finally {
      this.serving--;
    }
  }

  /** As over a network. A fault of the handler is logged and has no details. */
  private knownError(routed: RoutedHandler, message: IncomingMessage, error: unknown): ServiceError {
    if (error instanceof ServiceError) return errorOfFrame(frameOfError(error));
    this.options.logger.error(this.fields(routed, message, error), 'request handler failed');
    return brokenError(message.requestId);
  }

  /** Serves an event. Never rejects. */
  protected async take(routed: RoutedHandler, message: IncomingMessage): Promise<void> {
    try {
      if (this.refusalOf(routed, message)) return;
      await this.run(routed, message);
    } catch (error) {
      this.refusals.log(`${routed.pattern} failed ${senderName(message.sender)}`, (suppressed) =>
        this.options.logger.warn({ ...this.fields(routed, message, error), suppressed }, 'event handler failed'),
      );
    }
  }

  /**
   * Counts a refused message. Logs it once a minute for each pattern, reason and sender. An adapter calls it for a
   * message that it cannot decode. `problem` holds no part of the message.
   */
  protected countRefused(pattern: string, reason: RefusalReason, sender: Sender | undefined, problem: string): void {
    this.options.observer?.messageRefused?.(pattern, reason);
    const from = sender && senderName(sender).slice(0, longestSenderName);
    this.refusals.log(`${pattern} ${reason} ${from}`, (suppressed) =>
      this.options.logger.warn({ pattern, reason, sender: from, problem, suppressed }, 'message refused'),
    );
  }

  /** Checks the permission first: the payload of an unknown sender is not read. */
  private refusalOf({ pattern, route }: RoutedHandler, message: IncomingMessage): ServiceError | undefined {
    const { sender, subject, payload } = message;
    if (!route.maySend(sender, subject)) {
      this.countRefused(pattern, 'sender', sender, 'the sender may not send this');
      return senderNotPermitted(sender, subject);
    }
    const problem = route.check?.(payload, subject);
    if (problem === undefined) return undefined;
    this.countRefused(pattern, 'schema', sender, problem);
    return invalidMessage(pattern, problem);
  }

  private async run(routed: RoutedHandler, message: IncomingMessage): Promise<unknown> {
    const context = new BusContext(message);
    return tracedMessage(this.options.sender, message, async () => {
      const result: unknown = await routed.handler(message.payload as never, context);
      const reply: unknown = isObservable(result) ? await lastValueFrom(result, { defaultValue: undefined }) : result;
      // Here the log line gets the id of the request.
      if (routed.kind === 'request') this.options.logger.debug({ pattern: routed.pattern }, 'request served');
      return reply;
    });
  }

  private fields(routed: RoutedHandler, message: IncomingMessage, error: unknown): object {
    return { err: error, pattern: routed.pattern, sender: senderName(message.sender), requestId: message.requestId };
  }
}

/** Passes a handler's error on unchanged; the framework's own filter would reduce it to a text. */
@Catch()
export class BusErrorFilter implements ExceptionFilter {
  catch(error: unknown, _host: ArgumentsHost): Observable<never> {
    return throwError(() => error);
  }
}
