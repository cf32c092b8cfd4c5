import { CredentialFolder } from '@shardnode/core/credentials';
import { canonicalHost } from '@shardnode/core/hosts';
import { isDatabaseAway } from '@shardnode/core/process';
import { createReaderRole, createServiceDatabase } from '@shardnode/core/servers';
import {
  explorerDatabase,
  explorerReader,
  generateCredentials,
  networkCredentials,
  readCredentialNetwork,
  serviceDatabases,
  type CredentialNetwork,
} from '@shardnode/messages/credentials';
import { CommandFailure, UsageError, type CommandInput, type RunCommand } from '../command.js';
import { parseWords } from '../words.js';
import { rotateCertificates, rotateCredentials, type Rotation } from './rotate.js';
import { reachedServers } from './servers.js';
import { showCredentials } from './show.js';

const print = (line: string): void => void process.stdout.write(`${line}\n`);

const numberOf = (option: string, text: string, least: number, most: number): number => {
  const number = Number(text);
  if (/^\d+$/.test(text) && number >= least && number <= most) return number;
  throw new UsageError(`--${option} must be a number from ${least} to ${most}, not ${JSON.stringify(text)}.`);
};

/** Modes with access for the owner, and at most read access for the group. */
const modes = new Set([0o400, 0o440, 0o600, 0o640]);

/** `0640`. */
const modeOf = (text: string): number => {
  if (!/^0?[0-7]{3}$/.test(text))
    throw new UsageError(`--mode must be permissions like 0600, not ${JSON.stringify(text)}.`);
  const mode = Number.parseInt(text, 8);
  if (modes.has(mode)) return mode;
  throw new UsageError(
    `--mode ${text} would let more users at the secrets than need them: 0600 is for their owner alone; with 0640 the group of the files reads them too, so give the servers that group (chgrp). 0400 and 0440 are the same without writing.`,
  );
};

const plain = (option: string, text: string, pattern: RegExp, expects: string): string => {
  if (pattern.test(text)) return text;
  throw new UsageError(`--${option} must be ${expects}, not ${JSON.stringify(text)}.`);
};

/** In its canonical form. @throws UsageError */
const hostOf = (option: string, text: string): string => {
  const host = canonicalHost(text);
  if (host !== undefined) return host;
  throw new UsageError(`--${option} must be an IP address or the name of a host, not ${JSON.stringify(text)}.`);
};

const folderOption = { folder: { type: 'string' } } as const;

const neededFolder = (folder: string | undefined): string => {
  if (folder === undefined) throw new UsageError('--folder is missing.');
  return folder;
};

/** Values of earlier runs stay, unless the person sets others. */
const networkOf = (
  before: CredentialNetwork | undefined,
  given: Readonly<Record<string, string | boolean | undefined>>,
): CredentialNetwork => {
  const text = (option: string): string | undefined => given[option] as string | undefined;
  const namespace = text('namespace') ?? before?.namespace ?? 'coin';
  const natsHost = text('nats-host') ?? before?.natsHost ?? '127.0.0.1';
  const names = text('tls-names')
    ?.split(',')
    .map((name) => plain('tls-names', name, /^[A-Za-z0-9.:*-]+$/, 'hosts and addresses'));
  const hasTls = given['tls'] === true || names !== undefined || before?.tlsNames !== undefined;
  const tlsFolder = text('tls-folder') ?? before?.tlsFolder;
  return {
    namespace: plain('namespace', namespace, /^[a-z][a-z0-9_-]{0,30}$/, 'a word of small letters, digits, _ and -'),
    groups: numberOf('groups', text('groups') ?? String(before?.groups ?? 4), 1, 64),
    natsHost: hostOf('nats-host', natsHost),
    natsPort: numberOf('nats-port', text('nats-port') ?? String(before?.natsPort ?? 4222), 1, 65_535),
    mode: modeOf(text('mode') ?? (before ? before.mode.toString(8) : '0600')),
    ...(hasTls ? { tlsNames: names ?? before?.tlsNames ?? [] } : {}),
    ...(tlsFolder === undefined ? {} : { tlsFolder }),
  };
};

const generate: RunCommand = ({ words }) => {
  const options = {
    ...folderOption,
    tls: { type: 'boolean' },
    'tls-names': { type: 'string' },
    'tls-folder': { type: 'string' },
    groups: { type: 'string' },
    namespace: { type: 'string' },
    mode: { type: 'string' },
    'nats-host': { type: 'string' },
    'nats-port': { type: 'string' },
  } as const;
  const given = parseWords(words, options);
  const path = neededFolder(given.folder);
  const made = generateCredentials(path, networkOf(readCredentialNetwork(path), given));
  print(made.length === 0 ? `${path} has everything already.` : `${path} has ${made.length} new: ${made.join(', ')}`);
  return Promise.resolve(0);
};

