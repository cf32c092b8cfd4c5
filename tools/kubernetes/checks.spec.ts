import { describe, expect, it } from '@jest/globals';
import { type Json } from './json.js';
import { identityOf, type Manifest } from './manifest.js';
import { overlays, problemsOf, renderOverlay } from './overlays.js';
import { applyOperations } from './render/patches.js';

const rendered = Object.fromEntries(overlays.map((overlay) => [overlay, renderOverlay(overlay)]));
const production = rendered.production!;

/** Production with one resource changed. */
const broken = (identity: string, ...operations: readonly Json[]): Manifest[] => {
  expect(production.map(identityOf)).toContain(identity);
  return production.map((manifest) =>
    identityOf(manifest) === identity ? (applyOperations(manifest, operations) as Manifest) : manifest,
  );
};
const textsOf = (manifests: readonly Manifest[]): string[] =>
  problemsOf(manifests).map(({ identity, text }) => `${identity}: ${text}`);

const named = (start: string): string => production.map(identityOf).find((identity) => identity.startsWith(start))!;
const replace = (path: string, value: Json): Json => ({ op: 'replace', path, value });
const add = (path: string, value: Json): Json => ({ op: 'add', path, value });
const remove = (path: string): Json => ({ op: 'remove', path });
const pod = '/spec/template/spec';
const container = `${pod}/containers/0`;

