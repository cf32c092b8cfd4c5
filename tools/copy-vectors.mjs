/**
 * Copies the test vectors that the project may carry into libs/testing/fixtures/vectors (protocol 00, "What the
 * documents are"): those computed by us or measured. Entries whose source is "reference test data" or a recording of
 * another project's tests stay out; the tests read them where `VECTORS_DIR` names the original folder.
 *
 *   node tools/copy-vectors.mjs ORIGINAL_FOLDER
 *
 * Also copies the program that compares recorded transcripts, from ORIGINAL_FOLDER/../tools.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import { dirname, join } from 'node:path';

const from = process.argv[2];
if (!from) throw new Error('usage: node tools/copy-vectors.mjs ORIGINAL_FOLDER');
const to = new URL('../libs/testing/fixtures/vectors/', import.meta.url).pathname;
mkdirSync(to, { recursive: true });

const files = [
  'encoding',
  'addresses',
  'transactions',
  'blocks',
  'tx-building',
  'tx-validation',
  'consensus',
  'state-trie',
  'contract-state',
  'http-examples',
  'explorer-examples',
  'vm',
  'vm-instructions',
  'vm-instructions-2',
  'vm-random',
  'contract-scenarios',
  'contract-scenarios-2',
  'rejected-blocks',
  'rejected-transactions',
];
const foreign = /reference test data|sdk test data|explorer test data|published as test data/;
const isForeign = (value) =>
  typeof value === 'object' && value !== null && foreign.test(`${value.source ?? ''} ${value.reason ?? ''}`);
/** Program texts of the scenarios: their tests need the bytecode only, and the texts name another coin. */
const isProgramText = (key, value) => key === 'scriptSource' || (key === 'source' && /[{]\n/.test(String(value)));
const strip = (value) => {
  if (Array.isArray(value)) return value.filter((item) => !isForeign(item)).map(strip);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, item]) => !isForeign(item) && !isProgramText(key, item))
      .map(([key, item]) => [key, strip(item)]),
  );
};
const readOriginal = (file) =>
  existsSync(join(from, `${file}.gz`))
    ? gunzipSync(readFileSync(join(from, `${file}.gz`)))
    : readFileSync(join(from, file));
for (const file of files) {
  const stripped = strip(JSON.parse(readOriginal(`${file}.json`).toString()));
  writeFileSync(join(to, `${file}.json.gz`), gzipSync(JSON.stringify(stripped), { level: 9 }));
}

/** Of the histories the large files are compressed; the readers find both forms. */
const isLarge = (name) => /(final-state|check-order|rejected-blocks|rejected-transactions)\.json$/.test(name);
for (const folder of ['chain', 'chain-transfers', 'chain-tokens', 'chain-forks']) {
  cpSync(join(from, folder), join(to, folder), { recursive: true, filter: (name) => !isLarge(name) });
  for (const name of readdirSync(join(from, folder), { recursive: true }).filter(isLarge))
    writeFileSync(join(to, folder, `${name}.gz`), gzipSync(readFileSync(join(from, folder, name)), { level: 9 }));
}

/** The compiler's: results, errors, sources. A file of another project's test data keeps its description only. */
for (const name of readdirSync(join(from, 'compiler'), { recursive: true }).filter((file) =>
  /\.(json|ral)$/.test(file),
)) {
  const target = join(to, 'compiler', `${name}.gz`);
  const { cases, ...about } = name.endsWith('.json') ? JSON.parse(readOriginal(`compiler/${name}`).toString()) : {};
  const kept = isForeign(about) ? about : strip({ ...about, ...(cases && { cases }) });
  mkdirSync(dirname(target), { recursive: true });
  const text = name.endsWith('.json') ? JSON.stringify(kept) : readOriginal(`compiler/${name}`);
  writeFileSync(target, gzipSync(text, { level: 9 }));
}

/** Recorded answers of an explorer. Market prices are not built, and their paths name another coin. */
mkdirSync(join(to, 'explorer'), { recursive: true });
for (const name of ['chain', 'chain-transfers', 'chain-tokens']) {
  const file = `explorer/${name}.json`;
  const { entries, ...about } = JSON.parse(readOriginal(file).toString());
  const kept = entries.filter(({ path }) => !path.startsWith('/market/'));
  writeFileSync(join(to, `${file}.gz`), gzipSync(JSON.stringify({ ...about, entries: kept }), { level: 9 }));
}

/** Recorded conversations, and the program that replays them. */
const conversations = 'http-transcripts';
mkdirSync(join(to, conversations), { recursive: true });
for (const name of readdirSync(join(from, conversations)).filter((file) => /^[0-3].*\.json$/.test(file)))
  writeFileSync(
    join(to, conversations, `${name}.gz`),
    gzipSync(readFileSync(join(from, conversations, name)), { level: 9 }),
  );
cpSync(join(from, '../tools/replay-transcripts.mjs'), join(to, '../tools/replay-transcripts.mjs'));
