import { Agent, request } from 'node:http';

const agent = new Agent({ keepAlive: true, maxSockets: 128 });

/** One request over a keep-alive connection; throws for any status but 200. */
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
        else reject(new Error(`${method} ${path}: ${answer.statusCode} ${received.slice(0, 300)}`));
      });
    });
    sent.on('error', reject);
    sent.end(text);
  });
