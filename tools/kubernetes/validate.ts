import { readFileSync } from 'node:fs';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { listAt, textAt, type JsonObject } from './json.js';
import { type Manifest } from './manifest.js';
import { foreignSchemas } from './foreign-schemas.js';

/** Versions of Kubernetes whose published schemas every manifest must fit: the oldest that has all we use, and a new one. */
export const kubernetesVersions = ['1.32', '1.37'] as const;
export type KubernetesVersion = (typeof kubernetesVersions)[number];

interface Definitions {
  readonly $defs: Readonly<Record<string, JsonObject>>;
}

const groupKind = 'x-kubernetes-group-version-kind';

const openValidators = (version: KubernetesVersion): ReadonlyMap<string, ValidateFunction> => {
  const file = new URL(`./fixtures/kubernetes-${version}.json`, import.meta.url);
  const definitions = JSON.parse(readFileSync(file, 'utf8')) as Definitions;
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false, logger: false });
  ajv.addSchema({ $id: 'kubernetes', ...definitions });
  const published = Object.entries(definitions.$defs).flatMap(([name, schema]) =>
    listAt(schema, groupKind).map((entry): [string, ValidateFunction] => {
      const group = textAt(entry, 'group');
      const apiVersion = group === '' ? textAt(entry, 'version') : `${group}/${textAt(entry, 'version')}`;
      return [`${apiVersion} ${textAt(entry, 'kind')}`, ajv.compile({ $ref: `kubernetes#/$defs/${name}` })];
    }),
  );
  const foreign = Object.entries(foreignSchemas).map(([name, schema]): [string, ValidateFunction] => [
    name,
    ajv.compile(schema),
  ]);
  return new Map([...published, ...foreign]);
};

const opened = new Map<KubernetesVersion, ReadonlyMap<string, ValidateFunction>>();

const validatorsOf = (version: KubernetesVersion): ReadonlyMap<string, ValidateFunction> => {
  const known = opened.get(version) ?? openValidators(version);
  opened.set(version, known);
  return known;
};

const sentence = ({ instancePath, message, params }: ErrorObject): string => {
  const { additionalProperty, allowedValues } = params as { additionalProperty?: string; allowedValues?: unknown[] };
  const more = additionalProperty ?? allowedValues?.join(', ');
  return `${instancePath || '/'} ${message}${more === undefined ? '' : `: ${more}`}`;
};

/** Violations of the schema of the kind by a manifest; empty: it fits. */
export const schemaProblems = (manifest: Manifest, version: KubernetesVersion): string[] => {
  const name = `${textAt(manifest, 'apiVersion')} ${textAt(manifest, 'kind')}`;
  const validate = validatorsOf(version).get(name);
  if (validate === undefined) return [`${name} has no schema here`];
  return validate(manifest) ? [] : (validate.errors ?? []).map(sentence);
};
