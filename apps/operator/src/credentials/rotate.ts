import { readFileSync, existsSync } from 'node:fs';
import { newPassword, reloadRedisCertificate, withRedis, type CredentialFolder } from '@shardnode/core/credentials';
import { reloadDatabaseServer, setRolePassword } from '@shardnode/core/servers';
import {
  redisHash,
  redisRules,
  tlsServers,
  writeCertificates,
  writeServerFiles,
  type CredentialNetwork,
  type NetworkCredential,
  type RedisUser,
} from '@shardnode/messages/credentials';
import { CommandFailure } from '../command.js';
import { type ReachedServers } from './servers.js';

export interface Rotation {
  readonly folder: CredentialFolder;
  readonly network: CredentialNetwork;
  readonly servers: ReachedServers;
}

/** Next steps of the person, by server. */
const nextSteps: Readonly<Record<NetworkCredential['server'], string>> = {
  postgres: 'PostgreSQL: credentials databases, with POSTGRES_URL, sets the new passwords of the roles.',
  nats: 'NATS: put the new nats.conf where the server reads it, and send it SIGHUP.',
  redis: 'Redis: put the new users.acl where the server reads it, and start it again or send it ACL LOAD.',
  gateway:
    'API keys: give the new ones to their clients; gateways with API_KEY_FILE, API_KEY_WALLETS_FILE or API_KEY_READ_FILE want them within a second (and take the former ones for API_KEY_OVERLAP seconds).',
};

/** The same after new certificates. */
const nextStepsOfCertificates: Readonly<Record<(typeof tlsServers)[number], string>> = {
  postgres:
    'PostgreSQL: put tls/postgres.crt and tls/postgres.key where its ssl_cert_file and ssl_key_file are; SELECT pg_reload_conf() makes it read them.',
  nats: 'NATS: put tls/nats.crt and tls/nats.key where its configuration names them, and send it SIGHUP.',
  redis:
    'Redis: put tls/redis.crt and tls/redis.key where its tls-cert-file and tls-key-file are; CONFIG SET of both, with the same paths, makes it read them.',
};

/** The server retains open sessions; a service that connects between the two steps is refused once and retries. */
const rotateRole = async ({ folder, servers }: Rotation, { name, user }: NetworkCredential): Promise<boolean> => {
  const { postgres } = servers;
  const role = user === 'admin' ? postgres && adminRole(postgres.url) : user;
  if (postgres && role !== undefined) {
    const password = newPassword();
    // On the disk first: a full or read-only folder must not leave a server with an unknown password.
    const keep = folder.prepare(name, password);
    await setRolePassword(postgres, role, password);
    keep();
    return true;
  }
  // No one could log in any more.
  if (user === 'admin')
    throw new CommandFailure(`${name} can only be changed while the server runs: set POSTGRES_URL.`);
  folder.write(name, newPassword());
  return false;
};

const adminRole = (url: string): string => decodeURIComponent(new URL(url).username) || 'postgres';

/** Both values are valid until the file has the new one; open connections stay. */
const rotateRedisUser = async ({ folder, network, servers }: Rotation, one: NetworkCredential): Promise<boolean> => {
  const { redis } = servers;
  const password = newPassword();
  if (!redis) {
    folder.write(one.name, password);
    return false;
  }
  await withRedis(redis, async (ask) => {
    const set = (...words: readonly string[]): Promise<unknown> => ask('ACL', 'SETUSER', one.user, ...words);
    await set('on', redisHash(password), ...redisRules(one.user as RedisUser, network.namespace));
    folder.write(one.name, password);
    await set('resetpass', redisHash(password));
  });
  return true;
};

const rotateFile = ({ folder }: Rotation, { name }: NetworkCredential): Promise<boolean> => {
  folder.write(name, newPassword());
  return Promise.resolve(false);
};

/** Whether the server has the new value already. */
const rotateOne: Readonly<
  Record<NetworkCredential['server'], (rotation: Rotation, one: NetworkCredential) => Promise<boolean>>
> = {
  postgres: rotateRole,
  redis: rotateRedisUser,
  nats: rotateFile,
  gateway: rotateFile,
};

/** SIGHUP ends a process that does not handle it, so the process must be the server. */
const reloadNats = (pid: number): void => {
  const words = `/proc/${pid}/cmdline`;
  const isServer = !existsSync('/proc') || (existsSync(words) && readFileSync(words, 'latin1').includes('nats-server'));
  if (!isServer)
    throw new CommandFailure(`The process ${pid} is no NATS server; its configuration is written, start the server.`);
  process.kill(pid, 'SIGHUP');
};

/** The address with the new password, because it may contain the old one. */
const withNewAdmin = (rotation: Rotation): Rotation => {
  const { folder, servers } = rotation;
  if (!servers.postgres) return rotation;
  const postgres = { ...servers.postgres, password: () => folder.read('database/admin') };
  return { ...rotation, servers: { ...servers, postgres } };
};

/**
 * Sets new values of secrets, each at its server first where the server is known. `changed` is called for each finished
 * one, so that an interrupted rotation can continue with the rest. Returns the remaining steps. @throws CommandFailure
 */
export const rotateCredentials = async (
  rotation: Rotation,
  credentials: readonly NetworkCredential[],
  changed: (name: string) => void,
): Promise<readonly string[]> => {
  const left = new Set<NetworkCredential['server']>();
  let current = rotation;
  try {
    for (const one of credentials) {
      if (!(await rotateOne[one.server](current, one))) left.add(one.server);
      changed(one.name);
      if (one.name === 'database/admin') current = withNewAdmin(current);
    }
  } finally {
    // After a failure too: services use the changed secrets, and the files of the servers must match.
    writeServerFiles(rotation.folder, rotation.network);
  }
  if (left.has('nats') && rotation.servers.natsPid !== undefined) {
    reloadNats(rotation.servers.natsPid);
    left.delete('nats');
  }
  return [...left].map((server) => nextSteps[server]);
};

const textOf = (path: string): string | undefined => (existsSync(path) ? readFileSync(path, 'utf8') : undefined);

/** Makes a server reload its certificate. False when its address is unknown, or it does not use the new certificate. */
const reloadCertificate: Readonly<
  Record<(typeof tlsServers)[number], (servers: ReachedServers, certificate: string) => Promise<boolean>>
> = {
  postgres: async ({ postgres }, certificate) =>
    postgres !== undefined && (await reloadDatabaseServer(postgres)) === certificate,
  nats: ({ natsPid }) => {
    if (natsPid !== undefined) reloadNats(natsPid);
    return Promise.resolve(natsPid !== undefined);
  },
  redis: async ({ redis }, certificate) =>
    redis !== undefined && textOf(await reloadRedisCertificate(redis)) === certificate,
};

/**
 * New certificates of the same authority, which clients trust already. Known servers reload them at once. Returns the
 * remaining steps.
 * @throws CommandFailure
 */
export const rotateCertificates = async (
  { folder, network, servers }: Rotation,
  changed: (name: string) => void,
): Promise<readonly string[]> => {
  if (network.tlsNames === undefined) throw new CommandFailure('There are no certificates: generate them with --tls.');
  writeCertificates(folder, network.tlsNames, true);
  const left: string[] = [];
  for (const server of tlsServers) {
    changed(`tls/${server}`);
    const isThere = await reloadCertificate[server](servers, folder.readText(`tls/${server}.crt`));
    if (!isThere) left.push(nextStepsOfCertificates[server]);
  }
  return left;
};
