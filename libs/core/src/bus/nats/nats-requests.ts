import { type Msg } from '@nats-io/transport-node';
import { randomUUID } from 'node:crypto';
import { errorOfFrame, type ErrorFrame, type PublicErrorBody, ServiceError } from '../../errors/index.js';
import { currentContext } from '../../observability/index.js';
import { type Clock, type Timer } from '../../lifecycle/clock.js';
import { type RequestOptions } from '../bus.js';
import {
  busUnavailable,
  deadlineExceeded,
  messageTooLarge,
  noResponder,
  publishRefused,
  undecodableReply,
  unencodable,
} from '../bus-errors.js';
import { longestWaitForBus } from '../presence.js';
import { decodeFrame, encodeFrame, type Frame, FrameError } from '../frame.js';
import { decodeHeaders, isNoResponder } from './message-headers.js';
import { type LinkListener, type NatsLink } from './nats-link.js';

/** Limit on bytes that the server has not read yet; above it the server is too slow or dead. */
const congestion = 64 * 1024 * 1024;

interface OpenRequest {
  readonly subject: string;
  readonly options: RequestOptions;
  readonly timer: Timer;
  resolve(reply: unknown): void;
  reject(error: ServiceError): void;
}

/**
 * The requesting side. One subscription receives the responses to all requests; the last token of the subject
 * identifies the request. The library's own requests create an error with a stack for each and fail late when the
 * connection breaks.
 */
export class NatsRequests implements LinkListener {
  private readonly open = new Map<string, OpenRequest>();

  /** `inbox`: this member's subject; responses arrive at `<inbox>.<token>`. */
  constructor(
    private readonly link: NatsLink,
    private readonly inbox: string,
    private readonly clock: Clock,
  ) {
    link.listen(this);
  }

  /** Takes a response and drops it if its request has ended. Never throws. */
  take(message: Msg): void {
    const token = message.subject.slice(this.inbox.length + 1);
    const request = this.open.get(token);
    if (!request) return;
    this.end(token, request);
    try {
      request.resolve(this.read(message, request));
    } catch (error) {
      if (error instanceof ServiceError) return request.reject(error);
      const problem = error instanceof FrameError ? error.message : 'it cannot be read';
      this.link.warnRarely(`reply ${request.subject}`, { subject: request.subject, problem }, 'answer refused');
      request.reject(undecodableReply(request.subject));
    }
  }

  /** Throws ServiceError only, within the deadline. */
  async ask(subject: string, payload: unknown, options: RequestOptions): Promise<unknown> {
    const startedAt = this.clock.monotonic();
    const frame = this.encode(subject, payload);
    if (!this.link.isConnected) {
      const wait = Math.min(options.deadlineMs, longestWaitForBus);
      if (!(await this.link.whenConnected(wait))) {
        throw busUnavailable(subject, options, `did not come back within ${wait} ms`);
      }
    }
    if (this.link.bytesWaiting > congestion) throw busUnavailable(subject, options, 'is congested');
    const left = options.deadlineMs - (this.clock.monotonic() - startedAt);
    // With a late timer the bus may be reachable again only after the deadline; no request is sent without time for a
    // response.
    if (left <= 0) throw deadlineExceeded(subject, options);
    return this.send(subject, frame, options, left);
  }

  disconnected(): void {
    for (const [token, request] of this.open) {
      this.end(token, request);
      request.reject(busUnavailable(request.subject, request.options, 'was lost before the answer'));
    }
  }

  publishRefused(subject: string): void {
    for (const [token, request] of this.open) {
      if (request.subject !== subject) continue;
      this.end(token, request);
      request.reject(publishRefused(subject, this.link.name));
    }
  }

  private send(subject: string, frame: Frame, options: RequestOptions, left: number): Promise<unknown> {
    // Nobody but who is asked can guess it, so nobody else can answer.
    const token = randomUUID();
    return new Promise((resolve, reject) => {
      const timer = this.clock.after(left, () => {
        this.open.delete(token);
        reject(deadlineExceeded(subject, options));
      });
      const request = { subject, options, timer, resolve, reject };
      this.open.set(token, request);
      const context = currentContext();
      const headers = {
        sender: this.link.name,
        lengths: frame.lengths,
        requestId: context?.requestId,
        client: context?.client,
        traceparent: context?.span?.traceparent,
        deadlineMs: left,
      };
      try {
        const outcome = this.link.send(subject, frame.data, headers, `${this.inbox}.${token}`);
        if (outcome.isSent) return;
        this.end(token, request);
        reject(messageTooLarge(`the request ${subject}`, outcome.bytes, outcome.limit));
      } catch {
        // The connection was closed in between, or the subject is malformed.
        this.end(token, request);
        reject(busUnavailable(subject, options, 'does not take it'));
      }
    });
  }

  private encode(subject: string, payload: unknown): Frame {
    try {
      return encodeFrame(payload);
    } catch (error) {
      this.link.warnRarely(`request ${subject}`, { subject, err: error }, 'request cannot be sent');
      throw unencodable(`the request ${subject}`);
    }
  }

  private read(message: Msg, { subject, options }: OpenRequest): unknown {
    if (isNoResponder(message)) throw noResponder(subject, options);
    const { lengths, errorKind } = decodeHeaders(message);
    const body = decodeFrame(message.data, lengths);
    if (errorKind === '') return body;
    throw errorOfFrame(frameOfPublicBody(body) ?? { kind: errorKind, body: errorBody(body) });
  }

  private end(token: string, request: OpenRequest): void {
    this.open.delete(token);
    request.timer.cancel();
  }
}

/** The form of routes with `publicErrors`; undefined for any other. */
const frameOfPublicBody = (body: unknown): { readonly kind: string; readonly body: ErrorFrame['body'] } | undefined => {
  const { error } = (body ?? {}) as Partial<PublicErrorBody>;
  if (typeof error !== 'object') return undefined;
  const { code, message: detail, kind, retryable: _retryable, ...data } = error;
  return { kind: String(kind), body: errorBody({ code, detail, data }) };
};

const errorBody = (body: unknown): ErrorFrame['body'] => {
  const { code, detail, data } = (body ?? {}) as { code?: unknown; detail?: unknown; data?: unknown };
  if (typeof code !== 'string' || typeof detail !== 'string') throw new FrameError('its error has no code');
  return { code, detail, data: (typeof data === 'object' && data !== null ? data : {}) as ErrorFrame['body']['data'] };
};
