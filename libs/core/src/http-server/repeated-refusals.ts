import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import { type Socket } from 'node:net';
import { isRequestId } from '../observability/index.js';
import { type AnswerAtOnce } from './answers-at-once.js';

/** What the same request is told when it comes again with this id; undefined: it has to go its usual way. Without effects. */
export type Again = (requestId: string) => AnswerAtOnce | undefined;

/** A request that was refused, and what every other one is told whose head differs in the length of its body at most. */
interface Refused {
  /** Up to the digits of its `Content-Length`, and from behind them to the body. */
  readonly before: Buffer;
  readonly behind: Buffer;
  readonly digits: number;
  /** Of its client, to be sent back; undefined: each gets one of its own. */
  readonly requestId: string | undefined;
  readonly again: Again;
}

type Take = (chunk: Buffer) => void;

const endOfHead = Buffer.from('\r\n\r\n');
const post = Buffer.from('POST ');
/** With as many digits as a body has that is left unread. */
const contentLength = /\r\ncontent-length: *(\d{1,5})(?=\r\n)/gi;

/** Whether these bytes stand there. */
const has = (chunk: Buffer, bytes: Buffer, at = 0): boolean =>
  chunk.length >= at + bytes.length && bytes.compare(chunk, at, at + bytes.length) === 0;

/** The number that these digits are; undefined: something else is among them. */
const numberAt = (chunk: Buffer, at: number, digits: number): number | undefined => {
  let number = 0;
  for (let end = at + digits; at < end; at++) {
    const digit = chunk[at]! - 48;
    if (!(digit >= 0 && digit <= 9)) return undefined;
    number = 10 * number + digit;
  }
  return number;
};

/** What a request in one piece has in common with others of its kind; undefined: it is not one whole request. */
const partsOf = (whole: Buffer, announced: string | undefined): Omit<Refused, 'requestId' | 'again'> | undefined => {
  const end = whole.indexOf(endOfHead);
  if (end === -1 || whole.length !== end + endOfHead.length + Number(announced)) return undefined;
  const [header, more] = whole.toString('latin1', 0, end + 2).matchAll(contentLength);
  if (!header || more || header[1] !== announced) return undefined;
  const at = header.index + header[0].length - header[1]!.length;
  // Copies: the piece would be kept with them.
  const part = (from: number, to: number): Buffer => Buffer.from(whole.subarray(from, to));
  const digits = header[1]!.length;
  return { before: part(0, at), behind: part(at + digits, end + endOfHead.length), digits };
};

const isLike = (chunk: Buffer, { before, behind, digits }: Refused): boolean => {
  const at = before.length;
  const body = at + digits + behind.length;
  return has(chunk, before) && has(chunk, behind, at + digits) && chunk.length - body === numberAt(chunk, at, digits);
};

/** Header `Date`, which changes once a second. */
class DateHeader {
  private second = 0;
  private text = '';

  get value(): string {
    const second = Math.floor(Date.now() / 1_000);
    if (second !== this.second) [this.second, this.text] = [second, new Date(1_000 * second).toUTCString()];
    return this.text;
  }
}

/** What all connections of a server share. */
interface Shared {
  /** `Keep-Alive` as the server says it. */
  readonly keepAlive: string;
  readonly date: DateHeader;
  readonly newRequestId: () => string;
  /** A refusal was written: for metrics and log. */
  readonly refused: (answer: AnswerAtOnce, requestId: string, began: number) => void;
  readonly isDraining: () => boolean;
}

