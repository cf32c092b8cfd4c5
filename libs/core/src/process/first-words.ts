import { connect } from 'node:net';
import { connect as connectSecurely } from 'node:tls';

const addressOf = (url: string, defaultPort: number): { host: string; port: number } => {
  const { hostname, port } = new URL(url);
  return { host: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? defaultPort : Number(port) };
};

export interface FirstWordsOptions {
  /** Sent before the server sends anything. */
  readonly greeting?: string;
  /** Timeout of silence in milliseconds; default 3,000. */
  readonly withinMs?: number;
}

/** Returns the first bytes that a server sends, or those after `greeting`. Rejects without a server or without data. */
export const firstWords = (url: string, defaultPort: number, options: FirstWordsOptions = {}): Promise<string> =>
  new Promise((resolve, reject) => {
    const { greeting, withinMs = 3_000 } = options;
    const place = addressOf(url, defaultPort);
    const greet = (): void => {
      if (greeting !== undefined) socket.write(greeting);
    };
    // Checks presence, not identity: no secret is sent.
    const isSecure = url.startsWith('rediss:');
    const socket = isSecure ? connectSecurely({ ...place, rejectUnauthorized: false }, greet) : connect(place, greet);
    const end = (settle: () => void): void => {
      socket.destroy();
      settle();
    };
    socket.setTimeout(withinMs, () => end(() => reject(new Error('it does not answer'))));
    socket.once('error', (error) => end(() => reject(error)));
    socket.once('data', (bytes) => end(() => resolve(bytes.toString('latin1'))));
    socket.once('close', () => reject(new Error('it hangs up')));
  });
