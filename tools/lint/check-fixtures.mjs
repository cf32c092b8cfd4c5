/** Proves that lint sees each broken boundary: every fixture must be reported by the rule that it names, every ordered folder has its place. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ESLint } from 'eslint';
import nx from '@nx/eslint-plugin';
import typescript from 'typescript-eslint';
import { boundaries, folderOrders, orderedFolders, rulesLibraryFloors } from './boundaries.mjs';

const root = new URL('../../', import.meta.url).pathname;
const folder = join(root, 'tools/lint/fixtures');
const eslint = new ESLint({
  cwd: root,
  overrideConfigFile: true,
  overrideConfig: [
    { files: ['**/*.ts'], languageOptions: { parser: typescript.parser }, plugins: { '@nx': nx }, rules: boundaries },
    ...rulesLibraryFloors,
    ...folderOrders,
  ],
});

let missed = 0;
for (const name of readdirSync(folder)) {
  const text = readFileSync(join(folder, name), 'utf8');
  const [, as] = text.match(/^\/\/ as: (.+)$/m);
  const [, expected] = text.match(/^\/\/ expects: (.+)$/m);
  const [result] = await eslint.lintText(text, { filePath: join(root, as) });
  if (result.messages.some((message) => message.ruleId === expected)) continue;
  missed += 1;
  console.error(`lint does not see ${name}: expected ${expected}, got ${JSON.stringify(result.messages)}`);
}
for (const [source, order] of Object.entries(orderedFolders)) {
  const found = readdirSync(join(root, source), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  for (const { name } of found) {
    if (order.includes(name)) continue;
    missed += 1;
    console.error(`${source}/${name} has no place in the order of its folders (tools/lint/boundaries.mjs)`);
  }
}
if (missed > 0) process.exit(1);
console.log(`lint sees each of the ${readdirSync(folder).length} broken boundaries`);
