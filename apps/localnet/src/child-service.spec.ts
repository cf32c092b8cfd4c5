import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createStoppedClock } from '@shardnode/testing/clocks';
import { until } from '@shardnode/testing/waiting';
import { ChildService } from './child-service.js';

const program = `
console.log('reader closed', new Error('a library prints what it likes'));
console.log('{"level":30,"msg":"a line of a log"}');
console.log(JSON.stringify({ service: 'group-node-0', port: 4711, pid: process.pid, startedInMs: 1 }));
process.on('SIGTERM', () => process.exit(0));
setInterval(() => console.error(JSON.stringify({ level: 30, pid: process.pid, msg: 'alive' })), 5);
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
    const clock = createStoppedClock();
    const parts = { name: 'group-node-0', file: join(folder, 'program.mjs'), environment: {} };
    const service = new ChildService(
      { ...parts, portSetting: 'HEALTH_PORT' },
      { logFile, clock, print: (line) => void told.push(line) },
    );
    return { service, told, clock };
  };

  it('is ready by its own line, whatever its libraries print', async () => {
    const { service } = open(join(folder, 'logs', 'a.log'));
    expect(await service.start()).toMatchObject({ service: 'group-node-0', port: 4711 });
    expect(service.port).toBe(4711);
    await service.stop();
  });

  it('stays stopped while it is held, and runs again when it is released', async () => {
    const { service, told } = open(join(folder, 'logs', 'b.log'));
    const first = await service.start();
    expect(service.state).toBe('running');
    await service.hold();
    expect(service.state).toBe('held');
    expect(() => process.kill(first.pid, 0)).toThrow('ESRCH');
    const second = await service.release();
    expect([service.state, second.pid === first.pid]).toEqual(['running', false]);
    const third = await service.restart();
    expect(third.pid).not.toBe(second.pid);
    // None of these ends was reported as a failure.
    expect(told).toEqual([]);
    await service.stop();
    expect(() => process.kill(third.pid, 0)).toThrow('ESRCH');
  });

  it('is not restarted when it is held after its death', async () => {
    const { service, told, clock } = open(join(folder, 'logs', 'c.log'));
    const { pid } = await service.start();
    process.kill(pid, 'SIGKILL');
    await until('its end is told', () => told.length > 0);
    expect(told).toEqual(['group-node-0 ended by SIGKILL; it is started again in 1 s']);
    expect(service.state).toBe('down');
    await service.hold();
    // No timer is left that would restart it.
    expect(clock.pendingTimers).toBe(0);
    expect([service.state, told.length]).toEqual(['held', 1]);
    await service.stop();
  });

  it('reports why it does not start after a release, and is retried', async () => {
    const { service, told, clock } = open(join(folder, 'logs', 'd.log'));
    await service.start();
    await service.hold();
    renameSync(join(folder, 'program.mjs'), join(folder, 'elsewhere.mjs'));
    try {
      await expect(service.release()).rejects.toThrow('Cannot find module');
    } finally {
      renameSync(join(folder, 'elsewhere.mjs'), join(folder, 'program.mjs'));
    }
    expect(told).toEqual([expect.stringMatching(/group-node-0 ended with code 1.*started again in 1 s/s)]);
    clock.advance(1_000);
    await until('it runs', () => service.state === 'running');
    await service.stop();
  });

  it('logs that it was killed', async () => {
    const logFile = join(folder, 'logs', 'killed.log');
    const { service, told, clock } = open(logFile);
    const { pid } = await service.start();
    process.kill(pid, 'SIGKILL');
    await until('its end is told', () => told.length > 0);
    clock.advance(1_000);
    await until('it is back', () => told.some((line) => line.includes('is back')));
    await service.stop();
    expect(told[0]).toBe('group-node-0 ended by SIGKILL; it is started again in 1 s');
    const line = readFileSync(logFile, 'utf8')
      .split('\n')
      .find((one) => one.includes('has ended'));
    expect(JSON.parse(line!)).toMatchObject({
      level: 40,
      service: 'group-node-0',
      how: 'by SIGKILL',
      againInMs: 1_000,
      msg: 'the process has ended and is started again',
    });
  });

  it('rests longer after each end, at most 30 s, and a second again when it has run for a minute', async () => {
    const logFile = join(folder, 'logs', 'ends.log');
    const { service, told, clock } = open(logFile);
    await service.start();
    const newestPid = (): number => Number(/"pid":(\d+)(?!.*"pid")/s.exec(readFileSync(logFile, 'utf8'))?.[1]);
    const pauses: number[] = [];
    const kill = async (pid: number): Promise<void> => {
      const said = told.length;
      process.kill(pid, 'SIGKILL');
      await until('its end is told', () => told.length > said);
      const seconds = Number(/started again in ([\d.]+) s/.exec(told.at(-1)!)?.[1]);
      pauses.push(seconds);
      clock.advance(1_000 * seconds);
      await until('it is back', () => told.length > said + 1);
      await until('it logs', () => newestPid() !== pid);
    };
    await until('it logs', () => newestPid() > 0);
    for (let end = 0; end < 7; end++) await kill(newestPid());
    clock.advance(60_001);
    await kill(newestPid());
    expect(pauses).toEqual([1, 2, 4, 8, 16, 30, 30, 1]);
    await service.stop();
  });

  (existsSync('/dev/full') ? it : it.skip)(
    'continues when the disk of its log is full, and reports it once',
    async () => {
      const { service, told } = open('/dev/full');
      await service.start();
      await until('the disk is full', () => told.some((line) => line.includes('ENOSPC')));
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(told.filter((line) => line.includes('its log ends here'))).toHaveLength(1);
      await service.stop();
    },
  );
});
