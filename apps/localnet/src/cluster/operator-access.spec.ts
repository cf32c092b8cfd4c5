import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { CredentialFolder } from '@shardnode/core/credentials';
import { operatorAccess } from './operator-access.js';
import { readClusterConfiguration } from './settings.js';

const folder = new CredentialFolder('/kept/credentials');
const cluster = { port: 22_973, inner: [{ name: 'group-node-0', port: 12_980 }] };

const accessWith = (environment: Readonly<Record<string, string>>, variablesOf: (user: string) => object) => {
  const configuration = readClusterConfiguration({ DATA_DIR: '/kept', ...environment });
  const credentials = { folder, variablesOf: variablesOf as () => Record<string, string>, redis: () => ({ url: '' }) };
  const urls = { ...configuration.settings };
  return operatorAccess({ configuration, urls, credentials, cluster, ownServers: false });
};

describe('access of the operator to a cluster', () => {
  it('contains addresses, and secrets as names of files', () => {
    const { variables } = accessWith({ GENESIS_FILE: '' }, (user) => ({
      NATS_USER: user,
      NATS_PASSWORD_FILE: folder.pathOf(`nats/${user}`),
    }));
    expect(variables).toMatchObject({
      GENESIS_FILE: '',
      NATS_URL: 'nats://127.0.0.1:4222',
      NATS_NAMESPACE: 'coin',
      NATS_USER: 'operator',
      NATS_PASSWORD_FILE: join('/kept/credentials/nats/operator'),
      DATABASE_URL: 'postgresql://{database}@127.0.0.1:5432/{database}',
      DATABASE_PASSWORD_FILE: '/kept/credentials/database/{database}',
      REDIS_URL: 'redis://127.0.0.1:6379',
      SERVICES: 'group-node-0=127.0.0.1:12980,gateway=127.0.0.1:22973',
    });
  });

  it.each([
    ['::1', '[::1]'],
    ['[::1]', '[::1]'],
    ['::', '127.0.0.1'],
    ['0.0.0.0', '127.0.0.1'],
  ])('with HOST=%s names the gateway at %s', (HOST, host) => {
    const { variables } = accessWith({ HOST }, () => ({}));
    expect(variables).toMatchObject({ SERVICES: `group-node-0=127.0.0.1:12980,gateway=${host}:22973` });
  });

  it('contains no password of external servers', () => {
    const secret = 'very-secret';
    const access = accessWith(
      {
        POSTGRES_URL: `postgresql://someone:${secret}@db.example:5433/postgres?sslmode=require`,
        NATS_URL: 'nats://bus.example:4222',
        REDIS_URL: `redis://:${secret}@cache.example:6379`,
        NATS_PASSWORD: secret,
        REDIS_PASSWORD: secret,
      },
      () => ({}),
    );
    expect(JSON.stringify(access)).not.toContain(secret);
    expect(access.variables).toMatchObject({
      DATABASE_URL: 'postgresql://{database}@db.example:5433/{database}?sslmode=require',
      NATS_URL: 'nats://bus.example:4222',
      REDIS_URL: 'redis://cache.example:6379',
    });
  });
});
