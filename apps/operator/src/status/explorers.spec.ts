import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { freePort } from '@shardnode/core/servers';
import { givenPlaces } from '../network/service-places.js';
import { explorerLines, explorerReports } from './explorers.js';

const chain = (chainTo: number, height: number, nodeHeight: number | null, state = 'following') => ({
  chainFrom: 0,
  chainTo,
  height,
  nodeHeight,
  state,
});
const sync = { phase: 'live', lagMs: 2_100, chains: [chain(0, 1_499, 1_501), chain(1, 9, null, 'ChainStopped')] };

describe('the explorers of a status', () => {
  const server = createServer(({ url }, response) => {
    response.end(JSON.stringify(url === '/infos/sync' && isExplorer ? sync : {}));
  });
  let place: string;
  let isExplorer = true;
  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    place = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => void server.close());

  const linesOf = async (services: string): Promise<string[]> =>
    explorerLines(await explorerReports(givenPlaces({ SERVICES: services })!));

  it('are a table, and below it what they do not follow', async () => {
    expect(await linesOf(`gateway=${place},explorer=${place}`)).toEqual([
      '',
      'explorer  phase  blocks  behind  newest block',
      '--------  -----  ------  ------  ------------',
      'explorer  live    1,510       2  2 s ago',
      '',
      'explorer: chain 0 -> 1 ChainStopped',
    ]);
  });

  it('may not answer, or not serve', async () => {
    expect((await linesOf(`explorer-2=127.0.0.1:${await freePort()}`)).slice(3)).toEqual([
      'explorer-2  no answer',
      '',
      expect.stringMatching(/^explorer-2: connect ECONNREFUSED/),
    ]);
    isExplorer = false;
    expect((await linesOf(`explorer=${place}`)).slice(-1)).toEqual([
      'explorer: GET /infos/sync: 200, which is not what an explorer answers',
    ]);
    expect(await linesOf(`gateway=${place}`)).toEqual([]);
  });
});
