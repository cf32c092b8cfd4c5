import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import ts from 'typescript';
import { lockedPackages } from './lock.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const textOf = (path: string): string => readFileSync(join(root, path), 'utf8');

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
  readonly nx?: { readonly tags?: readonly string[] };
}
const manifestOf = (folder: string): Manifest => JSON.parse(textOf(`${folder}/package.json`)) as Manifest;

const projects = ['apps', 'libs'].flatMap((kind) => readdirSync(join(root, kind)).map((name) => `${kind}/${name}`));
/** All but what only tests run: libs/testing and the simulator, which is built on it. */
const shippedProjects = projects.filter((project) => {
  const { tags = [] } = manifestOf(project).nx ?? {};
  return !tags.some((tag) => ['type:testing', 'type:simulation'].includes(tag));
});

const sourcesBelow = (folder: string): string[] =>
  existsSync(join(root, folder))
    ? readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.(?:tsx?|js)$/.test(name) && !name.includes('.spec.'))
        .map((name) => `${folder}/${name}`)
    : [];

/** Of the processes, and of the explorer's page for browsers, which is a bundle of packages. */
const sources = shippedProjects
  .flatMap((project) => [...sourcesBelow(`${project}/src`), ...sourcesBelow(`${project}/web`)])
  .concat(['docker/credentials.mjs', 'docker/health.mjs', 'docker/metrics.mjs'])
  .map(textOf);

const ofOthers = /^(?!node:|@shardnode\/)((?:@[\w.-]+\/)?[\w-][\w.-]*)(?:\/[\w./-]+)?$/;
const importedBy = (text: string): string[] =>
  ts.preProcessFile(text, true, true).importedFiles.flatMap(({ fileName }) => ofOthers.exec(fileName)?.[1] ?? []);

const imported = new Set(sources.flatMap(importedBy));
const dependencies = Object.keys(manifestOf('.').dependencies ?? {});
/** Loaded by the logger. */
const isTransport = (name: string): boolean => sources.some((text) => text.includes(`target: '${name}'`));

/** What packages that are imported ask the program to install beside them. */
const peers = new Set(
  [...imported].flatMap((name) => {
    const { peerDependencies = {}, peerDependenciesMeta = {} } = manifestOf(`node_modules/${name}`);
    return Object.keys(peerDependencies).filter((peer) => peerDependenciesMeta[peer]?.optional !== true);
  }),
);

describe('dependencies of package.json', () => {
  it('have every package that shipped code imports', () => {
    expect(imported.size).toBeGreaterThan(25);
    expect([...imported].filter((name) => !dependencies.includes(name))).toEqual([]);
  });

  it('have no other: each is imported, a transport of the logger, or asked for by one that is imported', () => {
    const isUsed = (name: string): boolean => imported.has(name) || peers.has(name) || isTransport(name);
    expect(dependencies.filter((name) => !isUsed(name))).toEqual([]);
  });

  it('are those of the root alone: the workspaces name only each other', () => {
    const others = projects.flatMap((project) => Object.keys(manifestOf(project).dependencies ?? {}));
    expect(others.filter((name) => !name.startsWith('@shardnode/'))).toEqual([]);
  });
});

describe('package-lock.json', () => {
  const packages = lockedPackages(join(root, 'package-lock.json'));
  const production = new Set(packages.filter(({ isProduction }) => isProduction).map(({ name }) => name));

  it('has every dependency in the production tree', () => {
    expect(dependencies.filter((name) => !production.has(name))).toEqual([]);
  });

  it.each(['elliptic', 'prisma', '@prisma/engines', 'typescript', 'vite'])('has no %s in it', (name) => {
    expect(packages.some((each) => each.name === name)).toBe(true);
    expect(production.has(name)).toBe(false);
  });
});

describe('nothing reports to its makers', () => {
  it.each([
    '@scarf/scarf',
    '@segment/analytics-node',
    '@sentry/node',
    'applicationinsights',
    'mixpanel',
    'posthog-node',
  ])('no package brings %s', (name) => {
    expect(lockedPackages(join(root, 'package-lock.json')).filter((each) => each.name === name)).toEqual([]);
  });

  it('Nx has neither its cloud nor its analytics, and npm does not ask for newer versions of itself', () => {
    expect(JSON.parse(textOf('nx.json'))).toMatchObject({ neverConnectToCloud: true, analytics: false });
    expect(textOf('.npmrc').split('\n')).toEqual(
      expect.arrayContaining(['audit=false', 'fund=false', 'update-notifier=false']),
    );
  });

  it('the Prisma program generates the clients without a report', () => {
    expect(textOf('tools/prisma-clients.mjs')).toMatch(/CHECKPOINT_DISABLE: '1'[^]*\[prisma, 'generate'/);
  });
});
