import { type LoggerService } from '@nestjs/common';
import {
  pino,
  stdTimeFunctions,
  type DestinationStream,
  type Logger as PinoLogger,
  type LoggerOptions as PinoOptions,
} from 'pino';
import { currentRequestId } from './request-context.js';

/** Structured log: a constant text with the data as fields, `logger.warn({ height }, 'block came late')`. */
export type Logger = PinoLogger;

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

export interface LoggerSettings {
  /** Field `service` of each line, e.g. `group-node-2`. */
  readonly service?: string;
  readonly level?: LogLevel;
  /** Readable text for a terminal instead of JSON lines. */
  readonly pretty?: boolean;
  /** Default: standard output. */
  readonly destination?: DestinationStream;
}

const secretNames = ['password', 'passphrase', 'mnemonic', 'privateKey', 'apiKey', 'seed'];
/** The second line of defence; the first is that no code logs bodies. */
const secretPaths = [
  ...secretNames,
  ...secretNames.map((name) => `*.${name}`),
  ...secretNames.map((name) => `*.*.${name}`),
];

export const createLogger = (settings: LoggerSettings = {}): Logger => {
  const options: PinoOptions = {
    level: settings.level ?? 'info',
    base: settings.service === undefined ? {} : { service: settings.service },
    timestamp: stdTimeFunctions.isoTime,
    redact: { paths: secretPaths, censor: '(secret)' },
    mixin: () => {
      const requestId = currentRequestId();
      return requestId === undefined ? {} : { requestId };
    },
  };
  if (settings.destination) return pino(options, settings.destination);
  return settings.pretty
    ? pino({ ...options, transport: { target: 'pino-pretty', options: { ignore: 'pid,hostname' } } })
    : pino(options);
};

/** A silent logger, for tests. */
export const silentLogger: Logger = pino({ level: 'silent' });

/** Logger for the framework's own lines: its `log` lines are start-up details and become `debug`. */
export const nestLogger = (logger: Logger): LoggerService => {
  const write =
    (level: 'debug' | 'warn' | 'error' | 'fatal' | 'trace') =>
    (message: unknown, ...rest: unknown[]): void => {
      const context = rest.at(-1);
      const fields = typeof context === 'string' ? { context } : {};
      if (message instanceof Error) logger[level]({ ...fields, err: message }, message.message);
      else logger[level](fields, String(message));
    };
  return {
    log: write('debug'),
    debug: write('debug'),
    verbose: write('trace'),
    warn: write('warn'),
    error: write('error'),
    fatal: write('fatal'),
  };
};
