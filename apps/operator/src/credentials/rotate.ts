import { readFileSync, existsSync } from 'node:fs';
import { newPassword, withRedis, type CredentialFolder } from '@shardnode/core/credentials';
import { setRolePassword } from '@shardnode/core/servers';
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

/** What is left to the person, by server. */
export type NextSteps = Partial<Record<NetworkCredential['server'] | 'tls', string>>;

const nextSteps: Required<NextSteps> = {
  postgres: 'PostgreSQL: credentials databases, with POSTGRES_URL, sets the new passwords of the roles.',
  nats: 'NATS: put the new nats.conf where the server reads it, and send it SIGHUP.',
  redis: 'Redis: put the new users.acl where the server reads it, and start it again or send it ACL LOAD.',
  gateway: 'API key: give the new one to the clients; gateways with API_KEY_FILE want it within a second.',
  tls: 'PostgreSQL and Redis read new certificates when they start again.',
};

/** The server keeps letting in open sessions; a service that connects between the two steps is refused once and comes again. */
const rotateRole = async ({ folder, servers }: Rotation, { name, user }: NetworkCredential): Promise<boolean> => {
  const { postgres } = servers;
  const role = user === 'admin' ? postgres && adminRole(postgres.url) : user;
  if (postgres && role !== undefined) {
    const password = newPassword();
    // On the disk first: a folder that is full or read-only must not leave a server whose password nobody knows.
    const keep = folder.prepare(name, password);
    await setRolePassword(postgres, role, password);
    keep();
    return true;
  }
  // Nobody could get in any more.
  if (user === 'admin')
    throw new CommandFailure(`${name} can only be changed while the server runs: set POSTGRES_URL.`);
  folder.write(name, newPassword());
  return false;
};

const adminRole = (url: string): string => decodeURIComponent(new URL(url).username) || 'postgres';

/** Both values count until the file has the new one; open connections stay. */
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

/** Whether the server knows the new value already. */
const rotateOne: Readonly<
  Record<NetworkCredential['server'], (rotation: Rotation, one: NetworkCredential) => Promise<boolean>>
> = {
  postgres: rotateRole,
  redis: rotateRedisUser,
  nats: rotateFile,
  gateway: rotateFile,
};

/** SIGHUP ends a process that does not expect it: so it must be the server. */
const reloadNats = (pid: number): void => {
  const words = `/proc/${pid}/cmdline`;
  const isServer = !existsSync('/proc') || (existsSync(words) && readFileSync(words, 'latin1').includes('nats-server'));
  if (!isServer)
    throw new CommandFailure(`The process ${pid} is no NATS server; its configuration is written, start the server.`);
  process.kill(pid, 'SIGHUP');
};

/** An address with a password in it has the old one by now. */
const withNewAdmin = (rotation: Rotation): Rotation => {
  const { folder, servers } = rotation;
  if (!servers.postgres) return rotation;
  const postgres = { ...servers.postgres, password: () => folder.read('database/admin') };
  return { ...rotation, servers: { ...servers, postgres } };
};

/**
 * Gives secrets new values, each at its server first where the server is known. `changed` is told of each that is done, so
 * that an interrupted rotation can go on with the rest. Gives what is left to do. @throws CommandFailure
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
    // After a failure too: what was changed until then is handed to services, and the servers' files must fit it.
    writeServerFiles(rotation.folder, rotation.network);
  }
  if (left.has('nats') && rotation.servers.natsPid !== undefined) {
    reloadNats(rotation.servers.natsPid);
    left.delete('nats');
  }
  return [...left].map((server) => nextSteps[server]);
};

/** New certificates of the same authority: whoever trusts it trusts them. */
export const rotateCertificates = (rotation: Rotation, changed: (name: string) => void): readonly string[] => {
  const { folder, network, servers } = rotation;
  if (network.tlsNames === undefined) throw new CommandFailure('There are no certificates: generate them with --tls.');
  writeCertificates(folder, network.tlsNames, true);
  for (const server of tlsServers) changed(`tls/${server}`);
  if (servers.natsPid === undefined) return [nextSteps.nats, nextSteps.tls];
  reloadNats(servers.natsPid);
  return [nextSteps.tls];
};
