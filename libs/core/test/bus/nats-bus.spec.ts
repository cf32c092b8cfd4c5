import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openNatsNetwork } from '@shardnode/core/bus';
import { silentLogger } from '@shardnode/core/observability';
import { startNats, type ServerProcess } from '@shardnode/core/servers';
import { createChaos } from '@shardnode/testing/chaos';
import { describeWithServers } from '@shardnode/testing/servers';
import { describeBusContract } from './bus-contract.js';
import { describeBusFaults, type FaultyNetwork } from './bus-faults.js';
import { NatsProxy } from './nats-proxy.js';

describeWithServers(['nats'], 'bus over NATS', () => {
  let server: ServerProcess;
  beforeAll(async () => {
    server = await startNats({ folder: mkdtempSync(join(tmpdir(), 'bus-nats-')) });
  });
  afterAll(() => server.remove());

  it('has a name that its members have alike, and another bus has not', async () => {
    const other = await startNats({ folder: mkdtempSync(join(tmpdir(), 'bus-nats-')) });
    const proxy = await NatsProxy.open(server.port);
    const networks = [server.url, proxy.url, other.url].map((url) =>
      openNatsNetwork({ servers: [url], logger: silentLogger }),
    );
    const names = await Promise.all(
      networks.map(async (network) => {
        const member = await network.join({ sender: { service: 'gateway' }, logger: silentLogger });
        return member.busId;
      }),
    );
    await Promise.all(networks.map((network) => network.close()));
    await proxy.close();
    await other.remove();
    expect(names[0]).toMatch(/^N[A-Z0-9]+$/);
    expect(names[1]).toBe(names[0]);
    expect(names[2]).not.toBe(names[0]);
  });

  describeBusContract('NATS', async () => openNatsNetwork({ servers: [server.url], logger: silentLogger }));

  describeBusFaults('NATS', async (): Promise<FaultyNetwork> => {
    const proxy = await NatsProxy.open(server.port);
    return {
      network: openNatsNetwork({ servers: [proxy.url], logger: silentLogger }),
      setChaos: (chaos) => {
        proxy.chaos = chaos && createChaos(chaos);
      },
      takeAway: () => proxy.cut(),
      giveBack: () => proxy.mend(),
      close: () => proxy.close(),
    };
  });
});
