import { at, listAt, objectAt, textAt, type Json, type JsonObject } from './json.js';

/** One resource of a cluster, as it is sent to the server. */
export type Manifest = JsonObject;

export const kindOf = (manifest: Manifest): string => textAt(manifest, 'kind');
export const nameOf = (manifest: Manifest): string => textAt(manifest, 'metadata', 'name');
export const identityOf = (manifest: Manifest): string => `${kindOf(manifest)}/${nameOf(manifest)}`;

/** Path of the pod template of a kind; the labels are beside it. */
export const templatePaths: Readonly<Record<string, readonly string[]>> = {
  Deployment: ['spec', 'template'],
  StatefulSet: ['spec', 'template'],
  Job: ['spec', 'template'],
  CronJob: ['spec', 'jobTemplate', 'spec', 'template'],
};

/** The template of the pods; undefined for what starts none. */
export const podTemplateOf = (manifest: Manifest): JsonObject | undefined => {
  const path = templatePaths[kindOf(manifest)];
  return path && objectAt(manifest, ...path);
};

/** All containers of the pods, those of the beginning first. */
export const containersOf = (template: JsonObject): readonly JsonObject[] =>
  [...listAt(template, 'spec', 'initContainers'), ...listAt(template, 'spec', 'containers')] as JsonObject[];

export const labelsOf = (value: Json | undefined): Readonly<Record<string, string>> =>
  objectAt(value, 'metadata', 'labels') as Record<string, string>;

export const replicasOf = (manifest: Manifest): number => {
  const replicas = at(manifest, 'spec', 'replicas');
  return typeof replicas === 'number' ? replicas : 1;
};
