import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { busAccounts, renderBusAccounts } from '@shardnode/messages';

const usage = `usage: npm run nats-config -- --generate | --passwords FILE [--folder DIR] [--namespace NAME] [--groups N] [--host ADDRESS] [--port N]
Writes DIR/nats.conf (default: data/nats): the configuration of a NATS server with a user for each service.
  --generate         makes passwords and writes them to DIR/nats-passwords.json
  --passwords FILE   takes them from a file: {"gateway": "...", "group-node-0": "...", ...}
  --namespace NAME   NATS_NAMESPACE of the services, default coin
  --groups N         default 4
  --host, --port     where the server listens, default 127.0.0.1 and 4222
  --help             this text`;

const options = {
  generate: { type: 'boolean', default: false },
  passwords: { type: 'string' },
  folder: { type: 'string', default: 'data/nats' },
  namespace: { type: 'string', default: 'coin' },
  groups: { type: 'string', default: '4' },
  host: { type: 'string', default: '127.0.0.1' },
  port: { type: 'string', default: '4222' },
} as const;

const readOptions = (given: readonly string[]) => {
  try {
    return parseArgs({ args: [...given], options }).values;
  } catch (error) {
    throw new Error(`${(error as Error).message}\n${usage}`, { cause: error });
  }
};

const numberOf = (name: string, text: string, most: number): number => {
  const number = Number(text);
  if (!/^\d+$/.test(text) || number < 1 || number > most)
    throw new Error(`--${name} must be a number from 1 to ${most}`);
  return number;
};

const readPasswords = (file: string): Record<string, string> => {
  const parsed = JSON.parse(readFileSync(file, 'utf8')) as unknown;
  const isTable = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed);
  if (!isTable || Object.values(parsed).some((password) => typeof password !== 'string')) {
    throw new Error(`${file} must hold a JSON object of users and their passwords`);
  }
  return parsed as Record<string, string>;
};

/**
 * Writes the configuration of a NATS server, readable by its owner alone, and gives the sentence for the terminal. Throws
 * with a sentence for wrong arguments. No password is ever printed.
 */
export const writeNatsConfiguration = (given: readonly string[]): string => {
  if (given.includes('--help')) return usage;
  const values = readOptions(given);
  if (values.generate === (values.passwords !== undefined)) throw new Error(usage);
  if (!/^[A-Za-z0-9_-]+$/.test(values.namespace)) throw new Error('--namespace takes letters, digits, _ and -');
  if (!/^[A-Za-z0-9.:-]+$/.test(values.host)) throw new Error('--host must be an address');
  const port = numberOf('port', values.port, 65_535);
  const accounts = busAccounts(values.namespace, numberOf('groups', values.groups, 64));
  const passwords =
    values.passwords === undefined
      ? Object.fromEntries(accounts.map(({ user }) => [user, randomBytes(24).toString('base64url')]))
      : readPasswords(values.passwords);
  const head = `host: "${values.host}"\nport: ${port}\n# The largest block travels whole.\nmax_payload: 8MB\n`;
  const text = head + renderBusAccounts(accounts, passwords);
  mkdirSync(values.folder, { recursive: true });
  const file = join(values.folder, 'nats.conf');
  writeFileSync(file, text, { mode: 0o600 });
  if (!values.generate) return `${file} is written: nats-server -c ${file}`;
  const passwordFile = join(values.folder, 'nats-passwords.json');
  writeFileSync(passwordFile, `${JSON.stringify(passwords, undefined, 2)}\n`, { mode: 0o600 });
  return `${file} and ${passwordFile} are written: nats-server -c ${file}; each service takes its NATS_USER and NATS_PASSWORD from the second`;
};
