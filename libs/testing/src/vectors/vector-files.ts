import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';

const findRoot = (folder: string): string =>
  existsSync(join(folder, 'nx.json')) ? folder : dirname(folder) === folder ? folder : findRoot(dirname(folder));

/** The project's root folder. */
export const projectRoot = findRoot(dirname(fileURLToPath(import.meta.url)));

const copies = join(projectRoot, 'libs/testing/fixtures/vectors');
const originals = join(projectRoot, '../shared/vectors');

/**
 * `original`: the whole set, there when the specification lies beside the project. `copy`: the project's own fixtures,
 * without the entries that may not be copied (protocol 00).
 */
export const vectorOrigin: 'original' | 'copy' = existsSync(originals) ? 'original' : 'copy';

/** The bytes of a vector file, uncompressed; undefined where only the original set has it. `name` without `.gz`. */
export const readVectorBytes = (name: string): Uint8Array | undefined => {
  for (const folder of [originals, copies]) {
    const plain = join(folder, name);
    if (existsSync(plain)) return readFileSync(plain);
    if (existsSync(`${plain}.gz`)) return gunzipSync(readFileSync(`${plain}.gz`));
  }
  return undefined;
};

/** A parsed vector file, e.g. `encoding.json` or `chain-transfers/final-state.json`. Throws when it is nowhere. */
export const readVectors = <T = Record<string, unknown>>(name: string): T => {
  const bytes = readVectorBytes(name);
  if (!bytes) throw new Error(`no vector file ${name} in ${originals} or ${copies}`);
  return JSON.parse(new TextDecoder().decode(bytes)) as T;
};

/** The folder of a chain history (`chain-transfers`, `chain-forks/views-a`): the original if there, else the copy. */
export const historyFolder = (name: string): string =>
  existsSync(join(originals, name)) ? join(originals, name) : join(copies, name);
