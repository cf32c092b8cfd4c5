import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FolderLock, lockFolder } from '@shardnode/core/database';
import { examine } from '../doctor/doctor.js';
import { localStatusLines } from '../status/local-status.js';
import { findLocalNetwork, readLocalHealth } from './local-network.js';

const heights = [
  [1_500, 3],
  [3, 7],
];
const group = (index: number, reasons: readonly string[] = []) => ({
  service: `group-node-${index}`,
  group: index,
  ready: reasons.length === 0,
  reasons,
  heights,
  blocksBehind: 0,
  mempool: { size: 2 },
});
const healthy = { networkId: 4, groups: [group(0), group(1)], services: [{ ...group(0), service: 'gateway' }] };

describe('the network of npm start', () => {
  const folder = mkdtempSync(join(tmpdir(), 'shardnode-local-'));
  let answered: unknown = healthy;
  const server = createServer((_request, response) => void response.end(JSON.stringify(answered)));
  let lock: FolderLock;
  let environment: Record<string, string>;
  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const port = String((server.address() as AddressInfo).port);
    environment = { DATA_DIR: folder, PORT: port, EXPLORER_PORT: port };
    writeFileSync(join(folder, 'database.json'), '{}');
    lock = lockFolder(folder);
  });
  afterAll(() => {
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('is found by its lock, unless the command is about another network', () => {
    expect(findLocalNetwork({ environment })).toMatchObject({ folder, pid: process.pid });
    expect(findLocalNetwork({ environment: { ...environment, NATS_URL: 'nats://10.0.0.1' } })).toBeUndefined();
    expect(findLocalNetwork({ environment, cluster: 'data/cluster' })).toBeUndefined();
    expect(findLocalNetwork({ environment: { DATA_DIR: join(folder, 'none') } })).toBeUndefined();
  });

  it('has a table, and below it why a service is not ready', async () => {
    answered = { ...healthy, groups: [group(0), group(1, ['database: away'])] };
    const network = findLocalNetwork({ environment })!;
    expect(localStatusLines(network, await readLocalHealth(network))).toEqual([
      `The network of npm start runs (process ${process.pid}, ${folder}): ${network.url}/health/cluster`,
      '',
      'Network id 4: 1 of 2 groups ready',
      '',
      'group  ready  own heights  behind  pending',
      '-----  -----  -----------  ------  -------',
      '    0  yes    1,500 3           0        2',
      '    1  no     3 7               0        2',
      '',
      'group-node-1: database: away',
    ]);
  });

  it('is examined without its bus', async () => {
    answered = { ...healthy, groups: [group(0), group(1, ['database: away'])] };
    const wrong = (await examine({ environment })).filter(({ outcome }) => outcome === 'fault');
    expect(wrong).toMatchObject([{ what: 'group-node-1', text: 'database: away' }]);
    answered = { another: 'program' };
    expect((await examine({ environment })).map(({ code }) => code)).toContain('local-network-silent');
  });

  it('is gone when it is released', () => {
    lock.release();
    expect(findLocalNetwork({ environment })).toBeUndefined();
  });
});
