import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  askCluster,
  clusterRuns,
  controlSocketOf,
  NoClusterRuns,
  operatorCommand,
  readClusterFile,
  serveControl,
  writeClusterFile,
  type ControlRequest,
  type ControlServer,
} from './index.js';

describe('the control of a cluster', () => {
  let folder: string;
  let server: ControlServer | undefined;
  const asked: ControlRequest[] = [];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'shardnode-control-'));
  });
  afterEach(() => {
    server?.close();
    server = undefined;
    asked.splice(0);
    rmSync(folder, { recursive: true, force: true });
  });
  const serve = async (): Promise<void> => {
    server = await serveControl(folder, async (request) => {
      asked.push(request);
      return { isDone: true, text: 'done', services: [{ name: 'gateway', state: 'held' }] };
    });
  };

  it('serves requests of this user only', async () => {
    await serve();
    const request = { command: 'hold', service: 'gateway' } as const;
    expect(await askCluster(folder, request)).toEqual({
      isDone: true,
      text: 'done',
      services: [{ name: 'gateway', state: 'held' }],
    });
    expect(asked).toEqual([request]);
    expect(statSync(controlSocketOf(folder)).mode & 0o777).toBe(0o600);
  });

  it('refuses unknown commands, and continues', async () => {
    await serve();
    const said = (text: string): Promise<string> =>
      new Promise((resolve) => {
        const socket = connect(controlSocketOf(folder));
        let answer = '';
        socket.on('data', (part) => (answer += part.toString()));
        socket.once('close', () => resolve(answer));
        socket.end(`${text}\n`);
      });
    for (const text of ['no JSON', '{"command":"stop"}', '{"command":"hold"}']) {
      expect(JSON.parse(await said(text))).toMatchObject({
        isDone: false,
        text: expect.stringContaining('does not know'),
      });
    }
    expect(asked).toEqual([]);
    expect(await clusterRuns(folder)).toBe(true);
  });

  it('does not exist before or after a cluster', async () => {
    await expect(askCluster(folder, { command: 'services' })).rejects.toThrow(NoClusterRuns);
    await serve();
    server?.close();
    expect(await clusterRuns(folder)).toBe(false);
    expect(existsSync(controlSocketOf(folder))).toBe(false);
  });

  it('replaces a killed one, but not a running one', async () => {
    writeFileSync(controlSocketOf(folder), '');
    await serve();
    await expect(serveControl(folder, () => Promise.reject(new Error()))).rejects.toThrow('another cluster answers');
    expect(await clusterRuns(folder)).toBe(true);
  });

  it('reports the end of the cluster to waiting clients', async () => {
    server = await serveControl(folder, () => new Promise(() => undefined));
    const waiting = askCluster(folder, { command: 'restart', service: 'gateway' });
    setTimeout(() => server?.close(), 50);
    await expect(waiting).rejects.toMatchObject({ name: 'NoClusterRuns', hadBegun: true });
  });

  it('reports a path that is too long for a socket', async () => {
    const deep = join(folder, 'a'.repeat(60), 'b'.repeat(60));
    mkdirSync(deep, { recursive: true });
    await expect(serveControl(deep, () => Promise.reject(new Error()))).rejects.toThrow('too long for a socket');
    expect(await clusterRuns(deep)).toBe(false);
  });
});

describe('the file of a cluster', () => {
  it('is readable by its owner only', () => {
    const folder = mkdtempSync(join(tmpdir(), 'shardnode-cluster-file-'));
    expect(readClusterFile(folder)).toBeUndefined();
    const content = { ownServers: true, variables: { NATS_URL: 'nats://127.0.0.1:1' } };
    writeClusterFile(folder, content);
    expect(readClusterFile(folder)).toEqual(content);
    expect(statSync(join(folder, 'cluster.json')).mode & 0o777).toBe(0o600);
    rmSync(folder, { recursive: true });
  });

  it('is named in a command unless it is in the usual folder', () => {
    expect(operatorCommand('data/cluster', 'release', 'gateway')).toBe('npm run operator -- release gateway');
    expect(operatorCommand('/d', 'release', 'gateway')).toBe('npm run operator -- release gateway --cluster /d');
  });
});
