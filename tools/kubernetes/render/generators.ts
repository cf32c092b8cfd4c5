import { createHash } from 'node:crypto';
import { basename, join } from 'node:path';
import { objectAt, type Json, type JsonObject } from '../json.js';
import { type Manifest } from '../manifest.js';
import { type Generator, type ReadText } from './kustomization.js';

/** NAME=VALUE, split at the first sign. */
const pairOf = (text: string, what: string): [string, string] => {
  const split = text.indexOf('=');
  if (split <= 0) throw new Error(`${what}: ${text} must be NAME=VALUE`);
  const value = text.slice(split + 1);
  if (/^["']/.test(value)) throw new Error(`${what}: ${text.slice(0, split)} must have no quotes around its value`);
  return [text.slice(0, split), value];
};

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trimStart())
    .filter((line) => line !== '' && !line.startsWith('#'));

const dataOf = (generator: Generator, folder: string, readText: ReadText): Record<string, string> =>
  Object.fromEntries([
    ...(generator.envs ?? []).flatMap((file) =>
      linesOf(readText(join(folder, file))).map((line) => pairOf(line, file)),
    ),
    ...(generator.literals ?? []).map((literal) => pairOf(literal, generator.name)),
    ...(generator.files ?? []).map((file): [string, string] => {
      const [key, path] = file.includes('=') ? pairOf(file, generator.name) : [basename(file), file];
      return [key, readText(join(folder, path))];
    }),
  ]);

/** As kustomize writes it: lines of 70 characters, once there are that many. */
const base64 = (value: string): string => {
  const text = Buffer.from(value).toString('base64');
  return text.length < 70 ? text : text.replaceAll(/.{1,70}/g, '$&\n');
};

const encoded = (data: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(data).map(([key, value]) => [key, base64(value)]));

const generated = {
  ConfigMap: (name: string, data: Record<string, string>): Manifest => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name },
    data,
  }),
  Secret: (name: string, data: Record<string, string>): Manifest => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name },
    type: 'Opaque',
    data: encoded(data),
  }),
};

export type GeneratedKind = keyof typeof generated;

/** The ConfigMap or Secret of a generator, with the name that it is written with. */
export const generate = (kind: GeneratedKind, generator: Generator, folder: string, readText: ReadText): Manifest =>
  generated[kind](generator.name, dataOf(generator, folder, readText));

/** Values of an overlay over those of the base. */
export const merged = (old: Manifest, added: Manifest): Manifest => ({
  ...old,
  data: { ...objectAt(old, 'data'), ...objectAt(added, 'data') },
});

/** JSON as Go writes it: keys in order, and signs that HTML knows as their numbers. */
const goJson = (value: Json | undefined): string => {
  if (value === null || typeof value !== 'object') {
    return JSON.stringify(value ?? null).replace(
      /[<>&\u2028\u2029]/g,
      (sign) => `\\u${sign.codePointAt(0)!.toString(16).padStart(4, '0')}`,
    );
  }
  if (Array.isArray(value)) return `[${(value as readonly Json[]).map(goJson).join(',')}]`;
  const object = value as JsonObject;
  const keys = Object.keys(object).sort();
  return `{${keys.map((key) => `${goJson(key)}:${goJson(object[key])}`).join(',')}}`;
};

/** Letters that spell no word. */
const letters: Readonly<Record<string, string>> = { '0': 'g', '1': 'h', '3': 'k', a: 'm', e: 't' };

/** Name suffix that depends on the content, so that changed content gets another name. */
export const hashOf = (manifest: Manifest): string => {
  const { kind, data, type } = manifest;
  // kustomize looks for the name where it is not, so that it is always empty.
  const content = { kind, name: '', data, ...(type === undefined ? {} : { type }) };
  const hash = createHash('sha256')
    .update(goJson(content as JsonObject))
    .digest('hex');
  return [...hash.slice(0, 10)].map((letter) => letters[letter] ?? letter).join('');
};
