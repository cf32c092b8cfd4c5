/**
 * Writes fixtures/kubernetes-X.Y.json: the published schemas of one version of Kubernetes, those kinds only that k8s/
 * uses. They come from the package kubernetes-validate of the Python registry, which carries those of every version:
 *
 *   pip download --no-deps kubernetes-validate==1.37.0 && unzip kubernetes_validate-1.37.0-*.whl
 *   node tools/kubernetes/extract-schemas.mjs kubernetes_validate/kubernetes-json-schema 1.32 1.37
 *
 * Descriptions are omitted. null, which the interface treats as "not set", is not accepted, because we never use it.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const kinds = [
  'io.k8s.api.apps.v1.Deployment',
  'io.k8s.api.apps.v1.StatefulSet',
  'io.k8s.api.autoscaling.v2.HorizontalPodAutoscaler',
  'io.k8s.api.batch.v1.CronJob',
  'io.k8s.api.batch.v1.Job',
  'io.k8s.api.core.v1.ConfigMap',
  'io.k8s.api.core.v1.Namespace',
  'io.k8s.api.core.v1.PersistentVolumeClaim',
  'io.k8s.api.core.v1.Secret',
  'io.k8s.api.core.v1.Service',
  'io.k8s.api.networking.v1.Ingress',
  'io.k8s.api.networking.v1.NetworkPolicy',
  'io.k8s.api.policy.v1.PodDisruptionBudget',
];

const prefix = '#/$defs/';

/** One schema without its texts and without null. */
const plain = (value) => {
  if (Array.isArray(value)) {
    const kept = value.filter((entry) => entry !== 'null').map(plain);
    return kept.length === 1 && value.includes('null') ? kept[0] : kept;
  }
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, entry]) => !(key === 'description' && typeof entry === 'string'))
      .filter(([key]) => !key.startsWith('x-kubernetes-') || key === 'x-kubernetes-group-version-kind')
      .map(([key, entry]) => [key, plain(entry)]),
  );
};

const referencesOf = (value) => {
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, entry]) =>
    key === '$ref' ? [entry.slice(entry.lastIndexOf('/') + 1)] : referencesOf(entry),
  );
};

/** The kinds, and whatever they refer to. */
const closure = (definitions) => {
  const found = new Map();
  const open = [...kinds];
  while (open.length > 0) {
    const name = open.pop();
    if (found.has(name)) continue;
    if (!definitions[name]) throw new Error(`${name} is not in the package`);
    found.set(name, plain(definitions[name]));
    open.push(...referencesOf(found.get(name)));
  }
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1));
};

const withLocalReferences = (text) =>
  text.replaceAll(/"\$ref":"[^"]*\/([^"/]+)"/g, (_, name) => `"$ref":"${prefix}${name}"`);

const [folder, ...versions] = process.argv.slice(2);
if (!folder || versions.length === 0) {
  console.error('Usage: node tools/kubernetes/extract-schemas.mjs FOLDER VERSION...');
  process.exit(2);
}
for (const version of versions) {
  const source = join(folder, `v${version}.0-local-strict`, '_definitions.json');
  const lines = closure(JSON.parse(readFileSync(source, 'utf8')).$defs).map(
    ([name, schema]) => `"${name}":${withLocalReferences(JSON.stringify(schema))}`,
  );
  const target = new URL(`./fixtures/kubernetes-${version}.json`, import.meta.url).pathname;
  writeFileSync(target, `{"$defs":{\n${lines.join(',\n')}\n}}\n`);
  console.log(`${target}: ${lines.length} definitions`);
}
