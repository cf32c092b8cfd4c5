import { at, isObject, listAt, objectAt, textAt, type Json } from '../json.js';
import { identityOf, kindOf, nameOf, podTemplateOf, containersOf, type Manifest } from '../manifest.js';
import { referencesIn } from '../render/references.js';
import { problemOf, type Check, type Problem } from './problem.js';

/** Targets of references: the keys of each ConfigMap and Secret, claims. An ExternalSecret creates its Secret. */
const providedBy = (manifest: Manifest): [string, readonly string[]][] => {
  const kind = kindOf(manifest);
  if (kind === 'ExternalSecret') {
    const keys = listAt(manifest, 'spec', 'data').map((entry) => textAt(entry, 'secretKey'));
    return [[`Secret/${textAt(manifest, 'spec', 'target', 'name') || nameOf(manifest)}`, keys]];
  }
  if (kind === 'Ingress' && 'cert-manager.io/cluster-issuer' in objectAt(manifest, 'metadata', 'annotations')) {
    return listAt(manifest, 'spec', 'tls').map((entry) => [
      `Secret/${textAt(entry, 'secretName')}`,
      ['tls.crt', 'tls.key'],
    ]);
  }
  return [[identityOf(manifest), Object.keys(objectAt(manifest, 'data'))]];
};

/** The keys that a reference asks for; all that a volume with items or a variable names. */
const keysIn = (holder: Json): string[] => [
  ...(isObject(holder) && typeof holder.key === 'string' ? [holder.key] : []),
  ...listAt(holder, 'items').map((item) => textAt(item, 'key')),
];

/** Checks that every referenced ConfigMap, Secret and claim exists, with the referenced keys. */
export const checkReferences: Check = (manifests) => {
  const provided = new Map(manifests.flatMap(providedBy));
  return manifests.flatMap((manifest) => {
    const wanted =
      kindOf(manifest) === 'Ingress'
        ? listAt(manifest, 'spec', 'tls').map((tls) => ({
            kind: 'Secret',
            name: textAt(tls, 'secretName'),
            holder: tls,
          }))
        : referencesIn(podTemplateOf(manifest));
    return wanted.flatMap(({ kind, name, holder }) => {
      const keys = provided.get(`${kind}/${name}`);
      if (keys === undefined) return [problemOf(manifest, `there is no ${kind} ${name}`)];
      return keysIn(holder)
        .filter((key) => !keys.includes(key))
        .map((key) => problemOf(manifest, `the ${kind} ${name} has no key ${key}`));
    });
  });
};

/** Checks that every mounted volume exists, and every volume is mounted. */
export const checkVolumes: Check = (manifests) =>
  manifests.flatMap((manifest): Problem[] => {
    const template = podTemplateOf(manifest);
    if (template === undefined) return [];
    const there = [
      ...listAt(template, 'spec', 'volumes').map((volume) => textAt(volume, 'name')),
      ...listAt(manifest, 'spec', 'volumeClaimTemplates').map((claim) => textAt(claim, 'metadata', 'name')),
    ];
    const mounted = containersOf(template).flatMap((container) =>
      listAt(container, 'volumeMounts').map((mount) => textAt(mount, 'name')),
    );
    return [
      ...mounted
        .filter((name) => !there.includes(name))
        .map((name) => problemOf(manifest, `there is no volume ${name}`)),
      ...there
        .filter((name) => !mounted.includes(name))
        .map((name) => problemOf(manifest, `nobody mounts the volume ${name}`)),
    ];
  });

const portsOf = (template: Json | undefined): readonly Json[] =>
  containersOf(objectAt(template)).flatMap((container) => listAt(container, 'ports'));

const selects = (selector: Json | undefined, template: Json | undefined): boolean => {
  const wanted = Object.entries(objectAt(selector));
  const labels = objectAt(template, 'metadata', 'labels');
  return wanted.length > 0 && wanted.every(([key, value]) => labels[key] === value);
};

