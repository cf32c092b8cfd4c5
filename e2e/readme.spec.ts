import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describeEmbedded } from './kit/deployment.js';
import { type Network, startNetwork } from './kit/network.js';
import { type CommandBlock, matchesExpected, readCommandBlocks } from './kit/readme-commands.js';

const file = join(dirname(fileURLToPath(import.meta.url)), '../README.md');
const blocks: readonly CommandBlock[] = existsSync(file) ? readCommandBlocks(readFileSync(file, 'utf8')) : [];
const readmeUrl = 'http://127.0.0.1:22973';
const separator = '=== end of block ===';

/** All blocks in one shell, as a reader runs them: a variable of one is there in the next. */
const runBlocks = (baseUrl: string): Promise<{ outputs: string[]; errors: string }> => {
  const script = blocks
    .map(({ commands }) => `${commands.replaceAll(readmeUrl, baseUrl)}\nprintf '\\n%s\\n' '${separator}'`)
    .join('\n');
  return new Promise((resolve) => {
    const options = { timeout: 60_000, maxBuffer: 2 ** 26 };
    execFile('bash', ['-e', '-u', '-o', 'pipefail', '-c', script], options, (error, stdout, stderr) =>
      resolve({ outputs: stdout.split(`\n${separator}\n`), errors: error ? `${error.message}\n${stderr}` : '' }),
    );
  });
};

describe('expected outputs', () => {
  const markdown = [
    '# Title',
    '```sh',
    'rm x',
    '```',
    '```sh run',
    'echo 1',
    '```',
    'and',
    '```json',
    '{"a": "…"}',
    '```',
  ];

  it('belong to the commands before them', () => {
    expect(readCommandBlocks(markdown.join('\n'))).toEqual([{ line: 5, commands: 'echo 1', expected: '{"a": "…"}' }]);
    expect(readCommandBlocks('```sh run\nx\n```')).toEqual([{ line: 1, commands: 'x', expected: undefined }]);
  });

  it.each([
    ['{"a":1,"b":"x y"}', '{\n  "a": 1,\n  "b": "x y"\n}', true],
    ['{"a":1,"b":"xy"}', '{ "a": 1, "b": "x y" }', false],
    ['{"hash":"00ab","n":7}', '{ "hash": "…", "n": 7 }', true],
    ['{"hash":"00ab","n":8}', '{ "hash": "…", "n": 7 }', false],
    ['{"list":[1,2],"n":7}', '{ "list": […], "n": 7 }', true],
    ['{"a":1}', '{"a":1}…', true],
    ['{"a":1} more', '{"a":1}', false],
    ['a.b', 'a+b', false],
  ])('%s against %s: %s', (output, expected, equal) => {
    expect(matchesExpected(output, expected)).toBe(equal);
  });
});

(blocks.length > 0 ? describeEmbedded : describe.skip)('the commands of README.md', () => {
  let network: Network;
  let outputs: string[] = [];
  let errors = '';
  beforeAll(async () => {
    network = await startNetwork();
    ({ outputs, errors } = await runBlocks(network.deployment.baseUrl));
  });
  afterAll(() => network?.remove());

  it('all succeed', () => {
    expect(errors).toBe('');
    expect(outputs.length - 1).toBe(blocks.length);
  });

  it.each(blocks.map((block, index) => ({ ...block, index })))(
    'line $line prints what stands below it',
    ({ index, expected, commands }) => {
      if (expected === undefined) return;
      const output = (outputs[index] ?? '').replaceAll(network.deployment.baseUrl, readmeUrl).trim();
      if (!matchesExpected(output, expected)) expect(`${commands}\n${output}`).toBe(`${commands}\n${expected}`);
    },
  );
});
