import {
  choiceSetting,
  ConfigurationError,
  hostSetting,
  listSetting,
  secretSetting,
  textSetting,
} from '../configuration/index.js';
import { isAddressRange } from '../http-limits/index.js';
import { logLevels } from '../observability/index.js';

const plainWord = /^[a-z][a-z0-9_-]{0,30}$/;

/** Variables that every service of a cluster has; each table of settings takes those that it needs. */
export const processSettings = {
  LOG_LEVEL: choiceSetting(logLevels, {
    description: 'Least severe level of the log, which goes to standard error.',
    default: 'info',
  }),
} as const;

/** Destination of traces. */
export const tracingSettings = {
  OTEL_EXPORTER_OTLP_ENDPOINT: textSetting({
    description:
      'Base address of the collector of traces (OTLP/HTTP); not set: no traces. The other OTEL_ variables apply too.',
    pattern: /^https?:\/\/[^\s@]+$/,
    expects: 'an address like http://collector:4318',
    optional: true,
  }),
} as const;

/** Address of the bus and credentials of the service. */
export const busSettings = {
  NATS_URL: listSetting({
    description: 'Servers of the bus; one is enough to find the others.',
    default: ['nats://127.0.0.1:4222'],
    pattern: /^(nats|tls):\/\/[^\s@/]+$/,
    expects: 'addresses like nats://127.0.0.1:4222 separated by commas',
  }),
  NATS_NAMESPACE: textSetting({
    description: 'Name of the cluster on the bus: the first word of all its subjects.',
    default: 'coin',
    pattern: plainWord,
    expects: 'a word of small letters, digits, _ and -',
  }),
  NATS_USER: textSetting({ description: 'User of this service on the bus.', optional: true }),
  NATS_PASSWORD: secretSetting({ description: 'Password of that user.', optional: true }),
  NATS_TLS_CA: textSetting({
    description:
      'File with the authorities that must have signed the certificates of the bus servers. If set, connections require TLS.',
    optional: true,
  }),
  NATS_TLS_CERT: textSetting({
    description: 'File with the certificate of this service, for bus servers that require one.',
    optional: true,
  }),
  NATS_TLS_KEY: textSetting({ description: 'File with the key of that certificate.', optional: true }),
} as const;

/** The database of the service. */
export const databaseSettings = {
  DATABASE_URL: secretSetting({
    description: 'Database of this service: postgresql://role:password@host:port/database, or without the password.',
  }),
  DATABASE_PASSWORD: secretSetting({
    description: 'Password of the role; it overrides the one in DATABASE_URL.',
    optional: true,
  }),
  DATABASE_TLS_CA: textSetting({
    description:
      'File with the authorities that must have signed the certificate of the database server, for the host name in DATABASE_URL. If set, connections require TLS.',
    optional: true,
  }),
} as const;

/** For a service that has a database. */
export const diskFolderSetting = textSetting({
  description:
    'A folder on the disk of the database, if it is on this machine. Metrics report its free space, and an alert fires before it is full.',
  optional: true,
});

export const cacheSettings = {
  REDIS_URL: secretSetting({
    description:
      'Cache and counters of rate limits: redis://host:port, or rediss:// with TLS. Not set: both are in the memory of this process.',
    optional: true,
  }),
  REDIS_USER: textSetting({
    description: 'User of this service on Redis; it overrides the one in REDIS_URL.',
    optional: true,
  }),
  REDIS_PASSWORD: secretSetting({
    description: 'Password of that user; it overrides the one in REDIS_URL.',
    optional: true,
  }),
  REDIS_TLS_CA: textSetting({
    description:
      'File with the authorities that must have signed the certificate of Redis; requires a rediss:// address.',
    optional: true,
  }),
} as const;

/** For every service: each has HTTP. */
export const hostNamesSetting = listSetting({
  description:
    'Names in the header Host under which this service is reached, beside addresses, localhost, the name of the interface that it listens on and, unless that is of this machine alone, its own name (`gateway`, `group-node-0`, `wallet-service`): those of a proxy, an ingress or the DNS. Requests with another name get 403.',
  default: [],
  pattern: /^[a-z0-9]([a-z0-9._-]*[a-z0-9])?$/,
  expects: 'names in small letters like node.example separated by commas, without port',
});

/** Of a service that counts the requests of clients. `checkProxies` checks its value. */
export const trustProxySetting = listSetting({
  description: 'Proxies whose X-Forwarded-For names the client; without it all clients behind a proxy share one limit.',
  default: [],
  expects: 'addresses or ranges like 10.0.0.0/8 separated by commas',
});

/** @throws ConfigurationError for a text that is neither an address nor a range */
export const checkProxies = (proxies: readonly string[]): void => {
  if (proxies.every(isAddressRange)) return;
  throw new ConfigurationError(['TRUST_PROXY must be addresses or ranges like 10.0.0.0/8 separated by commas.']);
};

/** Interface and port of health and metrics, for a service that has no other HTTP. */
export const healthHostSetting = hostSetting({
  description: 'Interface of health and metrics.',
  default: '127.0.0.1',
  portSetting: 'HEALTH_PORT',
});
