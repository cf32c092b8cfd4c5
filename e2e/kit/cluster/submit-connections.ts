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

interface Waiting {
  readonly resolve: (answer: SubmitAnswer) => void;
  readonly reject: (error: Error) => void;
}

const endOfHead = '\r\n\r\n';

/** Node writes its own headers with a capital, services theirs without. */
const lastAnswer = /\r\nconnection: close/i;

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
  private received = '';
  private waiting: Waiting | undefined;

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
      const { waiting } = this;
      this.waiting = undefined;
      this.gone(this);
      waiting?.reject(new Error('the connection was closed'));
    });
  }

  send(request: string): Promise<SubmitAnswer> {
    return new Promise((resolve, reject) => {
      this.waiting = { resolve, reject };
      this.socket.write(request, 'latin1');
    });
  }

  close(): void {
    this.socket.destroy();
  }

  /** Whether more is to be read. */
  private take(text: string): boolean {
    this.received += text;
    const end = this.received.indexOf(endOfHead);
    if (end === -1) return true;
    const head = this.received.slice(0, end);
    const length = Number(headerOf(head, 'content-length'));
    const body = end + endOfHead.length;
    if (Number.isNaN(length)) this.socket.destroy();
    if (!(this.received.length >= body + length)) return true;
    const answer = new SubmitAnswer(head, this.received.slice(body, body + length));
    this.received = '';
    const { waiting } = this;
    this.waiting = undefined;
    if (lastAnswer.test(head)) this.socket.destroy();
    else this.free(this);
    waiting?.resolve(answer);
    return true;
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
  private readonly idle: Connection[] = [];
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
      while (this.open.size < count) await this.another().send(this.firstRequest);
    };
    await Promise.all(Array.from({ length: openedAtOnce }, open));
  }

  /** Over a connection that nobody uses, or a new one; fails when it breaks. `body`: of ASCII characters. */
  post(body: string): Promise<SubmitAnswer> {
    const connection = this.idle.pop() ?? this.another();
    return connection.send(`${this.head}${body.length}${endOfHead}${body}`);
  }

  close(): void {
    for (const connection of this.open) connection.close();
  }

  private another(): Connection {
    const localAddress = clients[this.made++ % clients.length]!;
    const connection: Connection = new Connection(
      { ...this.address, localAddress },
      (free) => void this.idle.push(free),
      (gone) => {
        this.open.delete(gone);
        const place = this.idle.indexOf(gone);
        if (place !== -1) this.idle.splice(place, 1);
      },
    );
    this.open.add(connection);
    return connection;
  }
}
