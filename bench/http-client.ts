import { Agent, request } from 'node:http';

const agent = new Agent({ keepAlive: true, maxSockets: 256 });

/** An answer with another status than 200. */
export class FailedCall extends Error {
  constructor(
    message: string,
    readonly status: number,
    /** The wait that a refusal names; undefined: it may not be sent again. */
    readonly retryAfterSeconds: number | undefined,
  ) {
    super(message);
  }
}

/** One request over a keep-alive connection; rejects with `FailedCall` for any status but 200. */
export const call = <T>(baseUrl: string, method: string, path: string, body?: unknown): Promise<T> =>
  new Promise((resolve, reject) => {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const headers =
      text === undefined ? {} : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) };
    const sent = request(`${baseUrl}${path}`, { method, agent, headers }, (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('error', reject);
      answer.on('end', () => {
        const received = Buffer.concat(parts).toString('utf8');
        if (answer.statusCode === 200) resolve((received === '' ? undefined : JSON.parse(received)) as T);
        else {
          const { statusCode = 0, headers } = answer;
          const wait = headers['retry-after'];
          const message = `${method} ${path}: ${statusCode} ${received.slice(0, 300)}`;
          reject(new FailedCall(message, statusCode, wait === undefined ? undefined : Number(wait)));
        }
      });
    });
    sent.on('error', reject);
    sent.end(text);
  });
