import { createAuthority, createCertificate, CredentialFolder, type Certificate } from '@shardnode/core/credentials';
import { z } from 'zod';
import { busAccounts } from '../bus-accounts.js';
import { networkCredentials, redisUsers, type RedisUser } from './network-credentials.js';
import { renderNatsConfiguration, renderRedisUsers } from './server-files.js';

const networkForm = z.object({
  /** Name of the network on the bus and in the cache. */
  namespace: z.string().regex(/^[a-z][a-z0-9_-]{0,30}$/),
  groups: z.number().int().min(1).max(64),
  /** Listening address of the NATS server. */
  natsHost: z.string().regex(/^[A-Za-z0-9.:_-]+$/),
  natsPort: z.number().int().min(1).max(65_535),
  /** Further names and addresses in the servers' certificates, if they have certificates. */
  tlsNames: z.array(z.string().regex(/^[A-Za-z0-9.:*-]+$/)).optional(),
  /** Folder of the certificate as the NATS server sees it; absent: where it was written. */
  tlsFolder: z.string().optional(),
  /** Of the files. */
  mode: z.number().int(),
});

/** Data for the files of the servers besides the secrets. */
export type CredentialNetwork = z.output<typeof networkForm>;

const networkFile = 'network.json';
/** Servers with their own certificate. */
export const tlsServers = ['postgres', 'nats', 'redis'] as const;

/** Undefined if nothing has been generated. @throws Error for a damaged file */
export const readCredentialNetwork = (path: string): CredentialNetwork | undefined => {
  const folder = new CredentialFolder(path);
  return folder.has(networkFile) ? networkForm.parse(JSON.parse(folder.read(networkFile))) : undefined;
};

const passwordsOf = <User extends string>(folder: CredentialFolder, kind: string, users: readonly User[]) =>
  Object.fromEntries(users.map((user) => [user, folder.read(`${kind}/${user}`)])) as Record<User, string>;

/** Writes the configuration files of NATS and Redis from the current secrets in the folder. */
export const writeServerFiles = (folder: CredentialFolder, network: CredentialNetwork): void => {
  const { namespace, groups, natsHost: host, natsPort: port } = network;
  const users = busAccounts(namespace, groups).map(({ user }) => user);
  const passwords = passwordsOf(folder, 'nats', users);
  const place = (name: string): string =>
    network.tlsFolder === undefined ? folder.pathOf(`tls/${name}`) : `${network.tlsFolder}/${name}`;
  const tls = network.tlsNames === undefined ? undefined : { cert: place('nats.crt'), key: place('nats.key') };
  folder.write('nats/nats.conf', renderNatsConfiguration({ namespace, groups, host, port, tls, passwords }));
  folder.write('redis/users.acl', renderRedisUsers(namespace, passwordsOf<RedisUser>(folder, 'redis', redisUsers)));
};

const writeCertificate = (folder: CredentialFolder, name: string, { cert, key }: Certificate): void => {
  folder.write(`tls/${name}.key`, key);
  folder.write(`tls/${name}.crt`, cert);
};

/** Creates the authority if missing, and certificates for servers that lack one; `forAll`: for all servers. */
export const writeCertificates = (
  folder: CredentialFolder,
  names: readonly string[],
  forAll = false,
): readonly string[] => {
  if (!folder.has('tls/ca.key')) writeCertificate(folder, 'ca', createAuthority('Servers of the network'));
  const authority: Certificate = { cert: folder.readText('tls/ca.crt'), key: folder.readText('tls/ca.key') };
  const wanted = tlsServers.filter((server) => forAll || !folder.has(`tls/${server}.crt`));
  for (const server of wanted) {
    const all = [server, 'localhost', '127.0.0.1', '::1', ...names];
    writeCertificate(folder, server, createCertificate(authority, all));
  }
  return wanted.map((server) => `tls/${server}`);
};

/**
 * Creates missing secrets of a network and rewrites the files of the servers. Existing secrets keep their values.
 * Returns the names of new secrets.
 * @throws Error without openssl, if certificates are wanted
 */
export const generateCredentials = (path: string, network: CredentialNetwork): readonly string[] => {
  const folder = new CredentialFolder(path, network.mode);
  const made = folder.ensure(networkCredentials(network.groups).map(({ name }) => name));
  const certificates = network.tlsNames === undefined ? [] : writeCertificates(folder, network.tlsNames);
  folder.write(networkFile, JSON.stringify(network));
  writeServerFiles(folder, network);
  return [...made, ...certificates];
};
