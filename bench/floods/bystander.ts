/** Another client beside a flood: reads, and a transfer every second. */
import { setTimeout as pause } from 'node:timers/promises';
import { sign } from '@shardnode/protocol/crypto';
import { bytesToHex, hexToBytes } from '@shardnode/protocol/encoding';
import { testKeyOfGroup, type TestKey } from '@shardnode/testing/keys';
import { percentile } from '@shardnode/testing/statistics';
import { type ApiClient, apiClient, type Method } from '../../e2e/kit/api-client.js';
import { watchEventLoop } from '../event-loop.js';

/** Times in milliseconds. */
export interface Experience {
  readonly median: number;
  readonly p99: number;
  readonly slowest: number;
  readonly requests: number;
  /** Transfers built, signed and submitted; the last two requests of each count in the figures above. */
  readonly transfers: number;
  /** Responses other than 200, and connections that broke or were silent for too long. */
  readonly failed: readonly string[];
  /** Event-loop delay of this client itself, which is not the server's fault. */
  readonly ownDelayP99: number;
}

/** Milliseconds between two requests of one reader; there are four. */
const everyMs = 40;
const patienceMs = 30_000;

interface Built {
  readonly unsignedTx: string;
  readonly txId: string;
}

class Client {
  readonly latencies: number[] = [];
  readonly failed: string[] = [];
  private readonly api: ApiClient;

  constructor(baseUrl: string) {
    this.api = apiClient(() => baseUrl, 8);
  }

  /** Undefined when it failed, which is recorded. */
  async send<T>(method: Method, path: string, body?: unknown): Promise<T | undefined> {
    const began = performance.now();
    try {
      const { status, text } = await this.api.send(method, path, { body, timeoutMs: patienceMs });
      if (status === 200) return JSON.parse(text) as T;
      this.failed.push(`${method} ${path}: ${status} ${text.slice(0, 200)}`);
    } catch (error) {
      this.failed.push(`${method} ${path}: ${(error as Error).message}`);
    } finally {
      this.latencies.push(performance.now() - began);
    }
    return undefined;
  }

  close(): void {
    this.api.close();
  }
}

/** Reads balances and the version, and pays one coin from each key in turn. */
export const standBy = async (
  baseUrl: string,
  keys: readonly TestKey[],
  isOver: () => boolean,
): Promise<Experience> => {
  const client = new Client(baseUrl);
  const own = watchEventLoop();
  let transfers = 0;
  const read = async (key: TestKey): Promise<void> => {
    const paths = [`/addresses/${key.address}/balance`, '/infos/version'];
    for (let turn = 0; !isOver(); turn++) {
      await client.send('GET', paths[turn % paths.length]!);
      await pause(everyMs);
    }
  };
  const pay = async (): Promise<void> => {
    for (let turn = 0; !isOver(); turn++) {
      const from = keys[turn % keys.length]!;
      const destinations = [{ address: testKeyOfGroup(turn % 4).address, attoCoinAmount: `1${'0'.repeat(18)}` }];
      const fromPublicKey = bytesToHex(from.publicKey);
      const built = await client.send<Built>('POST', '/transactions/build', { fromPublicKey, destinations });
      if (built) {
        const signature = bytesToHex(sign(hexToBytes(built.txId), from.privateKey));
        const sent = await client.send('POST', '/transactions/submit', { unsignedTx: built.unsignedTx, signature });
        if (sent !== undefined) transfers += 1;
      }
      for (let waited = 0; waited < 1_000 && !isOver(); waited += 50) await pause(50);
    }
  };
  await Promise.all([...keys.map(read), pay()]);
  client.close();
  const { latencies, failed } = client;
  return {
    median: percentile(latencies, 50),
    p99: percentile(latencies, 99),
    slowest: Math.max(...latencies),
    requests: latencies.length,
    transfers,
    failed,
    ownDelayP99: own.p99(),
  };
};
