import { readFileSync } from 'node:fs';
import { z } from 'zod';
import {
  choiceSetting,
  ConfigurationError,
  type Environment,
  hostSetting,
  portSetting,
  readConfiguration,
  secretReader,
  secretSetting,
  textSetting,
  wholeNumberSetting,
} from '@shardnode/core/configuration';
import {
  busSettings,
  checkProxies,
  databaseSettings,
  diskFolderSetting,
  hostNamesSetting,
  processSettings,
  tracingSettings,
  trustProxySetting,
} from '@shardnode/core/process';
import { brandOf, brandSettings } from '@shardnode/http/brand-settings';
import { pageAddressSetting } from '@shardnode/http/page-address-setting';
import { networkSettings, readNetwork } from '@shardnode/messages/network';
import { parseAddress } from '@shardnode/protocol/address';
import { type NetworkSettings } from '@shardnode/protocol/network';

/** Parts that a process of the explorer runs (protocol 08 §2.1). */
const explorerModes = ['all', 'writer', 'reader'] as const;
export type ExplorerMode = (typeof explorerModes)[number];

const daysSetting = (description: string, days: number) =>
  wholeNumberSetting({ description, default: days, min: 1, max: 36_500 });

/** Every variable of the explorer (protocol 08 §2.2). */
export const explorerSettings = z.object({
  EXPLORER_HOST: hostSetting({
    description: 'Interface that the HTTP API listens on.',
    default: '0.0.0.0',
    portSetting: 'EXPLORER_PORT',
  }),
  EXPLORER_PORT: portSetting({ description: 'Port of the HTTP API.', default: 9_090 }),
  HOST_NAMES: hostNamesSetting,
  EXPLORER_MODE: choiceSetting(explorerModes, {
    description:
      'all: indexes and serves the API. writer: indexes. reader: serves the API; any number beside one writer. A second writer is on standby.',
    default: 'all',
  }),
  ...databaseSettings,
  DATABASE_POOL_READ: wholeNumberSetting({
    description: 'Connections for the API.',
    default: 16,
    min: 1,
    max: 1_000,
  }),
  DISK_FOLDER: diskFolderSetting,
  STATEMENT_TIMEOUT_MS: wholeNumberSetting({
    description: 'Milliseconds for one statement of the API; above it 504.',
    default: 5_000,
    min: 1,
    max: 600_000,
  }),
  MAX_OFFSET: wholeNumberSetting({
    description: 'Rows before a page of a list; deeper pages need a cursor.',
    default: 1_000_000,
    min: 0,
    max: 2_147_483_647,
  }),
  FINALITY_DEPTH: wholeNumberSetting({
    description: 'Blocks below the head of its chain after which a block is final.',
    default: 200,
    min: 1,
    max: 1_000_000,
  }),
  RESERVED_ADDRESSES_FILE: textSetting({
    description: 'File with the addresses, one in a line, whose coins are reserved: not in circulation.',
    optional: true,
  }),
  METADATA_FETCH: choiceSetting(['on', 'off'], {
    description: 'off: names and symbols of tokens are not read from their contracts.',
    default: 'on',
  }),
  EXPLORER_RATE_LIMIT: wholeNumberSetting({
    description: 'Requests a second of each address, and twice as many at once; above it 429. 0: no limit.',
    default: 0,
    min: 0,
    max: 1_000_000,
  }),
  TRUST_PROXY: trustProxySetting,
  ADMIN_TOKEN: secretSetting({
    description: 'Token for PUT /utils/sanity-check, as `Authorization: Bearer TOKEN`. Not set: there is no such path.',
    minLength: 32,
    optional: true,
  }),
  NODE_API_URL: pageAddressSetting(
    'Where browsers find the API of the node: the pages of the explorer link to it. Default: no link; of `npm start` and `npm run cluster` the API beside it.',
  ),
  EXPORT_MAX_TXS: wholeNumberSetting({
    description: 'Transactions of one exported file; above it 400.',
    default: 10_000,
    min: 1,
    max: 1_000_000,
  }),
  EXPORT_MAX_DAYS: daysSetting('Days of one exported file; above it 400.', 366),
  CHART_MAX_HOURLY_DAYS: daysSetting('Days of a chart by the hour; above it 400.', 30),
  CHART_MAX_DAILY_DAYS: daysSetting('Days of a chart by the day.', 366),
  CHART_MAX_WEEKLY_DAYS: daysSetting('Days of a chart by the week.', 366),
  HISTORY_MAX_HOURLY_DAYS: daysSetting('Days of a history of amounts by the hour; above it 400.', 7),
  HISTORY_MAX_DAILY_DAYS: daysSetting('Days of a history of amounts by the day.', 366),
  HISTORY_MAX_WEEKLY_DAYS: daysSetting('Days of a history of amounts by the week.', 366),
  STREAM_MAX_CLIENTS: wholeNumberSetting({
    description:
      'Clients of the live stream of this process; above it 503. One address has a tenth of them; above it 429.',
    default: 1_000,
    min: 0,
    max: 100_000,
  }),
  ...busSettings,
  ...brandSettings,
  ...networkSettings,
  ...processSettings,
  ...tracingSettings,
});

