import { afterEach, describe, expect, it } from '@jest/globals';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { startEndedProcess } from '@shardnode/testing/ended-process';
import { until } from '@shardnode/testing/waiting';
import { hasStopped, isRunning, processStat } from './index.js';

const onLinux = existsSync('/proc/self/stat') ? describe : describe.skip;

onLinux('a process', () => {
  const children: ChildProcess[] = [];
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
  });
  /** A shell, once it prints something. */
  const start = async (script: string): Promise<ChildProcess> => {
    const child = spawn('sh', ['-c', script], { stdio: ['ignore', 'pipe', 'inherit'] });
    children.push(child);
    await once(child.stdout!, 'data');
    return child;
  };

  it('that runs is told with its parent, its start and its processor time', async () => {
    expect(isRunning(process.pid)).toBe(true);
    const own = processStat(process.pid)!;
    expect(own.parent).toBe(process.ppid);
    expect(own.processorMs).toBeGreaterThan(0);
    const child = await start('echo begun; exec sleep 60');
    const stat = processStat(child.pid!)!;
    expect([isRunning(child.pid!), stat.parent]).toEqual([true, process.pid]);
    expect(Number(stat.startedAt)).toBeGreaterThanOrEqual(Number(own.startedAt));
    expect(processStat(`${process.pid}/task/${process.pid}`)).toMatchObject({ startedAt: own.startedAt });
  });

  it('whose exit code nobody has asked for does not run, although its id is taken', async () => {
    const { pid, remove } = await startEndedProcess();
    expect(() => process.kill(pid, 0)).not.toThrow();
    expect(isRunning(pid)).toBe(false);
    remove();
  });

  it('has stopped some time after SIGSTOP, and runs again after SIGCONT', async () => {
    const child = await start('echo begun; exec sleep 60');
    expect(hasStopped(child.pid!)).toBe(false);
    child.kill('SIGSTOP');
    await until('it has stopped', () => hasStopped(child.pid!));
    child.kill('SIGCONT');
    await until('it runs', () => !hasStopped(child.pid!));
  });

  it('that has ended is none', async () => {
    const child = await start('echo begun');
    if (child.exitCode === null) await once(child, 'exit');
    expect([isRunning(child.pid!), processStat(child.pid!)]).toEqual([false, undefined]);
  });
});
