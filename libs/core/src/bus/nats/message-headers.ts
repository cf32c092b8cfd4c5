import { type Msg, type MsgHdrs } from '@nats-io/transport-node';
import { errorHeader } from '../../errors/index.js';
import { isClientName, isRequestId, isTraceparent } from '../../observability/index.js';
import { parseSender, type Sender } from '../sender.js';
import { bytesHeader, FrameError } from '../frame.js';

const senderHeader = 'X-Sender';
const requestIdHeader = 'X-Request-Id';
const clientHeader = 'X-Client';
const traceHeader = 'traceparent';
const traceIdHeader = 'X-Trace-Id';
const messageIdHeader = 'Nats-Msg-Id';
const deadlineHeader = 'X-Deadline-Ms';

export interface OutgoingHeaders {
  readonly sender: string;
  readonly lengths: string | undefined;
  readonly requestId?: string | undefined;
  /** Requests only: their client, as in `RequestContext`. */
  readonly client?: string | undefined;
  /** As in `Span`. */
  readonly traceparent?: string | undefined;
  /** Milliseconds until the requester's deadline. */
  readonly deadlineMs?: number;
  readonly errorKind?: string;
  /** As in `PublishOptions`. */
  readonly messageId?: string | undefined;
  /** Replies only: as in `IncomingMessage`. */
  readonly traceId?: string | undefined;
}

/**
 * Encoded headers. The library's own class costs as much as the rest of a message, and sending needs only its `encode`.
 */
export const encodeHeaders = (headers: OutgoingHeaders): { readonly bytes: Uint8Array; readonly hdrs: MsgHdrs } => {
  let text = `NATS/1.0\r\n${senderHeader}: ${headers.sender}\r\n`;
  if (headers.lengths !== undefined) text += `${bytesHeader}: ${headers.lengths}\r\n`;
  // An id of another form could inject headers.
  if (isRequestId(headers.requestId)) text += `${requestIdHeader}: ${headers.requestId}\r\n`;
  if (isClientName(headers.client)) text += `${clientHeader}: ${headers.client}\r\n`;
  if (headers.traceparent !== undefined) text += `${traceHeader}: ${headers.traceparent}\r\n`;
  if (headers.deadlineMs !== undefined) text += `${deadlineHeader}: ${Math.ceil(headers.deadlineMs)}\r\n`;
  if (headers.errorKind !== undefined) text += `${errorHeader}: ${headers.errorKind}\r\n`;
  if (headers.messageId !== undefined) text += `${messageIdHeader}: ${headers.messageId}\r\n`;
  if (headers.traceId !== undefined) text += `${traceIdHeader}: ${headers.traceId}\r\n`;
  const bytes = Buffer.from(`${text}\r\n`);
  return { bytes, hdrs: { encode: () => bytes } as unknown as MsgHdrs };
};

export interface IncomingHeaders {
  readonly sender: Sender;
  readonly lengths: string;
  readonly requestId: string | undefined;
  readonly client: string | undefined;
  readonly traceparent: string | undefined;
  readonly traceId: string | undefined;
  readonly deadlineMs: number | undefined;
  /** Replies only: the kind of the error in the body; empty for a successful response. */
  readonly errorKind: string;
}

const noHeaders = {
  lengths: '',
  requestId: undefined,
  client: undefined,
  traceparent: undefined,
  traceId: undefined,
  deadlineMs: undefined,
  errorKind: '',
} as const;

const senderForm = /^[a-z][a-z-]{0,40}(-\d{1,4})?$/;

/** Visible characters: the reply repeats it, and another form could inject headers. */
const traceIdForm = /^[\x21-\x7e]{1,128}$/;

/**
 * Throws FrameError with a header of a wrong form, and without a sender unless `unnamed` stands for it. The sender is
 * an unverified claim. The server enforces permissions: its users may publish only the subjects that the tables permit
 * to their service (`busAccounts` in @shardnode/messages). So a false name gains no permission.
 */
export const decodeHeaders = (message: Msg, unnamed?: Sender): IncomingHeaders => {
  const headers = headersOf(message);
  const sender = headers?.get(senderHeader) ?? '';
  const isNamed = senderForm.test(sender);
  if (!isNamed && !(sender === '' && unnamed)) throw new FrameError('it does not say who sends it');
  if (!headers) return { ...noHeaders, sender: unnamed! };
  const requestId = headers.get(requestIdHeader);
  const client = headers.get(clientHeader);
  const traceparent = headers.get(traceHeader);
  const traceId = headers.get(traceIdHeader);
  const deadline = headers.get(deadlineHeader);
  if (deadline !== '' && !/^\d{1,9}$/.test(deadline)) throw new FrameError('its deadline is no number');
  return {
    sender: isNamed ? parseSender(sender) : unnamed!,
    lengths: headers.get(bytesHeader),
    requestId: isRequestId(requestId) ? requestId : undefined,
    client: isClientName(client) ? client : undefined,
    traceparent: isTraceparent(traceparent) ? traceparent : undefined,
    traceId: traceIdForm.test(traceId) ? traceId : undefined,
    deadlineMs: deadline === '' ? undefined : Number(deadline),
    errorKind: headers.get(errorHeader),
  };
};

/** The server's response without a responder: status 503 and no data. */
export const isNoResponder = (message: Msg): boolean => message.data.length === 0 && headersOf(message)?.code === 503;

/** The library parses headers lazily. It throws for malformed names, inside its own socket handler. */
const headersOf = (message: Msg): MsgHdrs | undefined => {
  try {
    return message.headers;
  } catch (error) {
    throw new FrameError('its headers cannot be read', { cause: error });
  }
};
