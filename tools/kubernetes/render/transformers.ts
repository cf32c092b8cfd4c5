import { isList, isObject, listAt, withValue, type Json, type JsonObject } from '../json.js';
import { kindOf, templatePaths, type Manifest } from '../manifest.js';
import { type Kustomization } from './kustomization.js';

/** A Namespace is called like the namespace that everything else is put into. */
export const withNamespace = (manifest: Manifest, namespace: string | undefined): Manifest => {
  if (namespace === undefined) return manifest;
  const field = kindOf(manifest) === 'Namespace' ? 'name' : 'namespace';
  return withValue(manifest, ['metadata', field], () => namespace) as Manifest;
};

const addLabels = (manifest: Json, path: readonly string[], pairs: Readonly<Record<string, string>>): Json =>
  withValue(manifest, [...path, 'metadata', 'labels'], (old) => ({ ...(isObject(old) ? old : {}), ...pairs }));

/** Labels of the resource and, where asked for, of what it makes: pods, jobs, claims. */
export const withLabels = (manifest: Manifest, labels: Kustomization['labels']): Manifest =>
  labels.reduce<Json>((labelled, { pairs, includeTemplates }) => {
    let result = addLabels(labelled, [], pairs);
    const path = templatePaths[kindOf(manifest)];
    if (!includeTemplates || path === undefined) return result;
    result = addLabels(result, path, pairs);
    if (kindOf(manifest) === 'CronJob') result = addLabels(result, ['spec', 'jobTemplate'], pairs);
    if (listAt(result, 'spec', 'volumeClaimTemplates').length === 0) return result;
    return withValue(result, ['spec', 'volumeClaimTemplates'], (claims) =>
      (claims as readonly Json[]).map((claim) => addLabels(claim, [], pairs)),
    );
  }, manifest) as Manifest;

const withImage = (container: Json, images: Kustomization['images']): Json => {
  if (!isObject(container) || typeof container.image !== 'string') return container;
  return images.reduce<JsonObject>((changed, { name, newName, newTag }) => {
    const [, before = '', tag] = /^(.*?)(?::([^:/]+))?$/.exec(changed.image as string) ?? [];
    if (before !== name) return changed;
    const tagged = newTag ?? tag;
    return { ...changed, image: `${newName ?? before}${tagged === undefined ? '' : `:${tagged}`}` };
  }, container);
};

export const withImages = (manifest: Manifest, images: Kustomization['images']): Manifest => {
  const path = templatePaths[kindOf(manifest)];
  if (path === undefined || images.length === 0) return manifest;
  return ['containers', 'initContainers'].reduce<Json>((changed, key) => {
    if (listAt(changed, ...path, 'spec', key).length === 0) return changed;
    return withValue(changed, [...path, 'spec', key], (containers) =>
      isList(containers) ? containers.map((container) => withImage(container, images)) : [],
    );
  }, manifest) as Manifest;
};
