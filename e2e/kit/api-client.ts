import { Agent, request as httpRequest } from 'node:http';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH' | 'HEAD' | 'OPTIONS';

/** One request and what came back; `answer` stays undefined when the connection broke first. */
interface Exchange {
  readonly method: Method;
  readonly path: string;
  readonly body: string | undefined;
  answer: Answer | undefined;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

interface Request {
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as it is. */
  readonly rawBody?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Milliseconds; default 30,000. */
  readonly timeoutMs?: number;
}

/** An answer that a test did not want. */
export class UnexpectedAnswer extends Error {
  constructor(
    readonly method: Method,
    readonly path: string,
    readonly answer: Answer,
  ) {
    super(`${method} ${path} answered ${answer.status}: ${answer.text.slice(0, 1_000)}`);
    this.name = 'UnexpectedAnswer';
  }
}

/** Integer literals of more than 15 digits come as text, because a double would lose digits. */
const parseExactly = (text: string): unknown =>
  JSON.parse(text.replace(/([:[,]\s*)(-?\d{16,})(?=\s*[,}\]])/g, '$1"$2"'));

export interface ApiClient {
  /** Everything that was asked and answered, in order of asking. */
  readonly exchanges: readonly Exchange[];
  /** What was asked so far is no longer among the exchanges: for those that ask for hours. */
  forget(): void;
  /** Any status; fails only when the connection breaks. */
  send(method: Method, path: string, request?: Request): Promise<Answer>;
  /** The value of a 200. @throws UnexpectedAnswer */
  get<T>(path: string): Promise<T>;
  post<T>(path: string, body?: unknown): Promise<T>;
  put<T>(path: string, body?: unknown): Promise<T>;
  delete<T>(path: string, body?: unknown): Promise<T>;
  /** Closes the idle connections. */
  close(): void;
}

const send = (agent: Agent, url: URL, exchange: Exchange, request: Request): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const { method, body } = exchange;
    const headers: Record<string, string> = { ...request.headers };
    if (body !== undefined) {
      headers['content-type'] ??= 'application/json';
      headers['content-length'] ??= String(Buffer.byteLength(body));
    }
    const outgoing = httpRequest(url, { method, agent, headers, timeout: request.timeoutMs ?? 30_000 }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', reject);
      incoming.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text });
      });
    });
    outgoing.on('timeout', () => outgoing.destroy(new Error(`${method} ${url.pathname} took too long`)));
    outgoing.on('error', reject);
    outgoing.end(body);
  });

/**
 * A client of one network; the base URL is asked for at each request, since a restart may change it. More requests at once
 * than `maxSockets` wait for each other. `always`: headers of every request. `localAddress`: another address of this machine,
 * which makes it another client.
 */
export const apiClient = (
  baseUrl: () => string,
  maxSockets = 64,
  always: Readonly<Record<string, string>> = {},
  localAddress?: string,
): ApiClient => {
  const agent = new Agent({ keepAlive: true, maxSockets, ...(localAddress === undefined ? {} : { localAddress }) });
  const exchanges: Exchange[] = [];
  const sendRecorded = async (method: Method, path: string, request: Request = {}): Promise<Answer> => {
    const body = request.rawBody ?? (request.body === undefined ? undefined : JSON.stringify(request.body));
    const exchange: Exchange = { method, path, body, answer: undefined };
    exchanges.push(exchange);
    const headers = { ...always, ...request.headers };
    exchange.answer = await send(agent, new URL(baseUrl() + path), exchange, { ...request, headers });
    return exchange.answer;
  };
  const value = async <T>(method: Method, path: string, body?: unknown): Promise<T> => {
    const answer = await sendRecorded(method, path, { body });
    if (answer.status !== 200) throw new UnexpectedAnswer(method, path, answer);
    return (answer.text === '' ? undefined : parseExactly(answer.text)) as T;
  };
  return {
    exchanges,
    forget: () => void exchanges.splice(0),
    send: sendRecorded,
    get: (path) => value('GET', path),
    post: (path, body) => value('POST', path, body),
    put: (path, body) => value('PUT', path, body),
    delete: (path, body) => value('DELETE', path, body),
    close: () => agent.destroy(),
  };
};
