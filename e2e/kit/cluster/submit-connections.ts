import { connect, type Socket } from 'node:net';
import { type Answer } from '../api-client.js';

interface Waiting {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
}

const endOfHead = '\r\n\r\n';

const headersOf = (lines: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );

/** One connection that is kept, with one request at a time. */
class Connection {
  private received = '';
  private waiting: Waiting | undefined;

  constructor(
    private readonly socket: Socket,
    private readonly free: (connection: Connection) => void,
    private readonly gone: (connection: Connection) => void,
  ) {
    socket.setNoDelay(true).setEncoding('latin1');
    socket.on('data', (text: string) => this.take(text));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      const { waiting } = this;
      this.waiting = undefined;
      this.gone(this);
      waiting?.reject(new Error('the connection was closed'));
    });
  }

  send(request: string): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.waiting = { resolve, reject };
      this.socket.write(request, 'latin1');
    });
  }

  close(): void {
    this.socket.destroy();
  }

  private take(text: string): void {
    this.received += text;
    const head = this.received.indexOf(endOfHead);
    if (head === -1) return;
    const [first, ...lines] = this.received.slice(0, head).split('\r\n');
    const headers = headersOf(lines);
    const end = head + endOfHead.length + Number(headers['content-length']);
    if (Number.isNaN(end)) return void this.socket.destroy();
    if (this.received.length < end) return;
    const answer = { status: Number(first!.slice(9, 12)), headers, text: this.received.slice(head + 4, end) };
    this.received = '';
    const { waiting } = this;
    this.waiting = undefined;
    if (headers['connection'] === 'close') this.socket.destroy();
    else this.free(this);
    waiting?.resolve(answer);
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
  post(body: string): Promise<Answer> {
    const connection = this.idle.pop() ?? this.another();
    return connection.send(`${this.head}${body.length}${endOfHead}${body}`);
  }

  close(): void {
    for (const connection of this.open) connection.close();
  }

  private another(): Connection {
    const localAddress = clients[this.made++ % clients.length]!;
    const connection: Connection = new Connection(
      connect({ ...this.address, localAddress }),
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
