import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ChildService } from './child-service.js';

const program = `
console.log('reader closed', new Error('a library prints what it likes'));
console.log('{"level":30,"msg":"a line of a log"}');
console.log(JSON.stringify({ service: 'group-node-0', port: 4711, pid: process.pid, startedInMs: 1 }));
process.on('SIGTERM', () => process.exit(0));
setInterval(() => console.error('{"level":30,"msg":"alive"}'), 5);
`;

describe('a service of the cluster', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'shardnode-child-'));
    writeFileSync(join(folder, 'program.mjs'), program);
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  const open = (logFile: string) => {
    const told: string[] = [];
    const parts = { name: 'group-node-0', file: join(folder, 'program.mjs'), environment: {} };
    const service = new ChildService(
      { ...parts, portSetting: 'HEALTH_PORT' },
      { logFile, tell: (line) => void told.push(line) },
    );
    return { service, told };
  };

  it('is ready by its own line, whatever else its libraries print', async () => {
    const { service } = open(join(folder, 'logs', 'a.log'));
    expect(await service.start()).toMatchObject({ service: 'group-node-0', port: 4711 });
    expect(service.port).toBe(4711);
    await service.stop();
  });

  (existsSync('/dev/full') ? it : it.skip)('goes on when the disk of its log is full, and says so once', async () => {
    const { service, told } = open('/dev/full');
    await service.start();
    while (!told.some((line) => line.includes('ENOSPC'))) await new Promise((resolve) => setTimeout(resolve, 5));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(told.filter((line) => line.includes('its log ends here'))).toHaveLength(1);
    await service.stop();
  });
});
