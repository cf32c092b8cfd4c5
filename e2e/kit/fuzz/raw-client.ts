import { Agent, request as httpRequest } from 'node:http';
import { type Answer } from '../api-client.js';
import { type FuzzRequest } from './fuzz-requests.js';

/** Sends paths as they are: a URL would put them right first. */
export class RawClient {
  private readonly agent: Agent;

  constructor(
    private readonly baseUrl: string,
    connections: number,
    private readonly timeoutMs: number,
  ) {
    this.agent = new Agent({ keepAlive: true, maxSockets: connections });
  }

  /** @throws when the connection breaks, or nothing comes in time. */
  send({ method, path, headers, body }: FuzzRequest): Promise<Answer> {
    const { hostname, port } = new URL(this.baseUrl);
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    return new Promise((resolve, reject) => {
      const outgoing = httpRequest(
        { hostname, port, method, path, agent: this.agent, headers: { ...headers, ...length } },
        (incoming) => {
          const chunks: Buffer[] = [];
          incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
          incoming.on('error', reject);
          incoming.on('end', () => {
            clearTimeout(patience);
            const text = Buffer.concat(chunks).toString('utf8');
            resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text });
          });
        },
      );
      const patience = setTimeout(() => outgoing.destroy(new Error('no answer in time')), this.timeoutMs);
      outgoing.on('error', (error) => {
        clearTimeout(patience);
        reject(error);
      });
      outgoing.end(body);
    });
  }

  close(): void {
    this.agent.destroy();
  }
}
