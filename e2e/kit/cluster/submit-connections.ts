import { connect, type Socket } from 'node:net';

/** What was answered to a request; its head is looked through for what is asked of it, not taken apart. */
export class SubmitAnswer {
  readonly status: number;

  constructor(
    private readonly head: string,
    readonly text: string,
  ) {
    this.status = Number(head.slice(9, 12));
  }

  /** `name`: in small letters, as our services write theirs. */
  header(name: string): string | undefined {
    return headerOf(this.head, name);
  }
}

/** Called with the answer; undefined: the connection broke. Not a promise, several of which cost more than what is sent. */
type Answered = (answer: SubmitAnswer | undefined) => void;

const endOfHead = '\r\n\r\n';

/** Node writes its own headers with a capital, services theirs without. */
const isLast = (head: string): boolean =>
  head.includes('\r\nConnection: close') || head.includes('\r\nconnection: close');

/** `name`: as it was sent. */
const headerOf = (head: string, name: string): string | undefined => {
  const start = head.indexOf(`\r\n${name}: `);
  if (start === -1) return undefined;
  const from = start + name.length + 4;
  const end = head.indexOf('\r\n', from);
  return head.slice(from, end === -1 ? undefined : end);
};

type Address = { readonly host: string; readonly port: number; readonly localAddress: string };

/** Where the system puts what it has received: each piece is made a string before the next one comes. */
const received = Buffer.alloc(65_536);

/** One connection that is kept, with one request at a time. */
class Connection {
  private readonly socket: Socket;
  isGone = false;
  private received = '';
  private answered: Answered | undefined;

  constructor(
    address: Address,
    private readonly free: (connection: Connection) => void,
    private readonly gone: (connection: Connection) => void,
  ) {
    const onread = {
      buffer: received,
      callback: (length: number) => this.take(received.toString('latin1', 0, length)),
    };
    this.socket = connect({ ...address, noDelay: true, onread });
    this.socket.on('error', () => undefined);
    this.socket.on('close', () => {
      const { answered } = this;
      this.answered = undefined;
      this.isGone = true;
      this.gone(this);
      answered?.(undefined);
    });
  }

  send(request: string, answered: Answered): void {
    this.answered = answered;
    this.socket.write(request, 'latin1');
  }

  close(): void {
    this.socket.destroy();
  }

  /** Whether more is to be read. */
  private take(piece: string): boolean {
    const text = this.received === '' ? piece : this.received + piece;
    this.received = text;
    const end = text.indexOf(endOfHead);
    if (end === -1) return true;
    const head = text.slice(0, end);
    const length = Number(headerOf(head, 'content-length'));
    const body = end + endOfHead.length;
    if (Number.isNaN(length)) this.socket.destroy();
    if (!(text.length >= body + length)) return true;
    this.received = '';
    const { answered } = this;
    this.answered = undefined;
    if (isLast(head)) this.socket.destroy();
    else this.free(this);
    answered?.(new SubmitAnswer(head, text.slice(body, body + length)));
    return true;
  }
}

/** Places at the head of the queue that are free before they are given back. */
const freePlaces = 1_024;

/**
 * Connections without a request, that which has been so for longest first: all have their turn, as those of thousands of
 * clients have. Were it the newest, the others would be closed by the gateway after a minute, all at once, and taken by the next
 * burst meanwhile.
 */
class IdleConnections {
  private readonly waiting: Connection[] = [];
  private first = 0;

  push(connection: Connection): void {
    this.waiting.push(connection);
  }

  take(): Connection | undefined {
    while (this.first < this.waiting.length) {
      const connection = this.waiting[this.first++]!;
      if (this.first === freePlaces) {
        this.waiting.splice(0, freePlaces);
        this.first = 0;
      }
      if (!connection.isGone) return connection;
    }
    return undefined;
  }
}

/** Connections that are opened at the same time: Node takes one from the system in each turn of its event loop. */
const openedAtOnce = 32;

/** Addresses of this machine from which the connections come in turn: a gateway lets one client have half of them only. */
const clients = ['127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.5'];

/**
 * Posts to one path over connections that are kept, for a generator of load on the machine that is measured: a fifth of the
 * work of `node:http` for each request. It reads answers with a `Content-Length` only, which all of ours have.
 */
export class SubmitConnections {
  private readonly idle = new IdleConnections();
  private readonly open = new Set<Connection>();
  private readonly head: string;
  private readonly firstRequest: string;
  private made = 0;
  private readonly address: { readonly host: string; readonly port: number };

  constructor(baseUrl: string, path: string) {
    const { host, hostname, port } = new URL(baseUrl);
    this.address = { host: hostname, port: Number(port) };
    this.head = `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: `;
    this.firstRequest = `GET /health/live HTTP/1.1\r\nHost: ${host}${endOfHead}`;
  }

  /** Has so many connections ready, each of which has had an answer. */
  async prepare(count: number): Promise<void> {
    const open = async (): Promise<void> => {
      while (this.open.size < count) {
        await new Promise((resolve) => this.another().send(this.firstRequest, resolve));
      }
    };
    await Promise.all(Array.from({ length: openedAtOnce }, open));
  }

  /** What is sent for a body of ASCII characters, to be made once for all times that it is sent. */
  requestOf(body: string): string {
    return `${this.head}${body.length}${endOfHead}${body}`;
  }

  /** Over a connection that nobody uses, or a new one. */
  send(request: string, answered: Answered): void {
    const connection = this.idle.take() ?? this.another();
    connection.send(request, answered);
  }

  close(): void {
    for (const connection of this.open) connection.close();
  }

  private another(): Connection {
    const localAddress = clients[this.made++ % clients.length]!;
    const connection: Connection = new Connection(
      { ...this.address, localAddress },
      (free) => this.idle.push(free),
      (gone) => void this.open.delete(gone),
    );
    this.open.add(connection);
    return connection;
  }
}
