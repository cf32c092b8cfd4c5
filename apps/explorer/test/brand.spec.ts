import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { MemoryNode, memoryNodeTarget } from '@shardnode/testing/memory-node';
import { readHistory } from '@shardnode/testing/replay';
import { historyFolder } from '@shardnode/testing/vectors';
import { FollowedNode } from './recorded-answers/followed-node.js';
import { type Explorer, openExplorer } from './support/open-explorer.js';

const history = readHistory(historyFolder('chain-tokens'));
let explorer: Explorer;
beforeAll(async () => {
  const brand = { coinName: 'Alph', coinSymbol: 'ALPH' };
  explorer = await openExplorer(history.settings.groups, undefined, { brand });
  const node = new FollowedNode(history, memoryNodeTarget(new MemoryNode(history.settings)), explorer.index);
  await node.importUpTo(20);
  await node.follow();
});
afterAll(() => explorer?.close());

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`http://127.0.0.1:${explorer.api.port}${path}`, { headers });

it('names the coin in fields of answers, also of compressed ones', async () => {
  for (const encoding of ['gzip', 'identity']) {
    const text = await (await get('/transactions?limit=5', { 'accept-encoding': encoding })).text();
    expect(text).toContain('"attoAlphAmount":"');
    expect(text).not.toContain('attoCoinAmount');
  }
});

it('answers the brand’s paths as the neutral ones', async () => {
  const [branded, neutral] = [await get('/tokens/holders/alph'), await get('/tokens/holders/coin')];
  expect([branded.status, neutral.status]).toEqual([200, 200]);
  const holders = (await branded.json()) as unknown[];
  expect(holders.length).toBeGreaterThan(0);
  expect(await neutral.json()).toEqual(holders);
  const answer = await fetch(`http://127.0.0.1:${explorer.api.port}/tokens/holders/alph`, { method: 'HEAD' });
  expect(answer.status).toBe(200);
});

it('describes its names', async () => {
  const text = await (await get('/docs/openapi.json')).text();
  expect(text).toContain('attoAlphAmount');
  expect(text).not.toMatch(/attoCoin/);
  const paths = Object.keys((JSON.parse(text) as { paths: object }).paths);
  expect(paths).toContain('/tokens/holders/alph');
  expect(paths).not.toContain('/tokens/holders/coin');
});
