import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Environment } from './kit/child-process.js';
import { describeEmbedded } from './kit/deployment-under-test.js';
import { type Network, startNetwork } from './kit/network.js';
import { matchesExpected, readCommandBlocks, runBlocks } from './kit/readme-commands.js';

const projectFolder = join(dirname(fileURLToPath(import.meta.url)), '..');
const pageUrl = 'http://127.0.0.1:22973';
const explorerUrl = 'http://127.0.0.1:19091';

/** Pages whose commands a reader may copy, with the settings of the network that they say to start. */
const pages: readonly { readonly name: string; readonly settings: Environment }[] = [
  { name: 'README.md', settings: {} },
  { name: 'docs/exchange.md', settings: { MINING: 'off' } },
  {
    name: 'docs/existing-tools.md',
    settings: { API_PROFILE: 'reference', DEV_WALLET: 'true', EXPLORER: 'on', EXPLORER_PORT: '0' },
  },
];

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
    const step = ['1. Do', '', '   ```sh run', '   echo 1', '     echo 2', '   ```'];
    expect(readCommandBlocks(step.join('\n'))).toEqual([
      { line: 3, commands: 'echo 1\n  echo 2', expected: undefined },
    ]);
  });

  it('have the programs of the page before them, saved under their names', () => {
    const commands = "cat > a.mjs <<'END_OF_PROGRAM'\nconsole.log(`$x`);\nEND_OF_PROGRAM";
    expect(readCommandBlocks('```js file=a.mjs\nconsole.log(`$x`);\n```\n```js\n1;\n```')).toEqual([
      { line: 1, commands, expected: undefined },
    ]);
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

describe.each(pages)('$name', ({ name, settings }) => {
  const file = join(projectFolder, name);
  const blocks = existsSync(file) ? readCommandBlocks(readFileSync(file, 'utf8')) : [];

  it('has commands to run', () => expect(blocks).not.toEqual([]));

  describeEmbedded('its commands', () => {
    let folder = '';
    let network: Network;
    let outputs: readonly string[] = [];
    let errors = '';
    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'shardnode-page-'));
      // A reader has installed the packages that the programs of the page import.
      symlinkSync(join(projectFolder, 'node_modules'), join(folder, 'node_modules'));
      network = await startNetwork(settings);
      const replace = [
        [pageUrl, network.deployment.baseUrl],
        [explorerUrl, network.ready.explorerUrl ?? explorerUrl],
      ] as const;
      ({ outputs, errors } = await runBlocks(blocks, { replace, folder, timeoutMs: 90_000 }));
      // All commands of a page, some of which wait for blocks, after the start of a network.
    }, 150_000);
    afterAll(async () => {
      await network?.remove();
      if (folder !== '') rmSync(folder, { recursive: true, force: true });
    });

    it('all succeed', () => {
      expect(errors).toBe('');
      expect(outputs.length - 1).toBe(blocks.length);
    });

    it.each(blocks.map((block, index) => ({ ...block, index })))(
      'line $line prints what stands below it',
      ({ index, expected, commands }) => {
        if (expected === undefined) return;
        const output = (outputs[index] ?? '').replaceAll(network.deployment.baseUrl, pageUrl).trim();
        if (!matchesExpected(output, expected)) expect(`${commands}\n${output}`).toBe(`${commands}\n${expected}`);
      },
    );
  });
});