/** @throws CommandFailure */
const opened = (folder: string | undefined): { folder: CredentialFolder; network: CredentialNetwork } => {
  const path = neededFolder(folder);
  const network = readCredentialNetwork(path);
  if (!network)
    throw new CommandFailure(`${path} has no credentials; make them: credentials generate --folder ${path}`);
  return { folder: new CredentialFolder(path, network.mode), network };
};

const rotationOf = (folder: string | undefined, { environment }: CommandInput, filesOnly = false): Rotation => {
  const found = opened(folder);
  const none = { postgres: undefined, redis: undefined, natsPid: undefined };
  return { ...found, servers: filesOnly ? none : reachedServers(found.folder, environment) };
};

const splitWords = (words: readonly string[]): { options: string[]; names: string[] } => {
  const at = words.indexOf('--folder');
  const isValue = (index: number): boolean => at !== -1 && index === at + 1;
  const isName = (word: string, index: number): boolean => !word.startsWith('--') && !isValue(index);
  return { options: words.filter((word, i) => !isName(word, i)), names: words.filter(isName) };
};

const rotate: RunCommand = async (input) => {
  const { options, names } = splitWords(input.words);
  const given = parseWords(options, { ...folderOption, 'files-only': { type: 'boolean' } } as const);
  const rotation = rotationOf(given.folder, input, given['files-only']);
  const all = networkCredentials(rotation.network.groups);
  const wanted = names.filter((name) => name !== 'tls');
  for (const name of wanted) {
    if (!all.some((one) => one.name === name || one.name.startsWith(`${name}/`)))
      throw new UsageError(`There is no credential ${JSON.stringify(name)}; credentials show lists them.`);
  }
  const isWanted = (name: string): boolean => wanted.some((one) => name === one || name.startsWith(`${one}/`));
  // The role that changes all others: it can be changed only on a running server.
  const isPossible = (name: string): boolean => name !== 'database/admin' || rotation.servers.postgres !== undefined;
  const chosen =
    names.length === 0 ? all.filter(({ name }) => isPossible(name)) : all.filter(({ name }) => isWanted(name));
  const changed = (name: string): void => print(`${name} is new`);
  const left = new Set([
    ...(chosen.length === 0 ? [] : await rotateCredentials(rotation, chosen, changed)),
    ...(names.includes('tls') ? await rotateCertificates(rotation, changed) : []),
  ]);
  if (left.size > 0) print(['', 'Next:', ...[...left].map((step) => `  ${step}`)].join('\n'));
  return 0;
};

const databases: RunCommand = async (input) => {
  const { folder, servers, network } = rotationOf(parseWords(input.words, folderOption).folder, input);
  const { postgres } = servers;
  if (!postgres)
    throw new CommandFailure('Set POSTGRES_URL to the server: postgresql://postgres@127.0.0.1:5432/postgres');
  for (const name of serviceDatabases(network.groups)) {
    await createServiceDatabase(postgres, name, folder.read(`database/${name}`));
    print(`${name} is there, with the role that owns it`);
  }
  const password = folder.read(`database/${explorerReader}`);
  await createReaderRole(postgres, { database: explorerDatabase, reader: explorerReader, password });
  print(`${explorerReader} is there: it reads ${explorerDatabase}`);
  return 0;
};

const show: RunCommand = ({ words }) => {
  const { folder, network } = opened(parseWords(words, folderOption).folder);
  for (const line of showCredentials(folder, network)) print(line);
  return Promise.resolve(0);
};

const actions: Readonly<Record<string, RunCommand>> = { generate, rotate, databases, show };

/** The files of secrets, and the matching accounts of the servers. */
export const runCredentials: RunCommand = async (input) => {
  const [action, ...words] = input.words;
  const run = action !== undefined && Object.hasOwn(actions, action) ? actions[action] : undefined;
  if (!run) throw new UsageError(`Say what to do: ${Object.keys(actions).join(', ')}.`);
  try {
    return await run({ ...input, words });
  } catch (error) {
    throw sentenceOf(error);
  }
};

/** Errors of servers are for the person; wrong use and faults of this program stay unchanged. */
const sentenceOf = (error: unknown): unknown => {
  const code = (error as { readonly code?: unknown }).code;
  const isOfServer = isDatabaseAway(error) || typeof code === 'string' || (error as Error).name === 'ReplyError';
  return isOfServer ? new CommandFailure(`${(error as Error).message}`, { cause: error }) : error;
};
