import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { serveControl, writeClusterFile, type ControlServer } from '@shardnode/messages/cluster';
import { nameCluster, reachCluster, takeCluster } from './chosen-cluster.js';

const variables = {
  GENESIS_FILE: '',
  NATS_URL: 'nats://127.0.0.1:4300',
  NATS_PASSWORD_FILE: '/kept/nats/operator',
  DATABASE_URL: 'postgresql://{database}@127.0.0.1:4301/{database}',
};

describe('the cluster of a command', () => {
  const before = process.cwd();
  let control: ControlServer | undefined;
  let told: string[] = [];
  beforeEach(() => process.chdir(mkdtempSync(join(tmpdir(), 'shardnode-chosen-'))));
  afterEach(() => {
    control?.close();
    control = undefined;
    told = [];
    const folder = process.cwd();
    process.chdir(before);
    rmSync(folder, { recursive: true });
  });

  const write = async (folder: string, runs: boolean, ownServers = true): Promise<void> => {
    const { mkdirSync } = await import('node:fs');
    mkdirSync(folder, { recursive: true });
    writeClusterFile(folder, { ownServers, variables });
    if (runs) control = await serveControl(folder, async () => ({ isDone: true, text: '', services: [] }));
  };
  const reach = (words: readonly string[], environment: Readonly<Record<string, string>> = {}) =>
    reachCluster({ words, environment }, (line) => void told.push(line));

  it('is taken from the words', () => {
    expect(takeCluster(['--group', '1', '--cluster', 'dir', 'file'])).toEqual({
      given: 'dir',
      words: ['--group', '1', 'file'],
    });
    expect(takeCluster(['--cluster=dir'])).toEqual({ given: 'dir', words: [] });
    for (const words of [
      ['--cluster'],
      ['--cluster', '--json'],
      ['--cluster='],
      ['--cluster', 'a', '--cluster', 'b'],
    ]) {
      expect(() => takeCluster(words)).toThrow('--cluster');
    }
    expect(nameCluster({ words: ['gateway'], environment: {} })).toMatchObject({ cluster: 'data/cluster' });
  });

  it('sets all addresses', async () => {
    await write('mine', true);
    const { words, environment, cluster } = await reach(['--cluster', 'mine', '--json'], { PATH: '/bin' });
    expect([words, environment, cluster]).toEqual([['--json'], { PATH: '/bin', ...variables }, 'mine']);
    expect(told).toEqual([]);
  });

  it('must not contradict the environment', async () => {
    await write('mine', true);
    const named = (environment: Readonly<Record<string, string>>) => reach(['--cluster', 'mine'], environment);
    await expect(named({ NATS_URL: 'nats://10.0.0.1:4222' })).rejects.toThrow(
      'NATS_URL says something else than --cluster mine. Unset it, or leave --cluster out.',
    );
    await expect(named({ NATS_PASSWORD: 'word', GENESIS_FILE: 'other.json' })).rejects.toThrow(
      'GENESIS_FILE, NATS_PASSWORD say something else',
    );
    // An equal value, or an empty one, does not contradict.
    expect(await named({ ...variables, DATABASE_PASSWORD: 'w' })).toMatchObject({ cluster: 'mine' });
  });

  it('must run when its servers end with it', async () => {
    await expect(reach(['--cluster', 'mine'])).rejects.toThrow(
      /mine is no data folder.*no cluster.json[^]*DATA_DIR=mine/,
    );
    await write('mine', false);
    await expect(reach(['--cluster', 'mine'])).rejects.toThrow(
      'No cluster runs in mine, and its servers have ended with it.\nTo start it: DATA_DIR=mine npm run cluster -- --servers',
    );
    await write('mine', false, false);
    expect(await reach(['--cluster', 'mine'])).toMatchObject({ environment: variables });
  });

  it('is the usual one where the environment names no other', async () => {
    expect(await reach(['--json'])).toEqual({ words: ['--json'], environment: {} });
    await write('data/cluster', true);
    expect(await reach(['--json'])).toEqual({ words: ['--json'], environment: variables, cluster: 'data/cluster' });
    expect(told.splice(0)).toEqual(['The cluster in data/cluster:']);
    const elsewhere = { DATABASE_URL: 'postgresql://shardnode_group_0@db/shardnode_group_0' };
    expect(await reach([], elsewhere)).toEqual({ words: [], environment: elsewhere });
    expect(told).toEqual([]);
    // A data folder of one process has no cluster.
    expect(await reach(['--data-dir', 'x'])).toEqual({ words: ['--data-dir', 'x'], environment: {} });
    await expect(reach(['--data-dir=x', '--cluster', 'y'])).rejects.toThrow('exclude each other');
  });

  it('that does not run is named, and the environment counts', async () => {
    await write('data/cluster', false);
    expect(await reach([])).toEqual({ words: [], environment: {} });
    expect(told).toEqual([expect.stringMatching(/^No cluster runs in data\/cluster \(npm run cluster -- --servers\)/)]);
  });
});
