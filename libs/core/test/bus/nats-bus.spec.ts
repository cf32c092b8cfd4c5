import { afterAll, beforeAll } from '@jest/globals';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openNatsNetwork } from '@shardnode/core/bus';
import { silentLogger } from '@shardnode/core/observability';
import { startNats, type ServerProcess } from '@shardnode/core/servers';
import { describeWithServers } from '@shardnode/testing/servers';
import { describeBusContract } from './bus-contract.js';

describeWithServers(['nats'], 'bus over NATS', () => {
  let server: ServerProcess;
  beforeAll(async () => {
    server = await startNats({ folder: mkdtempSync(join(tmpdir(), 'bus-nats-')) });
  });
  afterAll(() => server.remove());

  describeBusContract('NATS', async () => openNatsNetwork({ servers: [server.url], logger: silentLogger }));
});
