import { choiceSetting, listSetting, secretSetting, textSetting } from '../configuration/index.js';
import { logLevels } from '../observability/index.js';

const plainWord = /^[a-z][a-z0-9_-]{0,30}$/;

/** Variables that every service of a cluster has; each table of settings takes those that it needs. */
export const processSettings = {
  LOG_LEVEL: choiceSetting(logLevels, {
    description: 'Least severe line of the log, which goes to standard error.',
    default: 'warn',
  }),
  CLOCK_OFFSET_FILE: textSetting({
    description:
      'For tests of clocks: file with the milliseconds that are added to the wall clock, read again and again.',
    optional: true,
  }),
} as const;

/** Where the bus is and who speaks there. */
export const busSettings = {
  NATS_URL: listSetting({
    description: 'Servers of the bus, each enough to begin with.',
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
} as const;

/** The database of the service. */
export const databaseSettings = {
  DATABASE_URL: secretSetting({
    description: 'Database of this service: postgresql://role:password@host:port/database.',
  }),
} as const;

export const cacheSettings = {
  REDIS_URL: secretSetting({
    description: 'Cache and counters of rate limits: redis://host:port. Not set: in the memory of this process.',
    optional: true,
  }),
} as const;

/** Interface and port of health and metrics, for a service that has no other HTTP. */
export const healthHostSetting = textSetting({
  description: 'Interface of health and metrics.',
  default: '127.0.0.1',
});
