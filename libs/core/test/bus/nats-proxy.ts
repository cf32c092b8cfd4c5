import { createServer, connect, type Server, type Socket } from 'node:net';
import { type BusFaults, type Sender } from '@shardnode/core/bus';
import { freePort } from '@shardnode/core/servers';

/** A proxy of one connection does not know who speaks; chaos that tells members apart is not for it. */
const anybody: Sender = { service: 'gateway' };

/** Messages that a client sends, cut out of its stream: each with its line, its payload and what came between two. */
class ClientFrames {
  private rest = Buffer.alloc(0);

  /** Whole frames; the kind tells messages from the other words of the protocol. */
  take(chunk: Buffer): { readonly isMessage: boolean; readonly bytes: Buffer }[] {
    this.rest = Buffer.concat([this.rest, chunk]);
    const frames: { isMessage: boolean; bytes: Buffer }[] = [];
    for (;;) {
      const end = this.rest.indexOf('\r\n');
      if (end < 0) return frames;
      const line = this.rest.toString('latin1', 0, end);
      const isMessage = /^H?PUB /i.test(line);
      const size = end + 2 + (isMessage ? Number(line.split(' ').at(-1)) + 2 : 0);
      if (this.rest.length < size) return frames;
      frames.push({ isMessage, bytes: this.rest.subarray(0, size) });
      this.rest = this.rest.subarray(size);
    }
  }
}

/** A wire between services and their NATS server that does what wires do. */
export class NatsProxy {
  chaos: BusFaults | undefined;
  private sockets = new Set<Socket>();
  private server: Server | undefined;
  private isBlackHole = false;

  private constructor(
    readonly port: number,
    private readonly target: number,
  ) {}

  static async open(target: number): Promise<NatsProxy> {
    const proxy = new NatsProxy(await freePort(), target);
    await proxy.mend();
    return proxy;
  }

  get url(): string {
    return `nats://127.0.0.1:${this.port}`;
  }

  /** Ends all connections and takes no new ones. */
  async cut(): Promise<void> {
    const { server } = this;
    this.server = undefined;
    const closed = new Promise<void>((resolve) => (server ? server.close(() => resolve()) : resolve()));
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  async mend(): Promise<void> {
    if (this.server) return;
    const server = createServer((client) => this.forward(client));
    this.server = server;
    await new Promise<void>((resolve) => server.listen(this.port, '127.0.0.1', resolve));
  }

  /** Connections stay, new ones are taken, nothing is read and nothing answered. */
  blackHole(isOn: boolean): void {
    this.isBlackHole = isOn;
    for (const socket of this.sockets) if (isOn) socket.pause();
    // What was swallowed never comes: those connections are dead, as behind a firewall that forgot them.
    if (!isOn) for (const socket of this.sockets) socket.destroy();
  }

  async close(): Promise<void> {
    await this.cut();
  }

  private forward(client: Socket): void {
    const server = connect(this.target, '127.0.0.1');
    for (const socket of [client, server]) {
      this.sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => undefined);
      if (this.isBlackHole) socket.pause();
    }
    const end = (): void => {
      for (const socket of [client, server]) {
        socket.destroy();
        this.sockets.delete(socket);
      }
    };
    client.once('close', end);
    server.once('close', end);
    const frames = new ClientFrames();
    client.on('data', (chunk) => {
      for (const { isMessage, bytes } of frames.take(chunk)) {
        for (const delay of isMessage ? (this.chaos?.arrivals(anybody, anybody) ?? [0]) : [0]) {
          if (delay === 0) server.write(bytes);
          else setTimeout(() => server.write(bytes), delay);
        }
      }
    });
    server.on('data', (chunk) => client.write(chunk));
    if (this.isBlackHole) for (const socket of [client, server]) socket.pause();
  }
}
