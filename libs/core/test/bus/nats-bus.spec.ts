import { afterAll, beforeAll } from '@jest/globals';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createChaos, openNatsNetwork } from '@shardnode/core/bus';
import { silentLogger } from '@shardnode/core/observability';
import { startNats, type ServerProcess } from '@shardnode/core/servers';
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
