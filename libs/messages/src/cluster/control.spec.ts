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

  it('answers whoever asks, and nobody but this user may', async () => {
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

  it('refuses what it does not know, and goes on', async () => {
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

  it('is not there without a cluster, nor after one', async () => {
    await expect(askCluster(folder, { command: 'services' })).rejects.toThrow(NoClusterRuns);
    await serve();
    server?.close();
    expect(await clusterRuns(folder)).toBe(false);
    expect(existsSync(controlSocketOf(folder))).toBe(false);
  });

  it('takes the place of one that was killed, and not of one that runs', async () => {
    writeFileSync(controlSocketOf(folder), '');
    await serve();
    await expect(serveControl(folder, () => Promise.reject(new Error()))).rejects.toThrow('another cluster answers');
    expect(await clusterRuns(folder)).toBe(true);
  });

  it('tells whoever waits that the cluster has ended', async () => {
    server = await serveControl(folder, () => new Promise(() => undefined));
    const waiting = askCluster(folder, { command: 'restart', service: 'gateway' });
    setTimeout(() => server?.close(), 50);
    await expect(waiting).rejects.toMatchObject({ name: 'NoClusterRuns', hadBegun: true });
  });

  it('says when the path is too long for a socket', async () => {
    const deep = join(folder, 'a'.repeat(60), 'b'.repeat(60));
    mkdirSync(deep, { recursive: true });
    await expect(serveControl(deep, () => Promise.reject(new Error()))).rejects.toThrow('too long for a socket');
    expect(await clusterRuns(deep)).toBe(false);
  });
});

describe('the file of a cluster', () => {
  it('is there after it was written, for its owner alone', () => {
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
