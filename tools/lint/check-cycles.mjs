/** Fails when files import each other in a circle (architecture, decision 15); a circle made here proves that it sees one. */
import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { findCycles } from './cycles.mjs';

const root = new URL('../../', import.meta.url).pathname;

const circle = {
  '/x/a.ts': "import { b } from './b.js';",
  '/x/b.ts': "import {\n  type C,\n  c,\n} from './c.js';",
  '/x/c.ts': "export * from './a.js';",
};
const ofTypes = { '/x/a.ts': "import { type B } from './b.js';", '/x/b.ts': "import { a } from './a.js';" };
const harmless = { '/x/a.ts': "import { b } from './b.js';", '/x/b.ts': "import { c } from './c.js';" };
const count = (files) => findCycles(Object.keys(files), (file) => files[file]).length;
if (count(circle) !== 1 || count(ofTypes) !== 1 || count(harmless) !== 0)
  throw new Error('the search for import cycles does not find one');

const folders = [
  ...['apps', 'libs'].flatMap((folder) =>
    readdirSync(join(root, folder)).map((name) => join(root, folder, name, 'src')),
  ),
  ...['bench', 'e2e'].map((folder) => join(root, folder)),
];
// Sources alone are walked: a build beside this check makes and removes folders of its output meanwhile.
const files = folders.flatMap((folder) =>
  readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith('.ts') && !/(^|\/)generated\//.test(name))
    .map((name) => join(folder, name)),
);
const cycles = findCycles(files);
for (const cycle of cycles) console.error(`import cycle: ${cycle.map((file) => relative(root, file)).join(' -> ')}`);
if (cycles.length > 0) process.exit(1);
console.log(`no import cycles in ${files.length} files`);
