import { expect, it } from '@jest/globals';
import { mkdtempSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeNatsConfiguration } from './write-nats-configuration.js';

const newFolder = (): string => mkdtempSync(join(tmpdir(), 'nats-config-'));

it('makes passwords, writes both files for their owner alone and prints no password', () => {
  const folder = newFolder();
  const said = writeNatsConfiguration(['--generate', '--folder', folder, '--groups', '2', '--namespace', 'mine']);
  const passwords = JSON.parse(readFileSync(join(folder, 'nats-passwords.json'), 'utf8')) as Record<string, string>;
  const configuration = readFileSync(join(folder, 'nats.conf'), 'utf8');
  expect(Object.keys(passwords)).toEqual(['gateway', 'group-node-0', 'group-node-1', 'wallet-service', 'explorer']);
  for (const password of Object.values(passwords)) {
    expect(configuration).toContain(`password: "${password}"`);
    expect(said).not.toContain(password);
  }
  expect(configuration).toContain('"mine.peer.tips.1"');
  for (const file of ['nats.conf', 'nats-passwords.json'])
    expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
  // The passwords of one run serve the next.
  writeNatsConfiguration([
    '--passwords',
    join(folder, 'nats-passwords.json'),
    '--folder',
    newFolder(),
    '--groups',
    '2',
  ]);
});

it('says what is wrong with the arguments', () => {
  expect(() => writeNatsConfiguration([])).toThrow('usage: npm run nats-config');
  expect(writeNatsConfiguration(['--help'])).toMatch(/^usage: npm run nats-config/);
  expect(() => writeNatsConfiguration(['--generate', '--groups', 'four'])).toThrow(
    '--groups must be a number from 1 to 64',
  );
  expect(() => writeNatsConfiguration(['--generate', '--namespace', 'a.b'])).toThrow('--namespace takes letters');
});