/** Services, budgets and owners of pods select pods that are there; ports go by names that the containers give. */
export const checkSelectors: Check = (manifests) => {
  const templates = manifests.flatMap((manifest) => podTemplateOf(manifest) ?? []);
  const services = new Map(
    manifests.filter((manifest) => kindOf(manifest) === 'Service').map((service) => [nameOf(service), service]),
  );
  const ofService = (manifest: Manifest): Problem[] => {
    const pods = templates.filter((template) => selects(at(manifest, 'spec', 'selector'), template));
    // Those of one image are of one kind: the group-nodes have a StatefulSet each.
    const images = new Set(pods.map((template) => textAt(containersOf(objectAt(template))[0], 'image')));
    if (images.size !== 1) return [problemOf(manifest, `selects ${images.size} kinds of pods`)];
    const [first, ...others] = pods.map((template) => portsOf(template).map((port) => textAt(port, 'name')));
    const names = first!.filter((name) => others.every((ports) => ports.includes(name)));
    return listAt(manifest, 'spec', 'ports').flatMap((port) => {
      const [name, target] = [textAt(port, 'name'), textAt(port, 'targetPort')];
      if (name === '' || target === '') return [problemOf(manifest, 'a port has no name, or goes to a number')];
      return names.includes(target) ? [] : [problemOf(manifest, `no container has a port ${target}`)];
    });
  };
  const ofIngress = (manifest: Manifest): Problem[] =>
    listAt(manifest, 'spec', 'rules').flatMap((rule) =>
      listAt(rule, 'http', 'paths').flatMap((path) => {
        const service = services.get(textAt(path, 'backend', 'service', 'name'));
        const ports = listAt(service, 'spec', 'ports').map((port) => textAt(port, 'name'));
        const port = textAt(path, 'backend', 'service', 'port', 'name');
        return ports.includes(port)
          ? []
          : [problemOf(manifest, `${textAt(path, 'path')}: no service has a port ${port}`)];
      }),
    );
  const ofMonitor = (manifest: Manifest): Problem[] => {
    const ports = [...services.values()].flatMap((service) =>
      listAt(service, 'spec', 'ports').map((port) => textAt(port, 'name')),
    );
    return listAt(manifest, 'spec', 'endpoints')
      .map((endpoint) => textAt(endpoint, 'port'))
      .filter((port) => !ports.includes(port))
      .map((port) => problemOf(manifest, `no service has a port ${port}`));
  };
  const ofOwner = (manifest: Manifest): Problem[] => {
    const own = selects(at(manifest, 'spec', 'selector', 'matchLabels'), podTemplateOf(manifest));
    const service = textAt(manifest, 'spec', 'serviceName');
    return [
      ...(own ? [] : [problemOf(manifest, 'does not select its own pods')]),
      ...(service === '' || services.has(service) ? [] : [problemOf(manifest, `there is no Service ${service}`)]),
    ];
  };
  const ofBudget = (manifest: Manifest): Problem[] =>
    templates.some((template) => selects(at(manifest, 'spec', 'selector', 'matchLabels'), template))
      ? []
      : [problemOf(manifest, 'selects no pods')];
  const ofScaler = (manifest: Manifest): Problem[] => {
    const { kind, name } = objectAt(manifest, 'spec', 'scaleTargetRef');
    return manifests.some((other) => identityOf(other) === `${String(kind)}/${String(name)}`)
      ? []
      : [problemOf(manifest, 'scales nothing')];
  };
  const byKind: Readonly<Record<string, (manifest: Manifest) => Problem[]>> = {
    Service: ofService,
    Ingress: ofIngress,
    ServiceMonitor: ofMonitor,
    Deployment: ofOwner,
    StatefulSet: ofOwner,
    PodDisruptionBudget: ofBudget,
    HorizontalPodAutoscaler: ofScaler,
  };
  return manifests.flatMap((manifest) => byKind[kindOf(manifest)]?.(manifest) ?? []);
};
