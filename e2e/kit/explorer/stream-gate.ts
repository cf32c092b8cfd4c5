import { createServer, request, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';

/** Stands between a browser and an explorer: cuts or refuses the stream, is silent, or is away as a whole. */
export class StreamGate {
  private readonly streams = new Set<ServerResponse>();
  /** Whether the stream is let through. */
  isOpen = true;
  /** Swallows every byte of answers, and closes nothing. A connection that has lost bytes stays silent. */
  isSilent = false;
  /** Closes every connection. */
  isAway = false;

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  /** @param target address of the explorer */
  static async start(target: string): Promise<StreamGate> {
    const server = createServer((asked, answer) => {
      if (gate.isAway) return void answer.destroy();
      const isStream = asked.url!.startsWith('/stream');
      if (isStream && !gate.isOpen) return void answer.writeHead(503).end();
      const { method, headers } = asked;
      const passed = request(`${target}${asked.url}`, { method, headers }, (response) => {
        let hasLost = gate.isSilent;
        if (!hasLost) answer.writeHead(response.statusCode!, response.headers).flushHeaders();
        response.on('data', (part: Buffer) => {
          hasLost ||= gate.isSilent;
          if (!hasLost) answer.write(part);
        });
        response.on('end', () => !hasLost && answer.end());
      });
      passed.on('error', () => answer.destroy());
      answer.on('close', () => passed.destroy());
      asked.pipe(passed);
      if (!isStream) return;
      gate.streams.add(answer);
      answer.on('close', () => gate.streams.delete(answer));
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const gate = new StreamGate(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    return gate;
  }

  /** Ends the streams that are open, as a lost connection does. */
  cut(): void {
    for (const stream of this.streams) stream.destroy();
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
