import { type ClientRequest, get, type IncomingMessage } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { developmentKeys } from '@shardnode/testing/keys';
import { until } from '@shardnode/testing/waiting';
import { type Explorer, openExplorer } from './support/open-explorer.js';

/** Bytes of a transaction: 100 of them are more than a connection takes that nobody reads. */
const transactionBytes = 150_000;

describe('answers larger than 1 MiB', () => {
  let explorer: Explorer;
  let path: string;
  let requests: ClientRequest[];
  let answers: IncomingMessage[];
  beforeAll(async () => {
    explorer = await openExplorer(4, undefined, {
      http: { host: '127.0.0.1', port: 0, accessLog: false, trustedProxies: ['127.0.0.1'] },
    });
    const { address } = (await developmentKeys())[0]!;
    path = `/addresses/${address}/mempool/transactions`;
    await explorer.database.script(`
      INSERT INTO explorer.pending_txs (hash, chain_from, chain_to, gas_amount, gas_price, last_seen, inputs, outputs)
        SELECT decode(lpad(to_hex(n), 64, '0'), 'hex'), 0, 0, 1, 1, n, '[]',
          jsonb_build_array(repeat('a', ${transactionBytes})) FROM generate_series(1, 100) n;
      INSERT INTO explorer.pending_tx_addresses SELECT '${address}', hash FROM explorer.pending_txs`);
  });
  afterAll(() => explorer.close());
  beforeEach(() => {
    requests = [];
    answers = [];
  });
  afterEach(() => {
    for (const request of requests) request.destroy();
  });

  /** Asks, and reads nothing of the answer. */
  const ask = (client: string, query = ''): void => {
    const options = { port: explorer.api.port, path: `${path}${query}`, headers: { 'x-forwarded-for': client } };
    const request = get({ ...options, host: '127.0.0.1', agent: false }, (answer) => {
      answers.push(answer.on('error', () => undefined));
    });
    requests.push(request.on('error', () => undefined));
  };
  const statuses = (): number[] => answers.map(({ statusCode }) => statusCode!).sort();
  const untilAnswered = (count: number) => until(`${count} answers`, () => answers.length >= count);

  it('are two for one client until it reads them, eight wait, and more are refused', async () => {
    for (let i = 0; i < 12; i++) ask('203.0.113.1');
    await untilAnswered(4);
    expect(statuses()).toEqual([200, 200, 429, 429]);
    expect(answers.find(({ statusCode }) => statusCode === 429)!.headers['retry-after']).toBe('5');
    // Small answers and those of others need none of its permits.
    ask('203.0.113.1', '?limit=1');
    ask('203.0.113.2');
    await untilAnswered(6);
    expect(statuses()).toEqual([200, 200, 200, 200, 429, 429]);
    const [first] = answers.filter(({ statusCode }) => statusCode === 200);
    first!.resume();
    await untilAnswered(7);
    expect(statuses()).toEqual([200, 200, 200, 200, 200, 429, 429]);
  });
});
