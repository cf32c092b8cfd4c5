import { BaseRpcContext } from '@nestjs/microservices';
import { type Sender } from './sender.js';

/** A message as the transport delivers it. */
export interface IncomingMessage {
  readonly subject: string;
  readonly payload: unknown;
  readonly sender: Sender;
  readonly requestId?: string | undefined;
  /** Client of the request, as in `RequestContext`. */
  readonly client?: string | undefined;
  /** Parent span of the message, as in `Span`. */
  readonly traceparent?: string | undefined;
  /** Chosen by a caller that is no service of ours; the reply repeats it. */
  readonly traceId?: string | undefined;
  /** Milliseconds until the caller's deadline; requests only. */
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
