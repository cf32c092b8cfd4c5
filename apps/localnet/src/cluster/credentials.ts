import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type RedisAccess } from '@shardnode/core/cache';
import { CredentialFolder } from '@shardnode/core/credentials';
import { redisAccess } from '@shardnode/core/service';
import { databaseRoles, generateCredentials } from '@shardnode/messages/credentials';
import { type ClusterConfiguration } from './settings.js';

/** Secrets of a cluster on this machine, in files that only their owner can read. */
export interface ClusterCredentials {
  readonly folder: CredentialFolder;
  /** Variables with which a service logs in to bus and cache; none where the person sets them. */
  variablesOf(service: string): Readonly<Record<string, string>>;
  /** Access for emptying the cache. */
  redis(url: string): RedisAccess;
}

/** Earlier versions stored the roles' passwords in one file, and that of the own PostgreSQL beside its data. */
const takeOver = (dataDir: string, folder: CredentialFolder): void => {
  const take = (file: string, keep: (text: string) => void): void => {
    const path = join(dataDir, file);
    if (!existsSync(path)) return;
    keep(readFileSync(path, 'utf8'));
    rmSync(path);
  };
  take('secrets.json', (text) => {
    for (const [role, password] of Object.entries(JSON.parse(text) as Record<string, string>))
      folder.write(`database/${role}`, password);
  });
  take('postgres/password-of-postgres', (password) => folder.write('database/admin', password));
};

const folderOf = (configuration: ClusterConfiguration): CredentialFolder => {
  const folder = new CredentialFolder(join(configuration.dataDir, 'credentials'));
  takeOver(configuration.dataDir, folder);
  return folder;
};

/** For external servers: passwords of the roles that are created there. */
export const openRolePasswords = (configuration: ClusterConfiguration): ClusterCredentials => {
  const folder = folderOf(configuration);
  folder.ensure(databaseRoles(configuration.network.groups).map((name) => `database/${name}`));
  return {
    folder,
    variablesOf: () => ({}),
    redis: (url) => redisAccess({ ...configuration.settings, REDIS_URL: url })!,
  };
};

/** For the cluster's own servers: all credentials, created at the first start. */
export const openOwnCredentials = (configuration: ClusterConfiguration): ClusterCredentials => {
  const { settings, network } = configuration;
  const folder = folderOf(configuration);
  generateCredentials(folder.path, {
    namespace: settings.NATS_NAMESPACE,
    groups: network.groups,
    natsHost: '127.0.0.1',
    natsPort: 4222,
    mode: 0o600,
  });
  const cache = { REDIS_USER: 'gateway', REDIS_PASSWORD_FILE: folder.pathOf('redis/gateway') };
  return {
    folder,
    variablesOf: (service) => ({
      NATS_USER: service,
      NATS_PASSWORD_FILE: folder.pathOf(`nats/${service}`),
      // The operator's program checks the cache with the access of the gateway.
      ...(['gateway', 'operator'].includes(service) ? cache : {}),
    }),
    redis: (url) => ({ url, user: 'admin', password: () => folder.read('redis/admin') }),
  };
};
