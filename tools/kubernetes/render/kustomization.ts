import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { isObject, type Json } from '../json.js';
import { type Manifest } from '../manifest.js';

/**
 * Form of our kustomizations: the part of kustomize that render.ts knows. An unknown field is refused, so that
 * nothing is silently left out.
 */
const generator = z.strictObject({
  name: z.string(),
  behavior: z.enum(['create', 'merge']).optional(),
  envs: z.array(z.string()).optional(),
  files: z.array(z.string()).optional(),
  literals: z.array(z.string()).optional(),
});

const patch = z.strictObject({
  target: z.strictObject({ kind: z.string(), name: z.string().optional() }).optional(),
  path: z.string().optional(),
  patch: z.string().optional(),
});

const kustomization = z.strictObject({
  apiVersion: z.literal('kustomize.config.k8s.io/v1beta1'),
  kind: z.literal('Kustomization'),
  namespace: z.string().optional(),
  nameSuffix: z.string().optional(),
  resources: z.array(z.string()).default([]),
  labels: z
    .array(z.strictObject({ pairs: z.record(z.string(), z.string()), includeTemplates: z.boolean().default(false) }))
    .default([]),
  images: z
    .array(z.strictObject({ name: z.string(), newName: z.string().optional(), newTag: z.string().optional() }))
    .default([]),
  configMapGenerator: z.array(generator).default([]),
  secretGenerator: z.array(generator).default([]),
  patches: z.array(patch).default([]),
});

export type Kustomization = z.output<typeof kustomization>;
export type Generator = z.output<typeof generator>;
export type Patch = z.output<typeof patch>;

/** Reads a file; what is not there may be stood in for, as credentials are where nobody has made them yet. */
export type ReadText = (file: string) => string;

export const readText: ReadText = (file) => readFileSync(file, 'utf8');

/** The kustomization of a folder. Throws with its name for what we do not know. */
export const readKustomization = (folder: string): Kustomization => {
  const file = join(folder, 'kustomization.yaml');
  const parsed = kustomization.safeParse(parse(readText(file)));
  if (parsed.success) return parsed.data;
  throw new Error(`${file}: ${z.prettifyError(parsed.error)}`);
};

/** All documents of a file of YAML or of a text. */
export const parseDocuments = (text: string, what: string): Json[] =>
  parseAllDocuments(text).map((document) => {
    if (document.errors.length > 0) throw new Error(`${what}: ${document.errors[0]!.message}`);
    return document.toJS({ maxAliasCount: 100 }) as Json;
  });

export const readManifests = (file: string): Manifest[] =>
  parseDocuments(readText(file), file).map((document) => {
    if (!isObject(document) || typeof document.kind !== 'string') throw new Error(`${file}: a document has no kind`);
    return document;
  });

export const isFolder = (path: string): boolean => existsSync(path) && statSync(path).isDirectory();
