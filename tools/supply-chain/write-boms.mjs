/**
 * A bill of materials for each image that Dockerfile builds, without Node and the system libraries below the app, which only the
 * image itself knows: node tools/supply-chain/write-boms.mjs [FOLDER], default dist/sbom. Needs a build.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { contentsOf, root } from '../../docker/contents.mjs';
import { billOfMaterials, billText } from '../../docker/sbom.mjs';

const [folder = join(root, 'dist', 'sbom')] = process.argv.slice(2);
const images = readFileSync(join(root, 'Dockerfile'), 'utf8').matchAll(/^FROM runtime AS (\S+)$/gm);

mkdirSync(folder, { recursive: true });
for (const [, app] of images) {
  const bill = billOfMaterials(app, contentsOf(app));
  const file = join(folder, `${app}.cdx.json`);
  writeFileSync(file, billText(bill));
  console.log(`${file}: ${bill.components.length} components`);
}
