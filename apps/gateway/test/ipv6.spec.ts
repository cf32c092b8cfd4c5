import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { request } from 'node:http';
import { networkInterfaces } from 'node:os';
import { WebSocket } from 'ws';
import { createInProcessNetwork, type BusNetwork } from '@shardnode/core/bus';
import { systemClock } from '@shardnode/core/lifecycle';
import { silentLogger } from '@shardnode/core/observability';
import { type RunningService } from '@shardnode/core/service';
import { developmentNetwork } from '@shardnode/protocol/network';
import { create, defaultGatewayChoices, httpOf, pushOf } from '../src/index.js';
import { readGatewaySettings } from '../src/settings/configuration.js';

const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
const describeWithIpv6 = addresses.some(({ address }) => address === '::1') ? describe : describe.skip;

const opens = (url: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = new WebSocket(url);
    socket.once('open', () => resolve(true)).once('error', () => resolve(false));
    socket.once('open', () => socket.terminate());
  });

const statusWith = (port: number, host: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const options = { host: '::1', port, path: '/infos/version', headers: { host } };
    request(options, (response) => resolve(response.resume().statusCode))
      .once('error', reject)
      .end();
  });

describeWithIpv6('a gateway that listens on an IPv6 address', () => {
  let network: BusNetwork;
  const running: RunningService[] = [];
  beforeAll(() => void (network = createInProcessNetwork()));
  afterAll(async () => {
    for (const gateway of running) await gateway.stop();
    await network.close();
  });

  const listening = async (HOST: string): Promise<RunningService> => {
    const settings = readGatewaySettings({ HOST, PORT: '0', WS_PORT: '0', API_KEY_REQUIRED: 'false' });
    const gateway = await create(
      {
        ...defaultGatewayChoices,
        apiKeyRequired: false,
        ns: 'ipv6',
        network: developmentNetwork,
        http: httpOf(settings),
        push: pushOf(settings),
      },
      { network, clock: systemClock, logger: silentLogger },
    );
    await gateway.start();
    running.push(gateway);
    return gateway;
  };

  const pushPortOf = async (base: string): Promise<{ address: string; wsPort: number }> => {
    const { nodes } = (await (await fetch(`${base}/infos/self-clique`)).json()) as {
      nodes: { address: string; wsPort: number }[];
    };
    return nodes[0]!;
  };

  it.each(['::1', '[::1]'])('%s: answers there, and pushes', async (host) => {
    const base = `http://[::1]:${(await listening(host)).port}`;
    expect((await fetch(`${base}/health/live`)).status).toBe(200);
    const { address, wsPort } = await pushPortOf(base);
    expect(address).toBe('::1');
    expect(await opens(`ws://[::1]:${wsPort}/events`)).toBe(true);
  });

  it('::, all interfaces: answers by IPv4 and IPv6', async () => {
    const { port } = await listening('::');
    for (const host of ['127.0.0.1', '[::1]']) {
      const base = `http://${host}:${port}`;
      expect((await fetch(`${base}/health/live`)).status).toBe(200);
      expect(await opens(`ws://${host}:${(await pushPortOf(base)).wsPort}/events`)).toBe(true);
    }
  });

  it('takes every form of its address in the header Host', async () => {
    const { port } = await listening('::1');
    for (const host of [`[::1]:${port}`, '[::1]', `[0:0:0:0:0:0:0:1]:${port}`, `localhost:${port}`]) {
      expect([host, await statusWith(port, host)]).toEqual([host, 200]);
    }
    expect(await statusWith(port, 'evil.example')).toBe(403);
  });
});

describe('a gateway whose HOST is a name', () => {
  it('is reached by that name', async () => {
    const network = createInProcessNetwork();
    const http = { host: 'node.example', port: 0, listens: false };
    const gateway = await create(
      { ...defaultGatewayChoices, apiKeyRequired: false, ns: 'named', network: developmentNetwork, http },
      { network, clock: systemClock, logger: silentLogger },
    );
    await gateway.start();
    const statusOf = async (host: string): Promise<number> =>
      (await gateway.handle({ method: 'GET', url: `http://${host}/infos/version` })).status;
    expect(await statusOf('node.example')).toBe(200);
    expect(await statusOf('other.example')).toBe(403);
    await gateway.stop();
    await network.close();
  });
});
