import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, it } from '@jest/globals';

interface Package {
  readonly engines?: { readonly node?: string };
  readonly hasInstallScript?: boolean;
  readonly optional?: boolean;
}

/** npm's own reader of version ranges; it has no types. */
const { minVersion, satisfies } = createRequire(import.meta.url)('semver') as {
  minVersion(range: string): { readonly version: string };
  satisfies(version: string, range: string): boolean;
};

const root = new URL('../../', import.meta.url);
const jsonOf = (name: string): unknown => JSON.parse(readFileSync(new URL(name, root), 'utf8'));
const { engines, allowScripts } = jsonOf('package.json') as {
  engines: { readonly node: string };
  allowScripts: Readonly<Record<string, boolean>>;
};
const packages = Object.entries((jsonOf('package-lock.json') as { packages: Record<string, Package> }).packages);
const lowest = minVersion(engines.node).version;

describe('npm ci says nothing but what it has installed', () => {
  it('README names the version of Node that package.json asks for', () => {
    const [, named] = /Node (\d+\.\d+) or newer/.exec(readFileSync(new URL('README.md', root), 'utf8')) ?? [];
    expect(`${named}.0`).toBe(lowest);
  });

  // `overrides` of package.json hold back three packages that others ask for in a version for Node 22 and later; none of them
  // does something for us that the older version does not.
  it('every package accepts that version', () => {
    expect(packages.length).toBeGreaterThan(100);
    const tooNew = packages.filter(([, { engines: { node } = {} }]) => node !== undefined && !satisfies(lowest, node));
    expect(tooNew.map(([path, found]) => [path, found.engines?.node])).toEqual([]);
  });

  it('whether a package may run a script when it is installed is decided for each that has one', () => {
    const asking = packages.filter(([, { hasInstallScript, optional }]) => hasInstallScript && !optional);
    const names = asking.map(([path]) => path.split('node_modules/').at(-1)!);
    expect(names.sort()).toEqual(Object.keys(allowScripts).sort());
  });
});
