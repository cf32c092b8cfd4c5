import { fileSettingOf, settingRows } from '@shardnode/core/configuration';
import { explorerSettings } from '../../../apps/explorer/src/configuration.js';
import { gatewaySettings } from '../../../apps/gateway/src/settings/configuration.js';
import { groupNodeSettings } from '../../../apps/group-node/src/configuration.js';
import { walletServiceSettings } from '../../../apps/wallet-service/src/configuration.js';
import { isObject, listAt, objectAt, textAt, type Json, type JsonObject } from '../json.js';
import { containersOf, kindOf, nameOf, podTemplateOf, type Manifest } from '../manifest.js';
import { problemOf, type Check, type Problem } from './problem.js';

const schemas = {
  gateway: gatewaySettings,
  'group-node': groupNodeSettings,
  'wallet-service': walletServiceSettings,
  explorer: explorerSettings,
};
export type Service = keyof typeof schemas;

/** The service whose image a container runs; undefined: somebody else's. */
export const serviceOf = (container: JsonObject): Service | undefined =>
  (Object.keys(schemas) as Service[]).find((service) =>
    new RegExp(`(^|/)shardnode/${service}:`).test(textAt(container, 'image')),
  );

/** The variables that a service knows, the files of its secrets among them. */
const settingsOf = (service: Service): readonly string[] =>
  settingRows(schemas[service]).flatMap(({ name, secret }) => (secret ? [name, fileSettingOf(name)] : [name]));

interface Variable {
  readonly name: string;
  /** As it is written: `$(NAME)` stands for a variable before it. */
  readonly value: string;
}

const dataOf = (manifests: readonly Manifest[], name: string): JsonObject =>
  objectAt(
    manifests.find((manifest) => kindOf(manifest) === 'ConfigMap' && nameOf(manifest) === name),
    'data',
  );

const valueOf = (manifests: readonly Manifest[], entry: Json): string => {
  if (isObject(entry) && typeof entry.value === 'string') return entry.value;
  const key = objectAt(entry, 'valueFrom', 'configMapKeyRef');
  if (key.name !== undefined) return textAt(dataOf(manifests, textAt(key, 'name')), textAt(key, 'key'));
  return `<${textAt(entry, 'valueFrom', 'fieldRef', 'fieldPath')}>`;
};

/** All variables of a container in the order in which they are set: the ConfigMaps first. */
const variablesOf = (manifests: readonly Manifest[], container: JsonObject): readonly Variable[] => [
  ...listAt(container, 'envFrom').flatMap((source) =>
    Object.entries(dataOf(manifests, textAt(source, 'configMapRef', 'name'))).map(([name, value]) => ({
      name,
      value: String(value),
    })),
  ),
  ...listAt(container, 'env').map((entry) => ({ name: textAt(entry, 'name'), value: valueOf(manifests, entry) })),
];

const used = (value: string): string[] => [...value.matchAll(/\$\(([A-Z_]+)\)/g)].map(([, name]) => name!);

/** The environment of the process. `fields`: the pod's own fields in the cluster, by path. */
export const environmentOf = (
  manifests: readonly Manifest[],
  container: JsonObject,
  fields: Readonly<Record<string, string>>,
): Record<string, string> => {
  const environment: Record<string, string> = {};
  for (const { name, value } of variablesOf(manifests, container)) {
    const told = /^<(.*)>$/.exec(value);
    environment[name] = told
      ? (fields[told[1]!] ?? '')
      : value.replaceAll(/\$\(([A-Z_]+)\)/g, (text, other: string) => environment[other] ?? text);
  }
  return environment;
};

/** Variables of the programs that are not ours. */
const ofOthers =
  /^(PG[A-Z]+|POSTGRES_[A-Z_]+|PGPASSWORD_FILE|ROLE|ROLE_PASSWORD_FILE|READER|READER_PASSWORD_FILE|FOLDER|KEEP|CONFIGURATION|PID_FILE|POD_NAME|ORDINAL)$/;

/** A `$(NAME)` that was not set before stays as it is written. */
const checkOrder = (manifest: Manifest, variables: readonly Variable[]): Problem[] =>
  variables.flatMap(({ name, value }, index) =>
    used(value)
      .filter((other) => !variables.slice(0, index).some((before) => before.name === other))
      .map((other) => problemOf(manifest, `${name} uses ${other}, which is not set before it`)),
  );

/** Checks that every variable is a setting of its service, or is used in the value of another one. */
export const checkSettings: Check = (manifests) =>
  manifests.flatMap((manifest) =>
    containersOf(podTemplateOf(manifest) ?? {}).flatMap((container) => {
      const variables = variablesOf(manifests, container);
      const standing = new Set(variables.flatMap(({ value }) => used(value)));
      const service = serviceOf(container);
      const known = service ? new Set(settingsOf(service)) : undefined;
      const unknown = variables.filter(
        ({ name }) => !standing.has(name) && !(known ? known.has(name) : ofOthers.test(name)),
      );
      return [
        ...unknown.map(({ name }) => problemOf(manifest, `${name} is no setting of ${service ?? 'this image'}`)),
        ...checkOrder(manifest, variables),
      ];
    }),
  );

/** Checks that secrets are files, and that a reachable API requires its key in every overlay (decision 27). */
export const checkExposure: Check = (manifests) =>
  manifests.flatMap((manifest) =>
    containersOf(podTemplateOf(manifest) ?? {}).flatMap((container) => {
      const service = serviceOf(container);
      if (service === undefined) return [];
      const environment = environmentOf(manifests, container, {});
      const secrets = settingRows(schemas[service]).filter(
        ({ name, secret }) => secret && !name.endsWith('_URL') && name in environment,
      );
      return [
        ...secrets.map(({ name }) => problemOf(manifest, `${name} is in the environment: give ${fileSettingOf(name)}`)),
        ...(/:\/\/[^/@]*:[^/@]*@/.test(Object.values(environment).join(' '))
          ? [problemOf(manifest, 'an address holds a password')]
          : []),
        ...(service === 'gateway' && environment.API_KEY_REQUIRED !== 'true'
          ? [problemOf(manifest, 'API_KEY_REQUIRED is not true')]
          : []),
        ...(service === 'gateway' && environment.API_KEY_FILE === undefined
          ? [problemOf(manifest, 'API_KEY_FILE is not set')]
          : []),
      ];
    }),
  );
