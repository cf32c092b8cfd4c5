import { join, resolve } from 'node:path';
import { authorityOf, reachableHost } from '@shardnode/core/hosts';
import { type ClusterFile } from '@shardnode/messages/cluster';
import { type Cluster, type ClusterOptions } from './cluster.js';
import { serviceUrl } from './service-databases.js';

type AccessParts = Pick<ClusterOptions, 'configuration' | 'urls' | 'credentials'> & {
  readonly cluster: Pick<Cluster, 'inner' | 'port'>;
  readonly ownServers: boolean;
};

/** Without the user, which may contain a secret or is the operator's own choice. */
const placeOnly = (url: string): string => {
  if (!URL.canParse(url)) return '';
  const place = new URL(url);
  place.username = '';
  place.password = '';
  return place.toString();
};

/** The placeholder of each database's name in the operator's program; an address would encode its braces. */
const eachDatabase = (url: string): string => {
  const name = 'each-database';
  return serviceUrl(url, name).replaceAll(name, '{database}');
};

const servicePlaces = ({ cluster, configuration }: AccessParts): string => {
  const host = reachableHost(configuration.settings.HOST);
  const hostOf = (name: string): string => (['explorer', 'gateway'].includes(name) ? host : '127.0.0.1');
  const services = [...cluster.inner, { name: 'gateway', port: cluster.port }];
  return services.map(({ name, port }) => `${name}=${authorityOf(hostOf(name), port)}`).join(',');
};

/** Access of the operator's program to this cluster: addresses, and secrets as names of files. */
export const operatorAccess = (parts: AccessParts): ClusterFile => {
  const { configuration, urls, credentials, ownServers } = parts;
  const { settings, dataDir } = configuration;
  const fileOf = (path: string | undefined): string => (path === undefined ? '' : resolve(path));
  return {
    ownServers,
    variables: {
      GENESIS_FILE: fileOf(settings.GENESIS_FILE),
      COIN_SYMBOL: settings.COIN_SYMBOL ?? '',
      NATS_URL: urls.NATS_URL.join(','),
      NATS_NAMESPACE: settings.NATS_NAMESPACE,
      NATS_TLS_CA: fileOf(settings.NATS_TLS_CA),
      DATABASE_URL: eachDatabase(urls.POSTGRES_URL),
      DATABASE_PASSWORD_FILE: join(credentials.folder.path, 'database/{database}'),
      DATABASE_TLS_CA: fileOf(settings.DATABASE_TLS_CA),
      REDIS_URL: urls.REDIS_URL === undefined ? '' : placeOnly(urls.REDIS_URL),
      REDIS_TLS_CA: fileOf(settings.REDIS_TLS_CA),
      SERVICES: servicePlaces(parts),
      ...(ownServers ? { DISK_FOLDERS: join(dataDir, 'postgres') } : {}),
      ...credentials.variablesOf('operator'),
    },
  };
};
