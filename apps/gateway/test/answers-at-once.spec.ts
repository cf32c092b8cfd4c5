import { afterEach, describe, expect, it } from '@jest/globals';
import { startFakeNetwork, type FakeNetwork } from './fakes/fake-network.js';

const path = '/infos/version';
const key = 'k'.repeat(32);

const headersOf = async (
  network: FakeNetwork,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ status: number; text: string; headers: Record<string, string> }> => {
  const answer = await fetch(`${network.base}${path}`, { headers });
  const told = Object.fromEntries([...answer.headers].filter(([name]) => name !== 'date'));
  return { status: answer.status, text: await answer.text(), headers: told };
};

/** Requests that the metrics know of. */
const countedOf = async (network: FakeNetwork): Promise<number> => {
  const metrics = await (await fetch(`${network.base}/metrics`)).text();
  const line = metrics
    .split('\n')
    .find((text) => text.startsWith('http_request_duration_seconds_count') && text.includes(`route="${path}"`));
  return Number(line?.split(' ').at(-1) ?? 0);
};

describe('an answer that is there', () => {
  let network: FakeNetwork;
  afterEach(() => network.stop());

  it('is the same whether it was asked for before or not, with its headers, and is counted', async () => {
    network = await startFakeNetwork();
    const usual = await headersOf(network, { 'x-request-id': 'mine' });
    const atOnce = await headersOf(network, { 'x-request-id': 'mine' });
    expect(atOnce).toEqual(usual);
    expect(usual.headers['x-request-id']).toBe('mine');
    expect(await countedOf(network)).toBe(2);
  });

  it('has an id of its own for each request, whatever the client sends', async () => {
    network = await startFakeNetwork();
    const ids = [];
    for (let i = 0; i < 4; i++)
      ids.push((await headersOf(network, { 'x-request-id': 'no id \t' })).headers['x-request-id']);
    expect(new Set(ids).size).toBe(4);
    expect(ids).not.toContain('no id');
  });

  it('is only for those who have the key', async () => {
    network = await startFakeNetwork({ apiKey: key });
    const right = { 'x-api-key': key };
    for (let i = 0; i < 2; i++) expect((await headersOf(network, right)).status).toBe(200);
    expect((await headersOf(network)).status).toBe(401);
    expect((await headersOf(network, { 'x-api-key': 'x'.repeat(32) })).status).toBe(401);
    expect((await headersOf(network, { 'x-api-key': 'short' })).status).toBe(400);
  });

  it('is refused to a key that nobody wants', async () => {
    network = await startFakeNetwork();
    for (let i = 0; i < 2; i++) expect((await headersOf(network)).status).toBe(200);
    expect((await headersOf(network, { 'x-api-key': key })).status).toBe(401);
  });

  it('tells pages of other origins what they may read', async () => {
    network = await startFakeNetwork({ corsOrigins: ['https://wallet.example'] });
    const page = { origin: 'https://wallet.example' };
    for (let i = 0; i < 2; i++) {
      const { headers } = await headersOf(network, page);
      expect(headers['access-control-allow-origin']).toBe('https://wallet.example');
    }
  });

  it('counts towards the limit of requests like any other', async () => {
    network = await startFakeNetwork({ rateLimit: 100 });
    const statuses = [];
    for (let i = 0; i < 101; i++) statuses.push((await headersOf(network)).status);
    expect(statuses.slice(0, 100).every((status) => status === 200)).toBe(true);
    expect(statuses[100]).toBe(429);
  });
});
