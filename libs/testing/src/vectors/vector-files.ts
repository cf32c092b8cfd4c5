import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';

const findRoot = (folder: string): string =>
  existsSync(join(folder, 'nx.json')) ? folder : dirname(folder) === folder ? folder : findRoot(dirname(folder));

/** The project's root folder. */
const projectRoot = findRoot(dirname(fileURLToPath(import.meta.url)));

const copies = join(projectRoot, 'libs/testing/fixtures/vectors');
const own = join(projectRoot, 'libs/testing/fixtures/own-vectors');

/**
 * The folder of the whole set of vectors, named by `VECTORS_DIR`; without it only the project's own fixtures are read, and
 * nothing outside the repository.
 */
const wholeSet = process.env['VECTORS_DIR'] && resolve(process.env['VECTORS_DIR']);
if (wholeSet && !existsSync(wholeSet)) throw new Error(`VECTORS_DIR names ${wholeSet}, which does not exist`);

/** `original`: the whole set. `copy`: the project's own fixtures, without the entries that may not be copied (protocol 00). */
export const vectorOrigin: 'original' | 'copy' = wholeSet ? 'original' : 'copy';

/** The folder of programs that come with the vectors, e.g. the replay of conversations. */
export const vectorTools = wholeSet ? join(wholeSet, '../tools') : join(projectRoot, 'libs/testing/fixtures/tools');

const folders = wholeSet ? [wholeSet, copies] : [copies];

/** The bytes of a vector file, uncompressed; undefined where only the whole set has it. `name` without `.gz`. */
export const readVectorBytes = (name: string): Uint8Array | undefined => {
  for (const folder of folders) {
    const plain = join(folder, name);
    if (existsSync(plain)) return readFileSync(plain);
    if (existsSync(`${plain}.gz`)) return gunzipSync(readFileSync(`${plain}.gz`));
  }
  return undefined;
};

type Sections = Readonly<Record<string, unknown>>;

const parsed = (bytes: Uint8Array): Sections => JSON.parse(new TextDecoder().decode(bytes)) as Sections;

const isPlainObject = (value: unknown): value is Sections =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Cases of our own take the place of the sections, and of the parts of sections, that may not be copied. */
const withOwnCases = (name: string, copy: Sections): Sections => {
  const file = join(own, name);
  if (wholeSet || !existsSync(file)) return copy;
  const { about: _, ...sections } = parsed(readFileSync(file));
  const merged = Object.entries(sections).map(([section, cases]) => {
    const copied = copy[section];
    return [section, isPlainObject(cases) && isPlainObject(copied) ? { ...copied, ...cases } : cases] as const;
  });
  return { ...copy, ...Object.fromEntries(merged) };
};

/** A parsed vector file, e.g. `encoding.json` or `chain-transfers/final-state.json`. Throws when it is nowhere. */
export const readVectors = <T = Record<string, unknown>>(name: string): T => {
  const bytes = readVectorBytes(name);
  if (!bytes) throw new Error(`no vector file ${name} in ${folders.join(' or ')}`);
  return withOwnCases(name, parsed(bytes)) as T;
};

/** The folder of a chain history (`chain-transfers`, `chain-forks/views-a`). */
export const historyFolder = (name: string): string =>
  folders.map((folder) => join(folder, name)).find(existsSync) ?? join(copies, name);
