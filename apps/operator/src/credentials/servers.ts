import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { readConfiguration, secretSetting, textSetting, type Environment } from '@shardnode/core/configuration';
import { type CredentialFolder } from '@shardnode/core/credentials';
import { type RedisAccess } from '@shardnode/core/cache';
import { type DatabaseAccess } from '@shardnode/core/database';
import { cacheSettings, databaseSettings } from '@shardnode/core/process';
import { readKnownServers, type KnownServers } from '@shardnode/messages/credentials';
import { tlsReader } from '@shardnode/core/tls';
import { CommandFailure } from '../command.js';

/** Addresses of the servers whose accounts must match the files; default: those of the folder's own network. */
export const serverSettings = z.object({
  POSTGRES_URL: secretSetting({
    description:
      'PostgreSQL as a role that may create roles and databases; its password is the credential database/admin.',
    optional: true,
  }),
  REDIS_URL: cacheSettings.REDIS_URL,
  NATS_PID_FILE: textSetting({
    description: 'File with the process number of the NATS server, which is told to read its configuration again.',
    optional: true,
  }),
  DATABASE_TLS_CA: databaseSettings.DATABASE_TLS_CA,
  REDIS_TLS_CA: cacheSettings.REDIS_TLS_CA,
});

/** Servers that accept new values; undefined for those without an address. */
export interface ReachedServers {
  readonly postgres: DatabaseAccess | undefined;
  readonly redis: RedisAccess | undefined;
  readonly natsPid: number | undefined;
}

const pidOf = (file: string | undefined, known: KnownServers): number | undefined => {
  if (file === undefined) return known.NATS_PID;
  const pid = Number(readFileSync(file, 'utf8').trim());
  if (!Number.isInteger(pid) || pid < 1)
    throw new CommandFailure(`NATS_PID_FILE: the file ${file} holds no process number.`);
  return pid;
};

/** @throws ConfigurationError, CommandFailure */
export const reachedServers = (folder: CredentialFolder, environment: Environment): ReachedServers => {
  const settings = readConfiguration(serverSettings, environment);
  const known = readKnownServers(folder.path);
  const postgresUrl = settings.POSTGRES_URL ?? known.POSTGRES_URL;
  const redisUrl = settings.REDIS_URL ?? known.REDIS_URL;
  const passwordOf = (name: string) => (): string | undefined => (folder.has(name) ? folder.read(name) : undefined);
  return {
    postgres:
      postgresUrl === undefined
        ? undefined
        : {
            url: postgresUrl,
            ...(hasPassword(postgresUrl) ? {} : { password: passwordOf('database/admin') }),
            tls: tlsReader('DATABASE_TLS', { ca: settings.DATABASE_TLS_CA }),
          },
    redis:
      redisUrl === undefined
        ? undefined
        : {
            url: redisUrl,
            user: 'admin',
            password: passwordOf('redis/admin'),
            tls: tlsReader('REDIS_TLS', { ca: settings.REDIS_TLS_CA }),
          },
    natsPid: pidOf(settings.NATS_PID_FILE, known),
  };
};

const hasPassword = (url: string): boolean => URL.canParse(url) && new URL(url).password !== '';
