import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { identityOf, type Manifest } from '../manifest.js';
import { parseDocuments } from './kustomization.js';
import { realKustomize } from './real-kustomize.js';
import { render } from './render.js';
import { readWithoutCredentials, standIn } from './stand-in-credentials.js';

const fixture = fileURLToPath(new URL('../fixtures/render/', import.meta.url));
const ours = fileURLToPath(new URL('../../../k8s/', import.meta.url));
const real = realKustomize();
if (!real) console.warn('kustomize 5 is not here: what we render is compared with its recorded output only');

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'kustomizations-'));
  const isOurs = (path: string): boolean => !path.includes('/credentials');
  cpSync(ours, join(folder, 'k8s'), { recursive: true, filter: isOurs });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const byIdentity = (manifests: readonly Manifest[]): Record<string, Manifest> =>
  Object.fromEntries(manifests.map((manifest) => [identityOf(manifest), manifest]));

const written = (text: string): Record<string, Manifest> => byIdentity(parseDocuments(text, 'kustomize') as Manifest[]);

/** Renders a copy in which the credentials are really there, as files. */
const renderCopy = (overlay: string): Manifest[] =>
  render(join(folder, 'k8s', overlay), (file) => {
    if (file.includes('/credentials/') && !existsSync(file)) {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, standIn(file));
    }
    return readWithoutCredentials(file);
  });

describe('rendering kustomizations without kustomize', () => {
  it('gives what kustomize v5.7.1 made of a case with every form that is known here', () => {
    const recorded = readFileSync(join(fixture, 'kustomize-v5.7.1.yaml'), 'utf8');
    expect(byIdentity(render(join(fixture, 'overlay')))).toEqual(written(recorded));
  });

  (real ? it : it.skip)('gives what the kustomize of this machine makes of that case', () => {
    expect(byIdentity(render(join(fixture, 'overlay')))).toEqual(written(real!(join(fixture, 'overlay'))));
  });

  (real ? it : it.skip)('gives what the kustomize of this machine makes of our overlays', () => {
    for (const overlay of ['base', 'monitoring', 'overlays/local', 'overlays/production']) {
      const made = byIdentity(renderCopy(overlay));
      expect(made).toEqual(written(real!(join(folder, 'k8s', overlay))));
    }
  });

  const refused: readonly (readonly [what: string, kustomization: string, message: RegExp])[] = [
    ['a field that it does not know', 'replacements: []', /Unrecognized key: "replacements"/],
    ['a patch that finds nothing', 'patches: [{ target: { kind: Job }, patch: "[]" }]', /a patch finds nothing/],
    [
      'a patch of a list whose rules it does not know',
      'patches: [{ target: { kind: Service }, patch: "{ apiVersion: v1, kind: Service, metadata: { name: x }, spec: { externalIPs: [b] } }" }]',
      /the list externalIPs is not known here/,
    ],
    [
      'a replacement of nothing',
      'patches: [{ target: { kind: Service }, patch: "[{ op: replace, path: /spec/type, value: x }]" }]',
      /\/spec\/type: there is nothing to replace/,
    ],
    [
      'values for a base that is not there',
      'configMapGenerator: [{ name: a, behavior: merge, literals: [A=1] }]',
      /there is no ConfigMap a to merge with/,
    ],
    ['an end of a name that others may know', 'nameSuffix: -x', /nameSuffix of Service\/one is not known here/],
    [
      'a patch that does not say what it is',
      'patches: [{ target: { kind: Service }, patch: "spec: {}" }]',
      /must have apiVersion, kind and metadata.name/,
    ],
    ['a resource that is there twice', 'resources: [one.yaml, one.yaml]', /Service\/one is there twice/],
  ];
  it.each(refused)('refuses %s', (_, text, message) => {
    const place = mkdtempSync(join(folder, 'refused-'));
    const head = 'apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n';
    const resources = text.startsWith('resources') ? '' : 'resources: [one.yaml]\n';
    writeFileSync(join(place, 'kustomization.yaml'), `${head}${resources}${text}\n`);
    writeFileSync(
      join(place, 'one.yaml'),
      'apiVersion: v1\nkind: Service\nmetadata: { name: one }\nspec: { externalIPs: [a] }\n',
    );
    expect(() => render(place)).toThrow(message);
  });
});