/** Largest list of reserved addresses, in bytes. */
const mostReservedBytes = 1_048_576;

/** The addresses of the file; none without a file. @throws ConfigurationError */
const readReservedAddresses = (file: string | undefined): readonly string[] => {
  if (file === undefined) return [];
  const wrong = (reason: string): ConfigurationError =>
    new ConfigurationError([`RESERVED_ADDRESSES_FILE must be a readable file with one address in a line: ${reason}.`]);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw wrong((error as Error).message);
  }
  if (text.length > mostReservedBytes) throw wrong('it is larger than 1 MiB');
  const lines = text.split('\n').map((line) => line.trim());
  const wrongLine = lines.findIndex((line) => line !== '' && !parseAddress(line));
  if (wrongLine >= 0) throw wrong(`line ${wrongLine + 1} is no address`);
  return lines.filter((line) => line !== '');
};

/** Choices of an explorer's settings, wherever it runs. */
export const explorerChoicesOf = (
  settings: Omit<z.output<typeof explorerSettings>, 'DATABASE_URL' | keyof typeof databaseSettings>,
) => ({
  mode: settings.EXPLORER_MODE as ExplorerMode,
  /** Largest number of rows before a page. */
  maxOffset: settings.MAX_OFFSET,
  /** Blocks below the head after which a block is final. */
  finalityDepth: settings.FINALITY_DEPTH,
  /** Milliseconds for a statement of an answer. */
  statementTimeoutMs: settings.STATEMENT_TIMEOUT_MS,
  /** Addresses whose coins are not in circulation. */
  reservedAddresses: readReservedAddresses(settings.RESERVED_ADDRESSES_FILE),
  /** Whether the writer reads interfaces and metadata of tokens and contracts. */
  readsMetadata: settings.METADATA_FETCH === 'on',
  /** Requests a second of one client; 0: no limit. */
  requestsPerSecond: settings.EXPLORER_RATE_LIMIT,
  /** The token of operators; undefined: they have no operations. */
  adminToken: secretReader(settings, 'ADMIN_TOKEN'),
  /** Where browsers find the API of the node; undefined: it is not known. */
  nodeApiUrl: settings.NODE_API_URL,
  /** Bounds of an exported file. */
  exportLimits: { transactions: settings.EXPORT_MAX_TXS, days: settings.EXPORT_MAX_DAYS },
  /** Longest spans of charts, in days. */
  chartDays: {
    hourly: settings.CHART_MAX_HOURLY_DAYS,
    daily: settings.CHART_MAX_DAILY_DAYS,
    weekly: settings.CHART_MAX_WEEKLY_DAYS,
  },
  /** Longest spans of histories of amounts, in days. */
  historyDays: {
    hourly: settings.HISTORY_MAX_HOURLY_DAYS,
    daily: settings.HISTORY_MAX_DAILY_DAYS,
    weekly: settings.HISTORY_MAX_WEEKLY_DAYS,
  },
  /** Clients of the live stream of a process. */
  streamMaxClients: settings.STREAM_MAX_CLIENTS,
  /** The names of the coin in the API. */
  brand: brandOf(settings),
});

export type ExplorerChoices = Readonly<ReturnType<typeof explorerChoicesOf>>;

/** Those of an explorer without any setting. */
export const defaultExplorerChoices: ExplorerChoices = explorerChoicesOf(
  readConfiguration(explorerSettings.omit({ DATABASE_URL: true }), {}),
);

export type ExplorerProcessSettings = z.output<typeof explorerSettings> & { readonly network: NetworkSettings };

/** The settings of an explorer process. @throws ConfigurationError */
export const readExplorerSettings = (environment: Environment): ExplorerProcessSettings => {
  const settings = readConfiguration(explorerSettings, environment);
  checkProxies(settings.TRUST_PROXY);
  return { ...settings, network: readNetwork(settings) };
};
