import { at, listAt, objectAt, textAt, type Json, type JsonObject } from '../json.js';
import { containersOf, kindOf, labelsOf, podTemplateOf } from '../manifest.js';
import { problemOf, type Check } from './problem.js';

/** Volumes that the restricted standard permits. */
const permittedVolumes = new Set([
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'persistentVolumeClaim',
  'projected',
  'secret',
]);

type Rule<Part> = readonly [name: string, holds: (part: Part) => boolean];

const flag = (value: Json | undefined, ...keys: readonly string[]): boolean => at(value, ...keys) === true;

/** The restricted Pod Security Standard, and what we ask for besides (marked with +). */
const podRules: readonly Rule<JsonObject>[] = [
  [
    'hostNetwork, hostPID and hostIPC are not set',
    (spec) => !flag(spec, 'hostNetwork') && !flag(spec, 'hostPID') && !flag(spec, 'hostIPC'),
  ],
  [
    'seccompProfile is RuntimeDefault',
    (spec) => textAt(spec, 'securityContext', 'seccompProfile', 'type') === 'RuntimeDefault',
  ],
  ['runAsNonRoot', (spec) => flag(spec, 'securityContext', 'runAsNonRoot')],
  ['runAsUser is not root', (spec) => Number(at(spec, 'securityContext', 'runAsUser') ?? 0) > 0],
  ['sysctls are not set', (spec) => listAt(spec, 'securityContext', 'sysctls').length === 0],
  [
    'volumes are of permitted kinds',
    (spec) =>
      listAt(spec, 'volumes').every((volume) =>
        Object.keys(objectAt(volume)).every((key) => key === 'name' || permittedVolumes.has(key)),
      ),
  ],
  ['+ no token of a service account', (spec) => at(spec, 'automountServiceAccountToken') === false],
  ['+ no variables of other services', (spec) => at(spec, 'enableServiceLinks') === false],
];

const containerRules: readonly Rule<JsonObject>[] = [
  ['privileged is not set', (container) => !flag(container, 'securityContext', 'privileged')],
  [
    'allowPrivilegeEscalation is false',
    (container) => at(container, 'securityContext', 'allowPrivilegeEscalation') === false,
  ],
  [
    'capabilities drop ALL',
    (container) => listAt(container, 'securityContext', 'capabilities', 'drop').includes('ALL'),
  ],
  ['capabilities add none', (container) => listAt(container, 'securityContext', 'capabilities', 'add').length === 0],
  [
    'its own user is not root',
    (container) =>
      at(container, 'securityContext', 'runAsUser') !== 0 && at(container, 'securityContext', 'runAsNonRoot') !== false,
  ],
  ['procMount is not set', (container) => at(container, 'securityContext', 'procMount') === undefined],
  [
    'hostPort is not set',
    (container) => listAt(container, 'ports').every((port) => at(port, 'hostPort') === undefined),
  ],
  ['+ readOnlyRootFilesystem', (container) => flag(container, 'securityContext', 'readOnlyRootFilesystem')],
  [
    '+ requests and limits of cpu and memory',
    (container) =>
      ['requests', 'limits'].every((what) =>
        ['cpu', 'memory'].every((kind) => at(container, 'resources', what, kind) !== undefined),
      ),
  ],
];

/** All pods keep the restricted standard, and the namespace admits no others. */
export const checkPodSecurity: Check = (manifests) =>
  manifests.flatMap((manifest) => {
    if (kindOf(manifest) === 'Namespace') {
      const enforced = labelsOf(manifest)['pod-security.kubernetes.io/enforce'] === 'restricted';
      return enforced ? [] : [problemOf(manifest, 'pod-security.kubernetes.io/enforce is not restricted')];
    }
    const template = podTemplateOf(manifest);
    if (template === undefined) return [];
    return [
      ...podRules
        .filter(([, holds]) => !holds(objectAt(template, 'spec')))
        .map(([name]) => problemOf(manifest, `broken: ${name}`)),
      ...containersOf(template).flatMap((container) =>
        containerRules
          .filter(([, holds]) => !holds(container))
          .map(([name]) => problemOf(manifest, `container ${textAt(container, 'name')}, broken: ${name}`)),
      ),
    ];
  });

/** Checks that serving containers have three probes; sidecars and jobs need none. */
export const checkProbes: Check = (manifests) =>
  manifests.flatMap((manifest) => {
    if (!['Deployment', 'StatefulSet'].includes(kindOf(manifest))) return [];
    return containersOf(podTemplateOf(manifest)!)
      .filter((container) => listAt(container, 'ports').length > 0)
      .flatMap((container) =>
        ['startupProbe', 'livenessProbe', 'readinessProbe']
          .filter((probe) => at(container, probe) === undefined)
          .map((probe) => problemOf(manifest, `container ${textAt(container, 'name')} has no ${probe}`)),
      );
  });

/** A tag that somebody chose, or a digest. */
export const checkImages: Check = (manifests) =>
  manifests.flatMap((manifest) =>
    containersOf(podTemplateOf(manifest) ?? {}).flatMap((container) => {
      const image = textAt(container, 'image');
      return /(@sha256:[0-9a-f]{64}|:[^:/]*\d[^:/]*)$/.test(image)
        ? []
        : [problemOf(manifest, `the image ${image} has no fixed tag`)];
    }),
  );
