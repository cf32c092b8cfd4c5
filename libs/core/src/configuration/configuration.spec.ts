import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import {
  changedSettings,
  choiceSetting,
  ConfigurationError,
  configurationTable,
  flagSetting,
  listSetting,
  portSetting,
  readConfiguration,
  secretReader,
  secretSetting,
  textSetting,
  variablesOf,
  wholeNumberSetting,
} from './index.js';

const schema = z
  .object({
    HOST: textSetting({ description: 'Interface', default: '127.0.0.1' }),
    PORT: portSetting({ description: 'Port', default: 12973 }),
    GROUP: wholeNumberSetting({ description: 'Group', min: 0, max: 3 }),
    MINING: choiceSetting(['instant', 'interval', 'off'], { description: 'When | how', default: 'instant' }),
    API_KEY: secretSetting({ description: 'Key', minLength: 32, optional: true }),
    API_KEY_REQUIRED: flagSetting({ description: 'Key needed', default: false }),
    MINER_ADDRESSES: listSetting({ description: 'Miners', expects: 'four addresses', count: 4, optional: true }),
  })
  .superRefine((config, context) => {
    if (config.API_KEY_REQUIRED && config.API_KEY === undefined) {
      const message = 'API_KEY must be set, because API_KEY_REQUIRED is true.';
      context.addIssue({ code: 'custom', path: ['API_KEY'], message });
    }
  });

const problemsOf = (environment: Record<string, string>): readonly string[] => {
  try {
    readConfiguration(schema, environment);
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems;
    throw error;
  }
  return [];
};

describe('configuration', () => {
  it('reads texts and fills in defaults', () => {
    const config = readConfiguration(schema, {
      GROUP: ' 2 ',
      PORT: '0',
      HOST: '',
      API_KEY_REQUIRED: 'false',
      OTHER: 'x',
    });
    expect(config).toEqual({ HOST: '127.0.0.1', PORT: 0, GROUP: 2, MINING: 'instant', API_KEY_REQUIRED: false });
    const port: number = config.PORT;
    const mining: 'instant' | 'interval' | 'off' = config.MINING;
    const key: string | undefined = config.API_KEY;
    expect([port, mining, key]).toEqual([0, 'instant', undefined]);
    expect(readConfiguration(schema, { GROUP: '0', MINER_ADDRESSES: 'a, b,c,d' }).MINER_ADDRESSES).toHaveLength(4);
  });

  it.each([
    [{}, 'GROUP is not set; it must be a whole number from 0 to 3.'],
    [{ GROUP: '4' }, 'GROUP must be a whole number from 0 to 3, not "4".'],
    [{ GROUP: '1.0' }, 'GROUP must be a whole number from 0 to 3, not "1.0".'],
    [{ GROUP: '1', PORT: 'http' }, 'PORT must be a whole number from 0 to 65535, not "http".'],
    [{ GROUP: '1', MINING: 'fast' }, 'MINING must be one of instant, interval, off, not "fast".'],
    [{ GROUP: '1', API_KEY: 'hunter2' }, 'API_KEY must be a secret text of at least 32 characters, which it is not.'],
    [{ GROUP: '1', API_KEY_REQUIRED: 'yes' }, 'API_KEY_REQUIRED must be true or false, not "yes".'],
    [{ GROUP: '1', API_KEY_REQUIRED: 'true' }, 'API_KEY must be set, because API_KEY_REQUIRED is true.'],
    [{ GROUP: '1', MINER_ADDRESSES: 'a,b' }, 'MINER_ADDRESSES must be four addresses, not "a,b".'],
  ])('%j: %s', (environment, problem) => {
    expect(problemsOf(environment)).toEqual([problem]);
  });

  it('names all wrong variables at once', () => {
    expect(problemsOf({ PORT: '-1', MINING: 'x' })).toHaveLength(3);
  });

  it('renders all variables as a table', () => {
    const table = configurationTable(schema);
    expect(table).toContain('| `PORT` | a whole number from 0 to 65535 | `12973` | Port |');
    expect(table).toContain('| `GROUP` | a whole number from 0 to 3 | required | Group |');
    expect(table).toContain(
      '| `API_KEY` or `API_KEY_FILE` | a secret text of at least 32 characters | not set | Key |',
    );
    expect(table).toContain('When \\| how');
  });

  it('lists changed settings for the log, and no secret', () => {
    const environment = { GROUP: '1', API_KEY: 'k'.repeat(32), MINING: 'off', PORT: ' 12973', HOST: '', OTHER: 'x' };
    expect(changedSettings(schema, environment)).toEqual({ GROUP: '1', MINING: 'off' });
    expect(changedSettings(schema, { MINER_ADDRESSES: 'a,b,c,d', API_KEY_FILE: '/run/key' })).toEqual({
      MINER_ADDRESSES: 'a,b,c,d',
      API_KEY_FILE: '/run/key',
    });
  });
});

