import { afterAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UsageError } from '../command.js';
import { runCredentials } from './commands.js';

const base = mkdtempSync(join(tmpdir(), 'shardnode-credentials-'));
afterAll(() => rmSync(base, { recursive: true, force: true }));

let folder: string;
let number = 0;
beforeEach(() => void (folder = join(base, String(++number), 'credentials')));

/** Returns the output. */
const run = async (...words: readonly string[]): Promise<string> => {
  let text = '';
  const spy = jest.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    text += String(chunk);
    return true;
  });
  try {
    expect(await runCredentials({ words, environment: {} })).toBe(0);
  } finally {
    spy.mockRestore();
  }
  return text;
};

const apiKeys = ['api-key', 'api-key-wallets', 'api-key-read'];

const files = (): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
const modeOf = (path: string): number => statSync(path).mode & 0o777;
const values = (): Record<string, string> =>
  Object.fromEntries(files().map((file) => [file, readFileSync(file, 'utf8')]));

describe('credentials generate', () => {
  it('writes one form of the address of NATS, and refuses another text', async () => {
    await run('generate', '--folder', folder, '--nats-host', '[::1]');
    expect(read('nats/nats.conf')).toContain('host: "::1"\n');
    await expect(run('generate', '--folder', folder, '--nats-host', '127.0.0.1:4222')).rejects.toThrow(
      new UsageError('--nats-host must be an IP address or the name of a host, not "127.0.0.1:4222".'),
    );
  });

  it('makes each secret once, for its owner alone, and prints none', async () => {
    const said = await run('generate', '--folder', folder, '--groups', '2', '--namespace', 'mine');
    expect(files().filter((file) => modeOf(file) !== 0o600)).toEqual([]);
    expect([folder, join(folder, 'nats')].map(modeOf)).toEqual([0o700, 0o700]);
    const names = ['database/admin', 'database/shardnode_group_1', 'database/shardnode_wallet', 'nats/gateway'];
    names.push('database/shardnode_explorer', 'database/shardnode_explorer_reader');
    const secrets = [...names, 'nats/operator', 'redis/gateway', 'redis/admin', ...apiKeys].map((name) =>
      read(name).trim(),
    );
    expect(new Set(secrets).size).toBe(secrets.length);
    expect(secrets.filter((secret) => !/^[\w-]{32}$/.test(secret) || said.includes(secret))).toEqual([]);
    expect(read('nats/nats.conf')).toContain(`user: "gateway", password: "${read('nats/gateway').trim()}"`);
    expect(read('nats/nats.conf')).toContain('"mine.peer.tips.1"');
    expect(read('redis/users.acl')).not.toContain(read('redis/gateway').trim());
    expect(read('redis/users.acl')).toContain('~mine:*');
    const before = values();
    expect(await run('generate', '--folder', folder)).toContain('has everything already');
    expect(values()).toEqual(before);
  });

  it('lets others read on request, and adds the secrets of a later call', async () => {
    await run('generate', '--folder', folder, '--mode', '0640');
    expect(modeOf(join(folder, 'nats/gateway'))).toBe(0o640);
    expect(modeOf(join(folder, 'nats'))).toBe(0o750);
    const said = await run('generate', '--folder', folder, '--groups', '5', '--tls', '--tls-names', 'nats.example');
    expect(said).toContain('5 new: database/shardnode_group_4, nats/group-node-4');
    expect(read('nats/nats.conf')).toContain(`cert_file: "${join(folder, 'tls/nats.crt')}"`);
    expect(modeOf(join(folder, 'tls/ca.key'))).toBe(0o640);
  });

  it.each([
    [['generate'], '--folder is missing'],
    [['generate', '--folder', 'x', '--groups', 'four'], '--groups must be a number from 1 to 64, not "four"'],
    [['generate', '--folder', 'x', '--namespace', 'a.b'], '--namespace must be a word'],
    [['generate', '--folder', 'x', '--mode', 'rw'], '--mode must be permissions like 0600'],
    [['generate', '--folder', 'x', '--mode', '0666'], '--mode 0666 would let more users at the secrets'],
    [['generate', '--folder', 'x', '--mode', '644'], '0600 is for their owner alone; with 0640 the group'],
    [['generate', '--folder', 'x', '--mode', '0660'], '--mode 0660 would let more users'],
    [['generate', '--folder', 'x', '--mode', '0000'], '--mode 0000 would let more users'],
    [['forget'], 'Say what to do: generate, rotate, databases, show.'],
  ])('%j: %s', async (words, problem) => {
    const failure = runCredentials({ words, environment: {} });
    await expect(failure).rejects.toThrow(UsageError);
    await expect(failure).rejects.toThrow(problem);
  });
});

it('credentials generate adds the keys of roles to a folder of before, whose key for everything stays', async () => {
  await run('generate', '--folder', folder);
  const before = read('api-key');
  for (const name of apiKeys.slice(1)) rmSync(join(folder, name));
  expect(await run('generate', '--folder', folder)).toContain('2 new: api-key-wallets, api-key-read');
  expect(read('api-key')).toBe(before);
});

describe('credentials rotate', () => {
  it('without servers changes the files, all or the named ones, and prints the remaining steps', async () => {
    await run('generate', '--folder', folder);
    const before = values();
    const said = await run('rotate', '--folder', folder, 'nats');
    const changed = files().filter((file) => values()[file] !== before[file]);
    expect(changed.map((file) => file.slice(folder.length + 1)).sort()).toEqual(
      ['explorer', 'gateway', 'group-node-0', 'group-node-1', 'group-node-2', 'group-node-3', 'nats.conf', 'operator']
        .concat('wallet-service')
        .map((name) => `nats/${name}`),
    );
    expect(said).toMatch(/send it SIGHUP/);
    expect(said).not.toContain(read('nats/gateway').trim());
    expect(await run('rotate', '--folder', folder)).toMatch(/PostgreSQL: credentials databases/);
    // No one could change a role any more if this password were changed in the file alone.
    expect(read('database/admin')).toBe(before[join(folder, 'database/admin')]);
    const keys = (): string[] => apiKeys.map(read);
    const [forAll, ...others] = keys();
    expect(await run('rotate', '--folder', folder, 'api-key')).toMatch(/API keys: give the new ones/);
    expect(keys()).toEqual([expect.not.stringMatching(forAll!), ...others]);
    await run('rotate', '--folder', folder, 'api-key-read');
    expect(keys().slice(1)).toEqual([others[0], expect.not.stringMatching(others[1]!)]);
    await expect(run('rotate', '--folder', folder, 'database/admin')).rejects.toThrow('set POSTGRES_URL');
    await expect(run('rotate', '--folder', folder, 'nats/nobody')).rejects.toThrow(
      'There is no credential "nats/nobody"',
    );
    await expect(run('rotate', '--folder', folder, 'tls')).rejects.toThrow('generate them with --tls');
    await expect(run('rotate', '--folder', join(folder, 'none'))).rejects.toThrow('has no credentials; make them');
  });
});

it('credentials show prints names and ages, never a value', async () => {
  await run('generate', '--folder', folder);
  const said = await run('show', '--folder', folder);
  expect(said).toMatch(/nats\/group-node-3 +\d{4}-\d\d-\d\d \d\d:\d\d +today/);
  for (const value of Object.values(values())) expect(said).not.toContain(value.trim());
});
