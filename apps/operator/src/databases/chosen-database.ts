import { type Environment, readConfiguration } from '@shardnode/core/configuration';
import { networkSettings, readNetwork } from '@shardnode/messages/network';
import { type NetworkSettings } from '@shardnode/protocol/network';
import { z } from 'zod';
import { CommandFailure, UsageError } from '../command.js';
import { readGroup } from '../words.js';
import {
  databasesAreApart,
  explorerDatabase,
  groupDatabase,
  type ServiceDatabase,
  walletDatabase,
} from './service-databases.js';

/** The network that GENESIS_FILE names. @throws ConfigurationError */
export const networkOf = (environment: Environment): NetworkSettings =>
  readNetwork(readConfiguration(z.object(networkSettings), environment));

/** Values of `--group`, `--wallet` and `--explorer`; undefined for none. */
export interface ChosenWords {
  readonly group?: string | undefined;
  readonly wallet?: boolean | undefined;
  readonly explorer?: boolean | undefined;
}

/** Options of a command about one database. */
export const databaseOptions = {
  group: { type: 'string' },
  wallet: { type: 'boolean' },
  explorer: { type: 'boolean' },
} as const;

/** @throws UsageError when several are given */
export const namedDatabase = (
  { group, wallet = false, explorer = false }: ChosenWords,
  groups: number,
): ServiceDatabase | undefined => {
  if ([group !== undefined, wallet, explorer].filter(Boolean).length > 1)
    throw new UsageError('--group, --wallet and --explorer exclude each other.');
  if (wallet) return walletDatabase;
  if (explorer) return explorerDatabase;
  const number = readGroup(group, groups);
  return number === undefined ? undefined : groupDatabase(number);
};

/** @throws UsageError when none is given */
export const requireNamed = (words: ChosenWords, groups: number): ServiceDatabase => {
  const named = namedDatabase(words, groups);
  if (!named) throw new UsageError('Name the database: --group G, --wallet or --explorer.');
  return named;
};

/** Checks that the variables serve for several databases. @throws CommandFailure */
export const requireApart = (environment: Environment): void => {
  if (databasesAreApart(environment)) return;
  throw new CommandFailure(
    'DATABASE_URL must serve for all databases: postgresql://{database}@HOST:5432/{database}. Or name one with --group G.',
  );
};
