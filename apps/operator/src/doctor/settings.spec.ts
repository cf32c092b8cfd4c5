import { describe, expect, it } from '@jest/globals';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { checkPorts } from './check-ports.js';
import { givenPlaces } from '../network/service-places.js';
import { readDoctorSettings } from './settings.js';

const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
const itWithIpv6 = addresses.some(({ address }) => address === '::1') ? it : it.skip;

describe('SERVICES', () => {
  it.each([
    ['gateway=127.0.0.1:12973', '127.0.0.1'],
    ['gateway=node.example:12973', 'node.example'],
    ['gateway=[::1]:12973', '::1'],
    ['gateway=[0:0:0:0:0:0:0:1]:12973', '::1'],
  ])('%s: %s', (SERVICES, host) => {
    expect(givenPlaces({ SERVICES })).toEqual([{ name: 'gateway', host, port: 12_973 }]);
  });

  it.each(['gateway=::1:12973', 'gateway=[::1]', 'gateway=http://127.0.0.1:12973', 'gateway=[node]:1'])(
    '%s is refused',
    (SERVICES) => {
      expect(() => givenPlaces({ SERVICES })).toThrow(/^SERVICES must be names and places like .*\[::1\]:12973/);
    },
  );

  itWithIpv6('of an IPv6 address is asked there', async () => {
    const server = createServer((_, response) => response.end(JSON.stringify({ of: 'another program' })));
    await new Promise<void>((resolve) => server.listen(0, '::1', resolve));
    const { port } = server.address() as AddressInfo;
    const settings = readDoctorSettings({ SERVICES: `gateway=[::1]:${port}` });
    const [finding] = await checkPorts(settings, { reports: [], busIds: [], held: [] });
    server.close();
    expect(finding).toMatchObject({ code: 'port-busy', text: expect.stringContaining(`listens at [::1]:${port}:`) });
  });
});
