import { rmSync } from 'node:fs';
import { CredentialFolder } from '@shardnode/core/credentials';
import { z } from 'zod';

const form = z.object({
  /** `postgresql://role@host:port/database`, without a password: it is the credential `database/admin`. */
  POSTGRES_URL: z.string().optional(),
  /** Without a password: it is the credential `redis/admin`. */
  REDIS_URL: z.string().optional(),
  /** Process id of the NATS server, for a signal to reload its configuration. */
  NATS_PID: z.number().int().positive().optional(),
});

/** Running servers that accept the credentials of a folder. */
export type KnownServers = z.output<typeof form>;

const file = 'servers.json';

/** Records started servers, so that the operator's program finds them. */
export const writeKnownServers = (path: string, servers: KnownServers): void =>
  new CredentialFolder(path).write(file, JSON.stringify(servers));

/** Deletes the record of servers that no longer run. */
export const forgetKnownServers = (path: string): void =>
  rmSync(new CredentialFolder(path).pathOf(file), { force: true });

export const readKnownServers = (path: string): KnownServers => {
  const folder = new CredentialFolder(path);
  return folder.has(file) ? form.parse(JSON.parse(folder.read(file))) : {};
};
