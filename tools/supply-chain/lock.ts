import { readFileSync } from 'node:fs';

/** A package of package-lock.json. */
export interface LockedPackage {
  readonly name: string;
  readonly version: string;
  /** SPDX, as the package names it. */
  readonly licence: string | undefined;
  readonly isProduction: boolean;
}

interface Entry {
  /** Of an alias: the package that is installed in the place of another. */
  readonly name?: string;
  readonly version: string;
  readonly license?: string;
  readonly link?: boolean;
  readonly dev?: boolean;
  /** Also an optional peer of a production package, such as the Prisma program. */
  readonly devOptional?: boolean;
}

/** The packages of others in a package-lock.json. */
export const lockedPackages = (file: string | URL): readonly LockedPackage[] => {
  const { packages } = JSON.parse(readFileSync(file, 'utf8')) as { packages: Readonly<Record<string, Entry>> };
  return Object.entries(packages)
    .filter(([path, { link }]) => path.includes('node_modules/') && link !== true)
    .map(([path, { name = path.split('node_modules/').at(-1)!, version, license, dev, devOptional }]) => ({
      name,
      version,
      licence: license,
      isProduction: dev !== true && devOptional !== true,
    }));
};
