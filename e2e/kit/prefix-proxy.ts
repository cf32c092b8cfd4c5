import { createServer, request, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';

/** A proxy that passes on what is below `/shard/`, without this prefix, as docs/run.md says; other paths are refused. */
export class PrefixProxy {
  /** Paths of requests that left the prefix, and values of `Location` that would. */
  readonly escapes: string[] = [];

  private constructor(
    private readonly server: Server,
    private readonly origin: string,
  ) {}

  /** With the prefix, without a slash at its end. */
  get url(): string {
    return `${this.origin}/shard`;
  }

  /** @param target address of the service, without a slash at its end */
  static async start(target: string): Promise<PrefixProxy> {
    const server = createServer((asked, answer) => {
      const path = asked.url!;
      if (path === '/shard') return void answer.writeHead(308, { location: '/shard/' }).end();
      // Browsers ask for it by themselves where a page names no icon.
      if (!path.startsWith('/shard/')) {
        proxy.escapes.push(path);
        return void answer.writeHead(404).end();
      }
      const { method, headers } = asked;
      const passed = request(`${target}${path.slice('/shard'.length)}`, { method, headers }, (response) => {
        const { location } = response.headers;
        if (location !== undefined && /^\/|:/.test(location)) proxy.escapes.push(`Location: ${location}`);
        answer.writeHead(response.statusCode!, response.headers);
        response.pipe(answer);
      });
      passed.on('error', () => answer.destroy());
      answer.on('close', () => passed.destroy());
      asked.pipe(passed);
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const proxy = new PrefixProxy(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    return proxy;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
