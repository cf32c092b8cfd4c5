import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Ready } from './kit/deployment.js';
import { beginEmbedded } from './kit/embedded-deployment.js';
import { type Network, startNetwork } from './kit/network.js';

interface Service {
  readonly name: string;
  readonly url: string;
}

/** What operators look at: every service tells where its health and metrics are, and has them there. */
describe('health and metrics', () => {
  let network: Network;
  let services: readonly Service[];
  beforeAll(async () => {
    network = await startNetwork();
    services = (network.ready as Ready & { readonly services: readonly Service[] }).services;
  });
  afterAll(() => network?.remove());

  const text = async (service: Service, path: string): Promise<string> => (await fetch(service.url + path)).text();

  it('are announced for all six services', () => {
    const names = ['gateway', 'group-node-0', 'group-node-1', 'group-node-2', 'group-node-3', 'wallet-service'];
    expect(services.map(({ name }) => name)).toEqual(names);
    expect(new Set(services.map(({ url }) => url)).size).toBe(6);
    expect(services[0]!.url).toBe(network.ready.baseUrl);
  });

  it('answer, with the name of the service on each metric', async () => {
    for (const service of services) {
      expect(JSON.parse(await text(service, '/health/live'))).toMatchObject({});
      expect(JSON.parse(await text(service, '/health/ready'))).toEqual({ ready: true, reasons: [] });
      expect(await text(service, '/metrics')).toContain(`service="${service.name}"`);
    }
  });

  it('tell of the event loop, the memory, the bus and the import', async () => {
    const [gateway, groupNode] = services as [Service, Service];
    const ofGateway = await text(gateway, '/metrics');
    expect(ofGateway).toMatch(/event_loop_delay_p99_seconds\{service="gateway"\} [0-9.e-]+\n/);
    expect(ofGateway).toMatch(/process_resident_memory_bytes\{service="gateway"\} [0-9.e+]+\n/);
    expect(ofGateway).toMatch(/bus_request_duration_seconds_count\{[^}]*outcome="ok"\} [1-9]/);
    expect(await text(groupNode, '/metrics')).toMatch(/group_node_synced\{service="group-node-0"\} 1\n/);
  });

  it('on ports that somebody asks for and that are taken end the start with one sentence', async () => {
    const taken = new URL(services[1]!.url).port;
    const began = performance.now();
    const second = beginEmbedded({ PORT: '0', HEALTH_PORT: taken, DATA_DIR: `${network.ready.dataDir}-second` });
    expect(await second.ended).toMatchObject({ code: 1 });
    const said = second.standardError().trim();
    expect(said).toMatch(new RegExp(`^HEALTH_PORT must .* 127.0.0.1:${taken} is taken; choose another.*$`));
    expect(performance.now() - began).toBeLessThan(8_000);
  });
});
