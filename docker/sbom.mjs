/**
 * The bill of materials of an image, as CycloneDX JSON: npm describes every package of package-lock.json, this file takes those
 * that the image holds. collect.mjs writes it into the image, as /app/sbom.cdx.json.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { basename, join } from 'node:path';
import { readPackage, root } from './contents.mjs';

const options = { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 };

let whole;
/** All packages of package-lock.json, tools among them. Asks no registry. */
const wholeBill = () => {
  whole ??= JSON.parse(execFileSync('npm', ['sbom', '--sbom-format=cyclonedx', '--package-lock-only'], options));
  return whole;
};

const referenceOf = (folder) => {
  const { name, version } = readPackage(folder);
  return `${name}@${version}`;
};

const linesOf = (program, args) => (spawnSync(program, args, options).stdout ?? '').split('\n').filter(Boolean);

/** Packages of Debian with the libraries that Node is linked to: all of the system that an image holds. */
const systemComponents = () => {
  const libraries = linesOf('ldd', [process.execPath]).map((line) => /\/\S+/.exec(line)?.[0]);
  const patterns = libraries.filter(Boolean).map((path) => `*/${basename(path)}`);
  const names = linesOf('dpkg-query', ['--search', ...patterns]).map((line) => line.slice(0, line.indexOf(': ')));
  if (names.length === 0) return [];
  const format = '--showformat=${Package} ${Version} ${Architecture}\n';
  return linesOf('dpkg-query', ['--show', format, ...new Set(names)]).map((line) => {
    const [name, version, architecture] = line.split(' ');
    const purl = `pkg:deb/debian/${name}@${encodeURIComponent(version)}?arch=${architecture}`;
    return { 'bom-ref': purl, type: 'library', name, version, purl };
  });
};

/** Software below an app in its image: this Node, and the libraries that it is linked to. To be asked in the image's own base. */
export const baseComponents = () => {
  const version = process.versions.node;
  const purl = `pkg:generic/node@${version}`;
  const node = {
    'bom-ref': purl,
    type: 'platform',
    name: 'node',
    version,
    purl,
    licenses: [{ license: { id: 'MIT' } }],
  };
  return [node, ...systemComponents()];
};

const isOurs = (component) => component['bom-ref'].startsWith('@shardnode/');

/** A component as npm describes it, but for our own: npm names those by their folders and leaves out the licence. */
const describe = (component, licenses) => {
  const reference = component['bom-ref'];
  return isOurs(component)
    ? { ...component, name: reference.slice(0, reference.lastIndexOf('@')), licenses }
    : component;
};

/**
 * The bill of an image. `contents` is what `contentsOf(app)` returns, `base` components that are no npm packages. Throws when
 * an installed package is not the one of package-lock.json.
 */
export const billOfMaterials = (app, { owners, imported, packages, bundled }, base = []) => {
  const bill = wholeBill();
  const { licenses } = bill.metadata.component;
  const described = new Map(bill.components.map((component) => [component['bom-ref'], describe(component, licenses)]));
  const folders = [...[...owners].map((owner) => join(root, owner)), ...packages, ...bundled];
  const references = new Set(folders.map(referenceOf).sort());
  const unknown = [...references].filter((reference) => !described.has(reference));
  if (unknown.length > 0) throw new Error(`Not in package-lock.json (run npm ci): ${unknown.join(', ')}`);

  const main = referenceOf(join(root, 'apps', app));
  references.delete(main);
  const held = [...references].map((reference) => described.get(reference));
  const direct = new Set(imported.map(referenceOf));
  const neededByMain = held.filter((component) => isOurs(component) || direct.has(component['bom-ref']));
  const edges = bill.dependencies.filter(({ ref }) => references.has(ref));
  return {
    ...bill,
    serialNumber: `urn:uuid:${randomUUID()}`,
    metadata: {
      ...bill.metadata,
      lifecycles: [{ phase: 'build' }],
      component: { ...described.get(main), type: 'application' },
    },
    components: [...held, ...base],
    dependencies: [
      { ref: main, dependsOn: [...neededByMain, ...base].map((component) => component['bom-ref']) },
      ...edges.map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((name) => references.has(name)) })),
    ],
  };
};

/** The text of a bill, as its file has it. */
export const billText = (bill) => `${JSON.stringify(bill, null, 2)}\n`;
