/**
 * Adds to package-lock.json the optional packages of other platforms that npm left out because the registry at hand does
 * not serve them; without them `npm ci` says that the lock and package.json are not in sync. Run after changing a
 * dependency: node tools/complete-lock.mjs
 */
import { readFileSync, writeFileSync } from 'node:fs';

const file = new URL('../package-lock.json', import.meta.url).pathname;
const lock = JSON.parse(readFileSync(file, 'utf8'));
const systems = ['darwin', 'linux', 'win32', 'android', 'freebsd', 'openharmony'];

let added = 0;
for (const [path, { optionalDependencies, dev }] of Object.entries(lock.packages)) {
  if (path === '') continue;
  for (const [name, version] of Object.entries(optionalDependencies ?? {})) {
    const words = name.split('/').at(-1).split('-');
    const system = words.find((word) => systems.includes(word));
    const place = `node_modules/${name}`;
    if (!system || lock.packages[place] || lock.packages[`${path}/${place}`]) continue;
    const cpu = words[words.indexOf(system) + 1];
    lock.packages[place] = { version, cpu: [cpu], ...(dev ? { dev } : {}), optional: true, os: [system] };
    added += 1;
  }
}
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
console.log(`${added} packages of other platforms added`);
