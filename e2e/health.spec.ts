import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeNetwork } from './kit/deployment-under-test.js';
import { type Network, startNetwork } from './kit/network.js';

interface Service {
  readonly name: string;
  readonly url: string;
}

/** What operators look at: every service tells where its health and metrics are, and has them there. */
describeNetwork('health and metrics', () => {
  let network: Network;
  let services: readonly Service[];
  beforeAll(async () => {
    network = await startNetwork();
    services = network.ready.services;
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
      expect(JSON.parse(await text(service, '/health/ready'))).toEqual({ ready: true, reasons: [], problems: [] });
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
});
