import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { licenceKind } from './licences.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const images = ['explorer', 'gateway', 'group-node', 'operator', 'wallet-service'];

/** What CycloneDX 1.5 requires of a bill, and the forms of what these have. */
const licence = z.union([
  z.strictObject({ license: z.union([z.looseObject({ id: z.string() }), z.looseObject({ name: z.string() })]) }),
  z.strictObject({ expression: z.string() }),
]);
const component = z.looseObject({
  'bom-ref': z.string().min(1),
  type: z.enum(['application', 'library', 'platform']),
  name: z.string().min(1),
  version: z.string().min(1),
  purl: z.string().regex(/^pkg:(?:npm|deb|generic)\/[^@]+@\S+$/),
  licenses: z.array(licence).optional(),
  hashes: z
    .array(z.strictObject({ alg: z.literal('SHA-512'), content: z.string().regex(/^[0-9a-f]{128}$/) }))
    .optional(),
});
const billSchema = z.strictObject({
  $schema: z.literal('http://cyclonedx.org/schema/bom-1.5.schema.json'),
  bomFormat: z.literal('CycloneDX'),
  specVersion: z.literal('1.5'),
  serialNumber: z.string().regex(/^urn:uuid:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
  version: z.literal(1),
  metadata: z.looseObject({ timestamp: z.iso.datetime(), component }),
  components: z.array(component).min(100),
  dependencies: z.array(z.strictObject({ ref: z.string(), dependsOn: z.array(z.string()) })),
});
type Bill = z.infer<typeof billSchema>;

const referencesOf = ({ components }: Bill): string[] => components.map((each) => each['bom-ref']);
const readBill = (...path: readonly string[]): Bill =>
  billSchema.parse(JSON.parse(readFileSync(join(...path), 'utf8')));

describe('the bill of materials', () => {
  const folder = mkdtempSync(join(tmpdir(), 'shardnode-sbom-'));
  const bills = new Map<string, Bill>();

  beforeAll(() => {
    execFileSync('npm', ['run', '--silent', 'sbom', '--', folder], { cwd: root });
    for (const name of readdirSync(folder)) bills.set(name.replace('.cdx.json', ''), readBill(folder, name));
  });
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it('is written for each image', () => {
    expect([...bills.keys()].sort()).toEqual(images);
    expect(new Set([...bills.values()].map(({ serialNumber }) => serialNumber)).size).toBe(images.length);
  });

  it.each(images)('of %s names each component once, and its dependencies are components', (image) => {
    const bill = bills.get(image)!;
    const main = bill.metadata.component;
    expect([main.type, main.name]).toEqual(['application', `@shardnode/${image}`]);
    const references = [main['bom-ref'], ...referencesOf(bill)];
    expect(new Set(references).size).toBe(references.length);
    expect(bill.dependencies.map(({ ref }) => ref).sort()).toEqual([...references].sort());
    const needed = new Set(bill.dependencies.flatMap(({ dependsOn }) => dependsOn));
    expect([...needed].filter((reference) => !references.includes(reference))).toEqual([]);
    // What nothing needs would be in the image for no reason.
    expect(referencesOf(bill).filter((reference) => !needed.has(reference))).toEqual([]);
  });

  it.each(images)('of %s has a hash and a permissive licence for each package of others', (image) => {
    const others = bills.get(image)!.components.filter(({ name }) => !name.startsWith('@shardnode/'));
    expect(others.filter(({ hashes }) => hashes === undefined)).toEqual([]);
    const licencesOf = (each: (typeof others)[number]): string[] =>
      (each.licenses ?? []).map((one) => ('expression' in one ? one.expression : String(one.license['id'])));
    const refused = others.filter((each) => licencesOf(each).map(licenceKind).join() !== 'permissive');
    expect(refused.map(({ name }) => name)).toEqual([]);
  });

  it.each(images)('of %s has no elliptic, no Prisma program, no compiler and nothing that reports', (image) => {
    const names = bills.get(image)!.components.map(({ name }) => name);
    const unwanted = ['elliptic', 'prisma', '@prisma/engines', 'typescript', 'vite', 'nx', '@scarf/scarf'];
    expect(unwanted.filter((name) => names.includes(name))).toEqual([]);
    expect(names).toContain('secp256k1');
  });

  it('has only what an app needs: packages of the page, of the documentation, of the cache', () => {
    const imagesWith = (name: string): string[] =>
      images.filter((image) => bills.get(image)!.components.some((each) => each.name === name));
    // The operator opens the explorer's index through its app, which brings the page.
    expect(imagesWith('preact')).toEqual(['explorer', 'operator']);
    expect(imagesWith('lean-qr')).toEqual(['explorer', 'operator']);
    expect(imagesWith('swagger-ui-dist')).toEqual(['explorer', 'gateway', 'operator']);
    expect(imagesWith('ioredis')).not.toContain('wallet-service');
  });
});

describe('what an image holds', () => {
  const folder = mkdtempSync(join(tmpdir(), 'shardnode-image-'));
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  const packagesBelow = (path: string): string[] =>
    readdirSync(path, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && entry.name !== '@shardnode')
      .flatMap((entry) => {
        const inner = join(path, entry.name);
        if (entry.name.startsWith('@')) return packagesBelow(inner);
        const { name, version } = JSON.parse(readFileSync(join(inner, 'package.json'), 'utf8')) as Record<
          string,
          string
        >;
        const nested = readdirSync(inner).includes('node_modules') ? packagesBelow(join(inner, 'node_modules')) : [];
        return [`${name}@${version}`, ...nested];
      });

  it('is what its bill of materials says, Node and what Node is linked to among it', () => {
    execFileSync(process.execPath, ['docker/collect.mjs', 'gateway', folder], { cwd: root });
    const bill = readBill(folder, 'sbom.cdx.json');
    const listed = referencesOf(bill).filter((reference) => !/^(?:@shardnode\/|pkg:)/.test(reference));
    expect([...new Set(packagesBelow(join(folder, 'node_modules')))].sort()).toEqual(listed.sort());
    const platform = bill.components.find(({ type }) => type === 'platform');
    expect([platform?.name, platform?.version]).toEqual(['node', process.versions.node]);
    expect(readdirSync(join(folder, 'node_modules', 'secp256k1', 'lib')).sort()).toEqual(['index.js', 'uint8array.js']);
  });
});
