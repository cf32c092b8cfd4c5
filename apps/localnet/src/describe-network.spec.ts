import { afterEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { developmentNetwork } from '@shardnode/protocol/network';
import { describeNetwork } from './describe-network.js';
import { readLocalnetConfiguration } from './settings.js';

const answers: Readonly<Record<string, object>> = {
  '/health/ready': { ready: true },
  '/infos/self-clique': { nodes: [{ wsPort: 21_973 }] },
};

const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
const hasIpv6 = addresses.some(({ address }) => address === '::1');

describe('the addresses of an announcement', () => {
  let server: Server;
  afterEach(() => void server.close());

  const described = async (HOST: string) => {
    const configuration = readLocalnetConfiguration({ HOST });
    server = createServer(({ url = '' }, response) => response.end(JSON.stringify(answers[url] ?? {})));
    server.listen(0, configuration.settings.HOST);
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const inner = [
      { name: 'group-node-0', port: 12_980 },
      { name: 'explorer', port: 19_091 },
    ];
    const started = { ...configuration, network: { ...developmentNetwork, allocations: [] } };
    return { port, ...(await describeNetwork({ ...started, port, explorerPort: 19_091, inner })) };
  };

  it.each([
    ['127.0.0.1', '127.0.0.1'],
    ['0.0.0.0', '127.0.0.1'],
    ['localhost', 'localhost'],
    ...(hasIpv6
      ? [
          ['::1', '[::1]'],
          ['[::1]', '[::1]'],
          ['0:0:0:0:0:0:0:1', '[::1]'],
          ['::', '127.0.0.1'],
        ]
      : []),
  ])('%s: %s', async (HOST, host) => {
    const { port, ...announced } = await described(HOST!);
    expect(announced).toMatchObject({
      baseUrl: `http://${host}:${port}`,
      docsUrl: `http://${host}:${port}/docs`,
      explorerUrl: `http://${host}:19091`,
      wsUrl: `ws://${host}:21973/events`,
      services: [
        { name: 'gateway', url: `http://${host}:${port}` },
        { name: 'group-node-0', url: 'http://127.0.0.1:12980' },
        { name: 'explorer', url: `http://${host}:19091` },
      ],
    });
  });
});