const cases: readonly (readonly [what: string, identity: string, operations: readonly Json[], problem: RegExp])[] = [
  [
    'a field that Kubernetes does not know',
    'Deployment/gateway',
    [add(`${pod}/restartPolice`, 'Always')],
    /Kubernetes 1.32: .*restartPolice/,
  ],
  [
    'a number that is a text',
    'StatefulSet/group-node-2',
    [replace('/spec/replicas', '4')],
    /\/spec\/replicas must be integer/,
  ],
  [
    'a needed field that is missing',
    'Ingress/gateway',
    [remove('/spec/rules/0/http/paths/0/pathType')],
    /must have required property 'pathType'/,
  ],
  [
    'another version of a kind',
    'CronJob/backup-wallet',
    [replace('/apiVersion', 'batch/v1beta1')],
    /batch\/v1beta1 CronJob has no schema here/,
  ],
  ['null', 'Service/gateway', [replace('/spec/ports', null)], /\/spec\/ports must be array/],
  [
    'an unknown field of a ServiceMonitor',
    'ServiceMonitor/shardnode',
    [add('/spec/endpoints/0/intervall', '15s')],
    /intervall/,
  ],
  [
    'an unknown field of an ExternalSecret',
    'ExternalSecret/redis-tls',
    [add('/spec/data/0/remoteRef/path', 'x')],
    /must NOT have additional properties: path/,
  ],
  [
    'a ConfigMap that is not there',
    'Deployment/gateway',
    [replace(`${container}/envFrom/0/configMapRef/name`, 'network')],
    /references: there is no ConfigMap network/,
  ],
  [
    'a key that a Secret does not have',
    'CronJob/backup-wallet',
    [replace('/spec/jobTemplate/spec/template/spec/volumes/1/secret/items/0/key', 'data')],
    /the Secret wallet-service-credentials has no key data/,
  ],
  [
    'a Secret of a volume that nobody makes',
    'ExternalSecret/nats-tls',
    [replace('/spec/target/name', 'other')],
    /StatefulSet\/nats: references: there is no Secret nats-tls/,
  ],
  [
    'a claim that is not there',
    'PersistentVolumeClaim/backup-group-2',
    [replace('/metadata/name', 'other')],
    /there is no PersistentVolumeClaim backup-group-2/,
  ],
  [
    'a certificate that nobody makes',
    'Ingress/gateway',
    [remove('/metadata/annotations/cert-manager.io~1cluster-issuer')],
    /there is no Secret gateway-tls/,
  ],
  [
    'a volume that is not there',
    'Deployment/redis',
    [replace(`${container}/volumeMounts/0/name`, 'x')],
    /there is no volume x/,
  ],
  [
    'a volume that nobody mounts',
    'Deployment/redis',
    [remove(`${container}/volumeMounts/1`)],
    /nobody mounts the volume data/,
  ],
  [
    'a Service that selects nothing',
    'Service/gateway',
    [replace('/spec/selector/app.kubernetes.io~1name', 'gate')],
    /Service\/gateway: selectors: selects 0 kinds/,
  ],
  [
    'a port that no container has',
    'Service/gateway',
    [replace('/spec/ports/1/targetPort', 'pull')],
    /no container has a port pull/,
  ],
  ['a port by its number', 'Service/gateway', [replace('/spec/ports/1/targetPort', 11973)], /goes to a number/],
  [
    'a port that no Service has',
    'Ingress/gateway',
    [replace('/spec/rules/0/http/paths/0/backend/service/port/name', 'x')],
    /\/events: no service has a port x/,
  ],
  [
    'a scraped port that no Service has',
    'ServiceMonitor/shardnode',
    [replace('/spec/endpoints/0/port', 'x')],
    /no service has a port x/,
  ],
  [
    'an owner that does not select its pods',
    'Deployment/redis',
    [replace(`/spec/template/metadata/labels/app.kubernetes.io~1name`, 'x')],
    /does not select its own pods/,
  ],
  [
    'a budget for nobody',
    'PodDisruptionBudget/nats',
    [replace('/spec/selector/matchLabels/app.kubernetes.io~1name', 'x')],
    /selects no pods/,
  ],
  [
    'a scaler of nothing',
    'HorizontalPodAutoscaler/gateway',
    [replace('/spec/scaleTargetRef/name', 'x')],
    /scales nothing/,
  ],
  [
    'a StatefulSet without its Service',
    'StatefulSet/nats',
    [replace('/spec/serviceName', 'x')],
    /there is no Service x/,
  ],
  [
    'a variable that is no setting',
    named('ConfigMap/gateway-'),
    [add('/data/API_KEY_REQIRED', 'true')],
    /API_KEY_REQIRED is no setting of gateway/,
  ],
  [
    'a setting of another service',
    named('ConfigMap/gateway-'),
    [add('/data/MINING', 'off')],
    /MINING is no setting of gateway/,
  ],
  [
    'a variable that is set too late',
    'StatefulSet/group-node-2',
    [remove(`${container}/env/0`), add(`${container}/env/-`, { name: 'GROUP', value: '1' })],
    /DATABASE_URL uses GROUP, which is not set before it/,
  ],
  [
    'an API without its key',
    named('ConfigMap/gateway-'),
    [replace('/data/API_KEY_REQUIRED', 'false')],
    /exposure: API_KEY_REQUIRED is not true/,
  ],
  ['an API whose key nobody gives', 'Deployment/gateway', [remove(`${container}/env/0`)], /API_KEY_FILE is not set/],
  [
    'a secret in the environment',
    named('ConfigMap/network-'),
    [add('/data/NATS_PASSWORD', 'x')],
    /NATS_PASSWORD is in the environment: give NATS_PASSWORD_FILE/,
  ],
  [
    'a password in an address',
    named('ConfigMap/gateway-'),
    [replace('/data/REDIS_URL', 'redis://gateway:secret@redis:6379')],
    /an address holds a password/,
  ],
  [
    'a namespace that admits everything',
    'Namespace/shardnode',
    [remove('/metadata/labels/pod-security.kubernetes.io~1enforce')],
    /enforce is not restricted/,
  ],
  ['the network of the host', 'Deployment/redis', [add(`${pod}/hostNetwork`, true)], /broken: hostNetwork/],
  [
    'no seccomp profile',
    'Deployment/redis',
    [remove(`${pod}/securityContext/seccompProfile`)],
    /broken: seccompProfile/,
  ],
  ['root', 'Deployment/redis', [replace(`${pod}/securityContext/runAsUser`, 0)], /broken: runAsUser is not root/],
  [
    'a container that is root',
    'Deployment/redis',
    [add(`${container}/securityContext/runAsUser`, 0)],
    /broken: its own user/,
  ],
  [
    'a folder of the host',
    'Deployment/redis',
    [replace(`${pod}/volumes/1`, { name: 'data', hostPath: { path: '/' } })],
    /broken: volumes are of permitted kinds/,
  ],
  [
    'a token',
    'CronJob/backup-wallet',
    [remove('/spec/jobTemplate/spec/template/spec/automountServiceAccountToken')],
    /broken: \+ no token/,
  ],
  [
    'more privileges',
    'StatefulSet/nats',
    [replace(`${pod}/containers/1/securityContext/allowPrivilegeEscalation`, true)],
    /container reload, broken: allowPrivilegeEscalation/,
  ],
  [
    'capabilities',
    'StatefulSet/nats',
    [remove(`${container}/securityContext/capabilities`)],
    /broken: capabilities drop ALL/,
  ],
  [
    'a writable root',
    'StatefulSet/nats',
    [remove(`${container}/securityContext/readOnlyRootFilesystem`)],
    /broken: \+ readOnlyRootFilesystem/,
  ],
  [
    'no limit of memory',
    'Deployment/gateway',
    [remove(`${container}/resources/limits/memory`)],
    /broken: \+ requests and limits/,
  ],
  [
    'a missing probe',
    'Deployment/gateway',
    [remove(`${container}/startupProbe`)],
    /probes: container gateway has no startupProbe/,
  ],
  [
    'a tag that moves',
    'Deployment/gateway',
    [replace(`${container}/image`, 'registry:5000/shardnode/gateway:latest')],
    /images: the image .* has no fixed tag/,
  ],
  [
    'no tag',
    'Deployment/gateway',
    [replace(`${container}/image`, 'registry:5000/shardnode/gateway')],
    /has no fixed tag/,
  ],
];

describe('the manifests of a cluster', () => {
  it.each(overlays)('are right: %s', (overlay) => {
    expect(rendered[overlay]!.length).toBeGreaterThan(40);
    expect(textsOf(rendered[overlay]!)).toEqual([]);
  });

  it.each(cases)('are wrong with %s', (_, identity, operations, problem) => {
    expect(textsOf(broken(identity, ...operations)).join('\n')).toMatch(problem);
  });
});