describe('a secret in a file', () => {
  let folder: string;
  beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'shardnode-secrets-'))));
  afterAll(() => rmSync(folder, { recursive: true }));
  const key = 'k'.repeat(32);
  const write = (name: string, text: string): string => {
    const file = join(folder, name);
    writeFileSync(file, text);
    return file;
  };

  it('is read without its line break, together with its file name', () => {
    for (const text of [key, `${key}\n`, `${key}\r\n`]) {
      const file = write('key', text);
      expect(readConfiguration(schema, { GROUP: '1', API_KEY_FILE: file })).toMatchObject({
        API_KEY: key,
        API_KEY_FILE: file,
      });
    }
    expect(readConfiguration(schema, { GROUP: '1', API_KEY_FILE: ' ' })).not.toHaveProperty('API_KEY_FILE');
    // Only a secret has one.
    expect(readConfiguration(schema, { GROUP: '1', HOST_FILE: '/nowhere' }).HOST).toBe('127.0.0.1');
  });

  it('that is invalid gives one sentence, without a part of the secret', () => {
    const file = (text: string): Record<string, string> => ({ GROUP: '1', API_KEY_FILE: write('wrong', text) });
    const wrong = join(folder, 'wrong');
    expect(problemsOf({ GROUP: '1', API_KEY_FILE: join(folder, 'none') })).toEqual([
      `API_KEY_FILE: the file ${join(folder, 'none')} is not there.`,
    ]);
    expect(problemsOf({ GROUP: '1', API_KEY_FILE: folder })).toEqual([
      `API_KEY_FILE: the file ${folder} cannot be read: illegal operation on a directory.`,
    ]);
    expect(problemsOf(file(' \n'))).toEqual([`API_KEY_FILE: the file ${wrong} is empty.`]);
    expect(problemsOf(file('hunter2\nhunter3\n'))).toEqual([`API_KEY_FILE: the file ${wrong} has more than one line.`]);
    expect(problemsOf(file('hunter2'))).toEqual([
      `API_KEY in the file ${wrong} must be a secret text of at least 32 characters, which it is not.`,
    ]);
    expect(problemsOf({ ...file(key), API_KEY: key })).toEqual([
      'API_KEY and API_KEY_FILE are both set; set one of them.',
    ]);
  });

  it('is read again at each use, and stays valid while its file is missing', () => {
    const file = write('changing', key);
    const read = secretReader(readConfiguration(schema, { GROUP: '1', API_KEY_FILE: file }), 'API_KEY');
    const next = 'n'.repeat(32);
    expect(read()).toBe(key);
    write('changing', `${next}\n`);
    expect(read()).toBe(next);
    rmSync(file);
    expect(read()).toBe(next);
    expect(secretReader(readConfiguration(schema, { GROUP: '1', API_KEY: key }), 'API_KEY')()).toBe(key);
    expect(secretReader(readConfiguration(schema, { GROUP: '1' }), 'API_KEY')()).toBeUndefined();
  });

  it('has its variable among those of the service', () => {
    expect(variablesOf(schema)).toEqual(
      'HOST PORT GROUP MINING API_KEY API_KEY_FILE API_KEY_REQUIRED MINER_ADDRESSES'.split(' '),
    );
  });
});