const textOf = ({ text, refusal }: AnswerAtOnce, requestId: string, { date, keepAlive }: Shared): string => {
  const { status, headers } = refusal!;
  let head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nx-request-id: ${requestId}\r\nx-content-type-options: nosniff\r\n`;
  for (let at = 0; at < headers.length; at += 2) head += `${headers[at]}: ${headers[at + 1]}\r\n`;
  return `${head}content-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\nDate: ${date.value}\r\nConnection: keep-alive\r\nKeep-Alive: ${keepAlive}\r\n\r\n${text.toString()}`;
};

/**
 * A connection on which a request was refused. Between two requests, when none is half read, it takes its bytes before the
 * server's parser does.
 */
class RefusedConnection {
  /** Listeners of the server for what comes, while this one stands in their place. */
  private usual: readonly Take[] | undefined;
  /** The newest request that the parser has told of. */
  private newest: IncomingMessage | undefined;
  /** Of the newest one, if it was refused. */
  private again: Again | undefined;
  /** Whether it was answered; told while the parser's bytes are taken. */
  private isAnswered = true;
  /** Handed to the parser, which has told of one request in it, or not yet. */
  private handed: Buffer | undefined;
  private known: Refused | undefined;

  constructor(
    private readonly socket: Socket,
    private readonly shared: Shared,
  ) {}

  /** The parser tells of a request. */
  came(request: IncomingMessage, response: ServerResponse): void {
    this.newest = request;
    this.again = undefined;
    if (!this.usual) return;
    this.isAnswered = false;
    const { handed } = this;
    this.afterwards(request, response, () => {
      this.isAnswered = true;
      if (this.again) this.learn(handed, request, this.again);
    });
  }

  /** The newest request is refused, with this response. */
  isRefused(request: IncomingMessage, response: ServerResponse, again: Again): void {
    this.again = again;
    if (this.usual) return;
    this.afterwards(request, response, () => {
      if (!this.usual && response.shouldKeepAlive) this.stepIn();
    });
  }

  /** Runs an action when this request was answered and has come to its end, and nothing came behind it. */
  private afterwards(request: IncomingMessage, response: ServerResponse, action: () => void): void {
    const look = (): void => {
      if (this.newest === request && request.complete && !this.socket.destroyed) action();
    };
    // What is answered before its body was parsed ends in the same turn. Others do not wait for that: a turn may have more than
    // a thousand pieces to take, and the client may have its answer and ask again before it ends.
    response.once('close', () => (request.complete ? look() : setImmediate(look)));
  }

  /** Remembers the head of what was refused, if it was handed over in one piece, and nothing else with it. */
  private learn(handed: Buffer | undefined, { headers }: IncomingMessage, again: Again): void {
    const parts = handed && partsOf(handed, headers['content-length']);
    if (!parts) return;
    const given = headers['x-request-id'];
    this.known = { ...parts, requestId: isRequestId(given) ? given : undefined, again };
  }

  private stepIn(): void {
    const { socket } = this;
    // The server's parser reads the connection by itself until somebody else listens.
    socket.on('data', this.take);
    this.isAnswered = true;
    this.usual = socket.listeners('data').filter((listener) => listener !== this.take) as Take[];
    for (const listener of this.usual) socket.off('data', listener);
  }

  private stepBack(): void {
    const { socket, usual = [] } = this;
    this.usual = this.known = this.handed = undefined;
    for (const listener of usual) socket.on('data', listener);
    socket.off('data', this.take);
  }

  private readonly take = (chunk: Buffer): void => {
    if (this.isAnswered && this.refuses(chunk)) return;
    const { usual = [] } = this;
    if (!this.isAnswered || !has(chunk, post)) {
      this.stepBack();
      for (const listener of usual) listener.call(this.socket, chunk);
      return;
    }
    this.handed = chunk;
    const before = this.newest;
    for (const listener of usual) listener.call(this.socket, chunk);
    // Not a whole head.
    if (this.newest === before && this.usual) this.stepBack();
    this.handed = undefined;
  };

  private refuses(chunk: Buffer): boolean {
    const { known, socket, shared } = this;
    if (!known || !isLike(chunk, known)) return false;
    // A client that does not read its answers has to wait for the server.
    if (socket.writableLength > 0 || shared.isDraining()) return false;
    const began = performance.now();
    const requestId = known.requestId ?? shared.newRequestId();
    const answer = known.again(requestId);
    if (!answer) return false;
    socket.write(textOf(answer, requestId, shared));
    shared.refused(answer, requestId, began);
    return true;
  }
}

export interface RepeatedRefusalsPorts extends Omit<Shared, 'date' | 'keepAlive'> {
  /** Milliseconds; of the server. */
  readonly keepAliveTimeout: () => number;
}

/**
 * Refusals of what comes again: under an overload most requests are refused, most of them with a head that was refused on the
 * same connection before, and the parser with its request and response is two thirds of what a refusal costs. A request with
 * exactly the same bytes up to its body, which comes in one piece between two others, is what it was before: it gets the same
 * answer without being parsed, as long as there is one. Only the length of its body may be another one.
 */
export class RepeatedRefusals {
  private readonly connections = new WeakMap<Socket, RefusedConnection>();
  private readonly shared: Shared;

  constructor({ keepAliveTimeout, ...ports }: RepeatedRefusalsPorts) {
    this.shared = {
      ...ports,
      date: new DateHeader(),
      get keepAlive() {
        return `timeout=${Math.floor(keepAliveTimeout() / 1_000)}`;
      },
    };
  }

  /** To be told of each request, before it is answered. */
  came(request: IncomingMessage, response: ServerResponse): void {
    this.connections.get(request.socket)?.came(request, response);
  }

  /** This request is being refused. */
  refused(request: IncomingMessage, response: ServerResponse, again: Again): void {
    const { socket } = request;
    let connection = this.connections.get(socket);
    if (!connection) {
      this.connections.set(socket, (connection = new RefusedConnection(socket, this.shared)));
      connection.came(request, response);
    }
    connection.isRefused(request, response, again);
  }
}
