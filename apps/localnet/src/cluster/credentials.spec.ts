import { afterAll, expect, it } from '@jest/globals';
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openOwnCredentials, openRolePasswords } from './credentials.js';
import { readClusterConfiguration } from './settings.js';

const base = mkdtempSync(join(tmpdir(), 'shardnode-cluster-credentials-'));
afterAll(() => rmSync(base, { recursive: true, force: true }));
const configurationOf = (name: string, more: Record<string, string> = {}) =>
  readClusterConfiguration({ DATA_DIR: join(base, name), ...more });

it('an earlier version’s passwords are taken over, and are nowhere else then', () => {
  const configuration = configurationOf('old');
  mkdirSync(join(configuration.dataDir, 'postgres'), { recursive: true });
  const [roles, admin] = ['secrets.json', 'postgres/password-of-postgres'].map((file) =>
    join(configuration.dataDir, file),
  );
  writeFileSync(roles!, JSON.stringify({ shardnode_group_0: 'of-group-0', shardnode_wallet: 'of-wallet' }));
  writeFileSync(admin!, 'of-postgres');
  const { folder } = openOwnCredentials(configuration);
  const names = ['database/shardnode_group_0', 'database/shardnode_wallet', 'database/admin'];
  expect(names.map((name) => folder.read(name))).toEqual(['of-group-0', 'of-wallet', 'of-postgres']);
  expect(folder.read('database/shardnode_group_1')).toMatch(/^[\w-]{32}$/);
  expect([roles!, admin!].filter(existsSync)).toEqual([]);
  expect(openOwnCredentials(configuration).folder.read('database/admin')).toBe('of-postgres');
});

it('own servers have users for all services, external servers those that the person sets', () => {
  const own = openOwnCredentials(configurationOf('own', { NATS_NAMESPACE: 'mine' }));
  expect(own.variablesOf('group-node-2')).toEqual({
    NATS_USER: 'group-node-2',
    NATS_PASSWORD_FILE: own.folder.pathOf('nats/group-node-2'),
  });
  expect(own.variablesOf('gateway')).toMatchObject({ REDIS_USER: 'gateway' });
  expect(own.folder.readText('redis/users.acl')).toContain('~mine:*');
  expect(own.redis('redis://127.0.0.1:1')).toMatchObject({ user: 'admin' });
  const foreign = openRolePasswords(configurationOf('foreign', { REDIS_USER: 'me', REDIS_PASSWORD: 'mine' }));
  expect(foreign.variablesOf('gateway')).toEqual({});
  expect(foreign.redis('redis://127.0.0.1:1')).toMatchObject({ user: 'me' });
  expect(foreign.redis('redis://127.0.0.1:1').password?.()).toBe('mine');
  expect(foreign.folder.has('nats/gateway')).toBe(false);
  expect(statSync(foreign.folder.pathOf('database/shardnode_wallet')).mode & 0o777).toBe(0o600);
});
