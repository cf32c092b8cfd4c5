import { BaseRpcContext } from '@nestjs/microservices';
import { type Sender } from './sender.js';

/** A message as the receiving side gets it from the transport. */
export interface IncomingMessage {
  readonly subject: string;
  readonly payload: unknown;
  readonly sender: Sender;
  readonly requestId?: string | undefined;
  /** The step of a trace that it is a part of, as in `Span`. */
  readonly traceparent?: string | undefined;
  /** Milliseconds that the caller waits; requests only. */
  readonly deadlineMs?: number;
}

/** Second argument of every handler. */
export class BusContext extends BaseRpcContext<[IncomingMessage]> {
  constructor(message: IncomingMessage) {
    super([message]);
  }
  get subject(): string {
    return this.args[0].subject;
  }
  get sender(): Sender {
    return this.args[0].sender;
  }
  get requestId(): string | undefined {
    return this.args[0].requestId;
  }
  get deadlineMs(): number | undefined {
    return this.args[0].deadlineMs;
  }
}
