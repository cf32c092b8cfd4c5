import { join } from 'node:path';
import { isList, isObject, textAt, withValue, type Json, type JsonObject } from '../json.js';
import { identityOf, kindOf, nameOf, type Manifest } from '../manifest.js';
import { generate, hashOf, merged, type GeneratedKind } from './generators.js';
import {
  isFolder,
  parseDocuments,
  readKustomization,
  readManifests,
  readText,
  type Kustomization,
  type Patch,
  type ReadText,
} from './kustomization.js';
import { applyOperations, strategicMerge } from './patches.js';
import { withRenamedReferences } from './references.js';
import { withImages, withLabels, withNamespace } from './transformers.js';

/** A resource on its way, under the name that it was written with. */
interface Resource {
  readonly manifest: Manifest;
  readonly writtenName: string;
  /** Its name ends in a hash of its content. */
  readonly hashed: boolean;
}

const change = (resources: readonly Resource[], alter: (manifest: Manifest) => Manifest): Resource[] =>
  resources.map((resource) => ({ ...resource, manifest: alter(resource.manifest) }));

const withName = (manifest: Manifest, name: string): Manifest =>
  withValue(manifest, ['metadata', 'name'], () => name) as Manifest;

const addAll = (resources: readonly Resource[], added: readonly Resource[]): Resource[] => {
  const known = new Set(resources.map(({ manifest }) => identityOf(manifest)));
  for (const { manifest } of added) {
    if (known.has(identityOf(manifest))) throw new Error(`${identityOf(manifest)} is there twice`);
  }
  return [...resources, ...added];
};

const addGenerated = (
  resources: readonly Resource[],
  kind: GeneratedKind,
  generators: Kustomization['configMapGenerator'],
  folder: string,
  read: ReadText,
): Resource[] =>
  generators.reduce<Resource[]>(
    (known, generator) => {
      const manifest = generate(kind, generator, folder, read);
      if (generator.behavior !== 'merge') {
        return addAll(known, [{ manifest, writtenName: generator.name, hashed: true }]);
      }
      const isBase = ({ manifest: base, writtenName }: Resource) =>
        kindOf(base) === kind && writtenName === generator.name;
      if (!known.some(isBase)) throw new Error(`${folder}: there is no ${kind} ${generator.name} to merge with`);
      return known.map((resource) =>
        isBase(resource) ? { ...resource, manifest: merged(resource.manifest, manifest) } : resource,
      );
    },
    [...resources],
  );

type Matches = (resource: Resource) => boolean;

const patchesOf = (patch: Patch, folder: string): { readonly document: Json; readonly matches: Matches }[] => {
  const text = patch.patch ?? readText(join(folder, patch.path!));
  return parseDocuments(text, patch.path ?? folder).map((document) => {
    const kind = patch.target?.kind ?? textAt(document, 'kind');
    const name = patch.target ? patch.target.name : textAt(document, 'metadata', 'name');
    return {
      document,
      matches: ({ manifest, writtenName }) => kindOf(manifest) === kind && (name === undefined || writtenName === name),
    };
  });
};

const applyPatch = (manifest: Manifest, document: Json): Manifest =>
  (isList(document)
    ? applyOperations(manifest, document)
    : strategicMerge(manifest, withoutName(document))) as Manifest;

/** Fields by which a patch in the form of the resource finds it are no change. */
const withoutName = (document: Json): Json => {
  if (!isObject(document)) throw new Error('a patch must be a list or an object');
  const { apiVersion, kind, metadata, ...rest } = document;
  if (!apiVersion || !kind || !isObject(metadata) || !metadata.name) {
    throw new Error('a patch without op must have apiVersion, kind and metadata.name');
  }
  const { name: _name, ...others } = metadata;
  return { ...rest, metadata: others } as JsonObject;
};

const addPatches = (resources: readonly Resource[], patches: readonly Patch[], folder: string): Resource[] =>
  patches
    .flatMap((patch) => patchesOf(patch, folder))
    .reduce<Resource[]>(
      (known, { document, matches }) => {
        if (!known.some(matches)) throw new Error(`${folder}: a patch finds nothing: ${JSON.stringify(document)}`);
        return known.map((resource) =>
          matches(resource) ? { ...resource, manifest: applyPatch(resource.manifest, document) } : resource,
        );
      },
      [...resources],
    );

/** Gives new names, and follows them wherever they are referred to. */
const rename = (resources: readonly Resource[], nameFor: (resource: Resource) => string): Resource[] => {
  const names = new Map(resources.map((resource) => [identityOf(resource.manifest), nameFor(resource)] as const));
  return resources.map((resource) => ({
    ...resource,
    manifest: withName(
      withRenamedReferences(resource.manifest, (kind, name) => names.get(`${kind}/${name}`)) as Manifest,
      nameFor(resource),
    ),
  }));
};

/** Kinds whose names only references.ts's fields hold: their names may have an end added. */
const renamable = new Set(['ConfigMap', 'CronJob', 'PersistentVolumeClaim', 'Secret', 'StatefulSet']);

const withSuffix = (resources: readonly Resource[], suffix: string | undefined): readonly Resource[] => {
  if (suffix === undefined) return resources;
  for (const { manifest } of resources) {
    if (!renamable.has(kindOf(manifest))) throw new Error(`nameSuffix of ${identityOf(manifest)} is not known here`);
  }
  return rename(resources, ({ manifest }) => `${nameOf(manifest)}${suffix}`);
};

const accumulate = (folder: string, read: ReadText): Resource[] => {
  const kustomization = readKustomization(folder);
  const { namespace, labels, images } = kustomization;
  let resources = kustomization.resources
    .map((path) => join(folder, path))
    .map((path): Resource[] =>
      isFolder(path)
        ? accumulate(path, read)
        : readManifests(path).map((manifest) => ({ manifest, writtenName: nameOf(manifest), hashed: false })),
    )
    .reduce<Resource[]>(addAll, []);
  resources = addGenerated(resources, 'ConfigMap', kustomization.configMapGenerator, folder, read);
  resources = addGenerated(resources, 'Secret', kustomization.secretGenerator, folder, read);
  resources = addPatches(resources, kustomization.patches, folder);
  resources = change(resources, (manifest) => withNamespace(manifest, namespace));
  resources = [...withSuffix(resources, kustomization.nameSuffix)];
  return change(resources, (manifest) => withImages(withLabels(manifest, labels), images));
};

/**
 * The resources of a kustomization, as `kubectl kustomize` makes them, for machines that have none. Only what our files use
 * is known, everything else is refused; render.spec.ts compares with the real one where there is one.
 * @param read gives the files that generators name
 */
export const render = (folder: string, read: ReadText = readText): Manifest[] =>
  rename(accumulate(folder, read), ({ manifest, hashed }) =>
    hashed ? `${nameOf(manifest)}-${hashOf(manifest)}` : nameOf(manifest),
  ).map(({ manifest }) => manifest);
