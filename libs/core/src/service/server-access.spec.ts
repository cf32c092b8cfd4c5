import { afterAll, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { readConfiguration } from '../configuration/index.js';
import { busSettings, cacheSettings, databaseSettings } from '../process/index.js';
import { busAccess, databaseAccess, redisAccess } from './server-access.js';

const folder = mkdtempSync(join(tmpdir(), 'shardnode-access-'));
afterAll(() => rmSync(folder, { recursive: true }));
const write = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const schema = z.object({ ...busSettings, ...databaseSettings, ...cacheSettings });
const DATABASE_URL = 'postgresql://role:of-url@127.0.0.1/database';
const read = (environment: Record<string, string>) =>
  readConfiguration(
    schema,
    environment['DATABASE_URL_FILE'] === undefined ? { DATABASE_URL, ...environment } : environment,
  );

it('the password setting overrides the password in the address', () => {
  expect(databaseAccess(read({})).password?.()).toBe('of-url');
  expect(databaseAccess(read({ DATABASE_PASSWORD: 'own' })).password?.()).toBe('own');
  expect(databaseAccess(read({ DATABASE_URL: 'postgresql://role@127.0.0.1/database' })).password?.()).toBeUndefined();
  const redis = { REDIS_URL: 'redis://user:of-url@127.0.0.1', REDIS_USER: 'gateway' };
  expect(redisAccess(read(redis))).toMatchObject({ user: 'gateway' });
  expect(redisAccess(read(redis))?.password?.()).toBe('of-url');
  expect(redisAccess(read({ ...redis, REDIS_PASSWORD: 'own' }))?.password?.()).toBe('own');
  expect(redisAccess(read({}))).toBeUndefined();
});

it('files of passwords, of addresses and of certificates are read again', () => {
  const password = write('password', 'first\n');
  const address = write('address', 'postgresql://role:a%2Fb@127.0.0.1/database\n');
  const ca = write('ca', 'authority\n');
  const bus = busAccess(read({ NATS_USER: 'gateway', NATS_PASSWORD_FILE: password, NATS_TLS_CA: ca }));
  const database = databaseAccess(read({ DATABASE_URL_FILE: address }));
  const passwordOfBus = bus.password as () => string | undefined;
  expect([passwordOfBus(), database.password?.(), bus.tls?.()]).toEqual(['first', 'a/b', { ca: 'authority\n' }]);
  write('password', 'second\n');
  write('address', 'postgresql://role:next@127.0.0.1/database\n');
  expect([passwordOfBus(), database.password?.()]).toEqual(['second', 'next']);
});
