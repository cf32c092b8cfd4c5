import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { EventStream } from '@shardnode/testing/event-stream';
import { until } from '@shardnode/testing/waiting';
import { type Explorer, openExplorer } from './support/open-explorer.js';

describe('the places of the stream', () => {
  let explorer: Explorer;
  let streams: EventStream[];
  beforeEach(async () => {
    streams = [];
    explorer = await openExplorer(3, undefined, {
      streamMaxClients: 20,
      http: { host: '127.0.0.1', port: 0, accessLog: false, trustedProxies: ['127.0.0.1'] },
    });
  });
  afterEach(async () => {
    for (const stream of streams) stream.close();
    await explorer.close();
  });

  const listen = async (client: string): Promise<EventStream> => {
    const url = `http://127.0.0.1:${explorer.api.port}/stream`;
    const stream = await EventStream.open(url, { 'x-forwarded-for': client });
    streams.push(stream);
    return stream;
  };
  const statusesOf = async (clients: readonly string[]): Promise<number[]> => {
    const statuses: number[] = [];
    for (const client of clients) statuses.push((await listen(client)).status);
    return statuses;
  };

  it.each([
    ['an IPv4 address', Array.from({ length: 5 }, () => '203.0.113.1')],
    ['the first half of an IPv6 address', Array.from({ length: 5 }, (_, i) => `2001:db8::${i}`)],
  ])('are a tenth for %s, and the others are left', async (_what, clients) => {
    expect(await statusesOf(clients)).toEqual([200, 200, 429, 429, 429]);
    expect(streams.at(-1)!.response.headers['retry-after']).toBe('30');
    expect(await statusesOf(['203.0.113.2', '203.0.113.2', '2001:db8:0:1::1'])).toEqual([200, 200, 200]);
  });

  it('are free again when a client leaves', async () => {
    const client = '203.0.113.1';
    expect(await statusesOf([client, client, client])).toEqual([200, 200, 429]);
    streams[0]!.close();
    await until('a place is free', async () => (await listen(client)).status === 200);
    expect(await statusesOf([client])).toEqual([429]);
  });

  it('are refused with 503 when all are taken, whoever asks', async () => {
    const clients = Array.from({ length: 20 }, (_, i) => `203.0.113.${i % 10}`);
    expect(new Set(await statusesOf(clients))).toEqual(new Set([200]));
    expect(await statusesOf(['203.0.113.1', '203.0.113.99'])).toEqual([503, 503]);
  });
});
