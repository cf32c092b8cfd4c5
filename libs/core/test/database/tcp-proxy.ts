import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { resetConnection } from '@shardnode/testing/connections';

/** When the connection that carries a text is cut: before the server gets it, or when the server's answer comes. */
export type CutPlace = 'before' | 'after';

/** Stands between a client and its server, and does what cables do. */
export class TcpProxy {
  private readonly pairs = new Set<readonly [Socket, Socket]>();
  private cutAt: { readonly text: string; readonly place: CutPlace } | undefined;
  private isHole = false;
  /** Times that a connection was cut at a text. */
  cuts = 0;

  private constructor(
    private readonly server: Server,
    private readonly target: number,
  ) {
    server.on('connection', (client) => this.join(client));
  }

  static async open(target: number): Promise<TcpProxy> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new TcpProxy(server, target);
  }

  /** The url of the server, through here. */
  url(direct: string): string {
    const url = new URL(direct);
    url.port = String((this.server.address() as AddressInfo).port);
    return url.toString();
  }

  /** Cuts the next connection on which the client sends the text. */
  cutOnce(text: string, place: CutPlace): void {
    this.cutAt = { text, place };
  }

  /** Cuts everything that is open. */
  cutAll(): void {
    for (const [client, server] of this.pairs) this.cut(client, server);
  }

  /** While it is a hole, bytes vanish on the connections that are open, and new ones get no answer. */
  blackhole(on: boolean): void {
    this.isHole = on;
  }

  async close(): Promise<void> {
    this.cutAll();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private cut(client: Socket, server: Socket): void {
    resetConnection(client);
    server.destroy();
  }

  private join(client: Socket): void {
    const server = connect(this.target, '127.0.0.1');
    const pair = [client, server] as const;
    this.pairs.add(pair);
    let isStuck = this.isHole;
    let cutsAtAnswer = false;
    const end = (): void => {
      this.pairs.delete(pair);
      // Nobody hears of an end in a hole.
      if (!isStuck) this.cut(client, server);
    };
    for (const socket of pair) socket.on('error', () => undefined).on('close', end);
    client.on('data', (data) => {
      isStuck ||= this.isHole;
      if (isStuck) return;
      const { cutAt } = this;
      if (cutAt && data.includes(cutAt.text)) {
        this.cutAt = undefined;
        this.cuts++;
        if (cutAt.place === 'before') return this.cut(client, server);
        cutsAtAnswer = true;
      }
      server.write(data);
    });
    server.on('data', (data) => {
      isStuck ||= this.isHole;
      if (cutsAtAnswer) return this.cut(client, server);
      if (!isStuck) client.write(data);
    });
  }
}
