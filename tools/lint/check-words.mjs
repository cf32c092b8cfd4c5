/** Fails when a comment of a service or library has a word that docs/style.md excludes; a sample made here proves that it sees one. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { commentsOf, excludedIn } from './comment-words.mjs';

const root = new URL('../../', import.meta.url).pathname;
/** Not read yet for their wording. */
const later = ['apps/gateway/src/admission', 'apps/gateway/src/contracts', 'apps/localnet/src/explorer'];

const sample =
  "/** What a job may use. */\nconst a = 'told'; // Notified of it.\n/**\n * The caller is told.\n */\n// Whether it tells.\n";
const found = commentsOf(sample).flatMap(({ text }) => excludedIn(text));
if (found.join() !== 'What,told,tells') throw new Error(`the search for words found ${found.join()}`);

const folders = ['apps', 'libs'].flatMap((folder) =>
  readdirSync(join(root, folder)).map((name) => join(root, folder, name, 'src')),
);
const files = folders
  .flatMap((folder) => readdirSync(folder, { recursive: true }).map((name) => join(folder, name)))
  .filter((file) => /\.(ts|tsx)$/.test(file) && !file.endsWith('.spec.ts') && !/\/generated\//.test(file))
  .filter((file) => !later.some((folder) => relative(root, file).startsWith(`${folder}/`)));

let count = 0;
for (const file of files) {
  for (const { line, text } of commentsOf(readFileSync(file, 'utf8'))) {
    for (const word of excludedIn(text)) {
      count += 1;
      console.error(`${relative(root, file)}:${line}: a comment has "${word}" (docs/style.md)`);
    }
  }
}
if (count > 0) process.exit(1);
console.log(`comments of ${files.length} files: no excluded word`);
