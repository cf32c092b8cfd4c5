import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Behaviour of each connection of a hostile client; described in flooding-process.mjs. */
export type Behaviour =
  | 'ask'
  | 'pipeline'
  | 'connect and ask'
  | 'connect and close'
  | 'connect and wait'
  | 'ask and leave'
  | 'ask and half-close'
  | 'never read'
  | 'drip'
  | 'crumbs'
  | 'lumps'
  | 'ping';

export interface HostileRequest {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Orders {
  readonly baseUrl: string;
  /** Own address of the client: one of 127.0.0.0/8. */
  readonly address: string;
  readonly seconds: number;
  readonly connections: number;
  readonly behaviour: Behaviour;
  /** All connections together go through the list, over and over. */
  readonly requests: readonly HostileRequest[];
}

export interface FloodReport {
  readonly tried: number;
  /** How often each status came back; `gone`: the connection was closed before a response. */
  readonly statuses: Readonly<Record<string, number>>;
  /** The beginning of the first body with each status: whether a flood does what its name says. */
  readonly samples: Readonly<Record<string, string>>;
}

const program = fileURLToPath(new URL('flooding-process.mjs', import.meta.url));

/** Floods from a process of its own until the time of the orders is over. */
export const flood = (orders: Orders): Promise<FloodReport> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'inherit'] });
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (part: string) => (text += part));
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve(JSON.parse(text) as FloodReport);
      else reject(new Error(`the hostile client ended with ${code}`));
    });
    child.stdin.end(JSON.stringify(orders));
  });
