import { isObject, listAt, objectAt, textAt, at, type Json, type JsonObject } from './json.js';
import { containersOf, kindOf, labelsOf, nameOf, podTemplateOf, replicasOf, type Manifest } from './manifest.js';

/** A party of a connection: one of our pods, a pod of another namespace, or an address outside of the cluster. */
export interface Party {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Labels of its namespace; undefined: it is no pod. */
  readonly namespace: Readonly<Record<string, string>> | undefined;
  readonly address?: string;
  /** Ports that it listens on, by name. */
  readonly ports: Readonly<Record<string, number>>;
}

/** The pods that an overlay starts; those of a StatefulSet one by one, for each has its own label. */
export const podsOf = (manifests: readonly Manifest[]): Party[] => {
  const namespace = manifests.find((manifest) => kindOf(manifest) === 'Namespace');
  const inside = { 'kubernetes.io/metadata.name': namespace ? nameOf(namespace) : '' };
  return manifests.flatMap((manifest) => {
    const template = podTemplateOf(manifest);
    if (template === undefined) return [];
    const ports = Object.fromEntries(
      containersOf(template).flatMap((container) =>
        listAt(container, 'ports').map((port) => [textAt(port, 'name'), Number(at(port, 'containerPort'))]),
      ),
    );
    const party = { labels: labelsOf(template), namespace: inside, ports };
    if (kindOf(manifest) !== 'StatefulSet') return [{ ...party, name: nameOf(manifest) }];
    return Array.from({ length: replicasOf(manifest) }, (_, ordinal) => ({
      ...party,
      name: `${nameOf(manifest)}-${ordinal}`,
      labels: { ...party.labels, 'apps.kubernetes.io/pod-index': String(ordinal) },
    }));
  });
};

const operators: Readonly<Record<string, (value: string | undefined, values: readonly Json[]) => boolean>> = {
  In: (value, values) => value !== undefined && values.includes(value),
  NotIn: (value, values) => value === undefined || !values.includes(value),
  Exists: (value) => value !== undefined,
  DoesNotExist: (value) => value === undefined,
};

/** Whether a selector takes these labels; an empty one takes all. */
const takes = (selector: Json | undefined, labels: Readonly<Record<string, string>>): boolean =>
  Object.entries(objectAt(selector, 'matchLabels')).every(([key, value]) => labels[key] === value) &&
  listAt(selector, 'matchExpressions').every((expression) =>
    operators[textAt(expression, 'operator')]!(labels[textAt(expression, 'key')], listAt(expression, 'values')),
  );

const numberOf = (address: string): number => address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);

const inBlock = (address: string, block: JsonObject): boolean => {
  const [base = '', bits = '32'] = textAt(block, 'cidr').split('/');
  const size = 2 ** (32 - Number(bits));
  const within = (range: string): boolean => inBlock(address, { cidr: range });
  return (
    Math.floor(numberOf(address) / size) === Math.floor(numberOf(base) / size) &&
    !listAt(block, 'except').some((range) => within(String(range)))
  );
};

/** Whether a peer of a rule, written in the namespace `home`, is this party. */
const isPeer = (peer: Json, party: Party, home: Party['namespace']): boolean => {
  if (!isObject(peer)) return false;
  if (isObject(peer.ipBlock)) return party.address !== undefined && inBlock(party.address, peer.ipBlock);
  if (party.namespace === undefined) return false;
  const namespaceFits =
    peer.namespaceSelector === undefined ? party.namespace === home : takes(peer.namespaceSelector, party.namespace);
  return namespaceFits && (peer.podSelector === undefined || takes(peer.podSelector, party.labels));
};

const hasPort = (rule: Json, target: Party, port: string): boolean => {
  const ports = listAt(rule, 'ports');
  return (
    ports.length === 0 ||
    ports.some((entry) => {
      const wanted = at(entry, 'port');
      return wanted === undefined || wanted === port || wanted === target.ports[port];
    })
  );
};

interface Way {
  readonly type: 'Ingress' | 'Egress';
  readonly field: 'ingress' | 'egress';
  readonly peers: 'from' | 'to';
}
const inwards: Way = { type: 'Ingress', field: 'ingress', peers: 'from' };
const outwards: Way = { type: 'Egress', field: 'egress', peers: 'to' };

/** One side of a connection: a party without policies permits everything; otherwise one policy must permit it. */
const permits = (
  policies: readonly Manifest[],
  way: Way,
  subject: Party,
  other: Party,
  target: Party,
  port: string,
): boolean => {
  const selecting = policies.filter(
    (policy) =>
      listAt(policy, 'spec', 'policyTypes').includes(way.type) &&
      takes(objectAt(policy, 'spec', 'podSelector'), subject.labels),
  );
  return (
    selecting.length === 0 ||
    selecting.some((policy) =>
      listAt(policy, 'spec', way.field).some((rule) => {
        const peers = listAt(rule, way.peers);
        const known = peers.length === 0 || peers.some((peer) => isPeer(peer, other, subject.namespace));
        return known && hasPort(rule, target, port);
      }),
    )
  );
};

/** Who may open which connections: `from -> to port`, for every pair of the parties and every port. */
export const connectionsOf = (manifests: readonly Manifest[], outside: readonly Party[]): string[] => {
  const policies = manifests.filter((manifest) => kindOf(manifest) === 'NetworkPolicy');
  const pods = podsOf(manifests);
  const isOurs = (party: Party): boolean => pods.includes(party);
  const parties = [...pods, ...outside];
  return parties.flatMap((from) =>
    parties
      .filter((to) => from !== to && (isOurs(from) || isOurs(to)))
      .flatMap((to) =>
        Object.keys(to.ports)
          .filter(
            (port) =>
              (!isOurs(from) || permits(policies, outwards, from, to, to, port)) &&
              (!isOurs(to) || permits(policies, inwards, to, from, to, port)),
          )
          .map((port) => `${from.name} -> ${to.name} ${port}`),
      ),
  );
};
