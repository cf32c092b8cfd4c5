import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { errorKinds, httpStatusOfKind, type ErrorKind } from '@shardnode/core/errors';
import { errorCodes, errorTables, statusOfCode, type ErrorCode } from '@shardnode/http';

/** Sources of errors that clients can receive. */
const folders = [
  'libs/protocol/src/building',
  'libs/protocol/src/validation',
  'libs/protocol/src/policy',
  'libs/core/src/bus',
  'libs/core/src/errors',
  'libs/core/src/http-server',
  'libs/messages/src',
  'apps/gateway/src',
  'apps/group-node/src',
  'apps/wallet-service/src',
];

/** Rules of blocks: no client sends any. */
const notForClients =
  /^libs\/protocol\/src\/validation\/(block|block-role|coinbase|double-spending|header|transaction-list)\.ts$/;

interface Source {
  readonly path: string;
  readonly text: string;
}

const root = new URL('../../', import.meta.url);
const sources: readonly Source[] = folders.flatMap((folder) =>
  readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.spec.ts') && !notForClients.test(path))
    .map((path) => ({ path, text: readFileSync(new URL(path, root), 'utf8') })),
);

const matches = (form: RegExp, from: RegExp): RegExpMatchArray[] =>
  sources.filter(({ path }) => from.test(path)).flatMap(({ text }) => [...text.matchAll(form)]);

const refusals = matches(/\b(?:BuildRefusal|refusalOf|refuse|required|failed)\(\s*'(\w+)'/g, /^libs\/protocol\//);
const validated = matches(
  /\bcode: '(\w+)'/g,
  /^libs\/protocol\/src\/(validation|policy)|^apps\/group-node\/src\/(mempool|import|start)\//,
);
const serviceErrors = matches(/\b(?:ServiceError|super)\(\s*'([\w-]+)',\s*'(\w+)'/g, /./);
const tabled = matches(/\berrorOf\(\s*'(\w+)'/g, /./);
const frameworkErrors = matches(/\bcode: '(\w+)'/g, /^libs\/core\/src\/http-server\//);

const given = new Set([
  ...[...refusals, ...validated, ...tabled, ...frameworkErrors].map(([, code]) => code!),
  ...serviceErrors.map(([, , code]) => code!),
]);

describe('the table of error codes', () => {
  it('has every code that the sources give, and no other', () => {
    expect(given.size).toBeGreaterThan(100);
    expect(Object.keys(errorCodes).sort()).toEqual([...given].sort());
  });

  it('has each code once', () => {
    const all = Object.values(errorTables).flatMap((table) => Object.keys(table));
    expect(all.filter((code, i) => all.indexOf(code) !== i)).toEqual([]);
  });

  it('says the status that the sources answer', () => {
    const differing = serviceErrors
      .filter(([, kind]) => (errorKinds as readonly string[]).includes(kind!))
      .map(([, kind, code]) => [code, httpStatusOfKind[kind as ErrorKind]] as const)
      .filter(([code, status]) => Object.hasOwn(errorCodes, code!) && statusOfCode(code as ErrorCode) !== status);
    expect(differing).toEqual([]);
  });
});
