import { describe, expect, it } from '@jest/globals';
import { identityOf } from './manifest.js';
import { connectionsOf, podsOf, type Party } from './network.js';
import { renderOverlay, type Overlay } from './overlays.js';

const inNamespace = (
  name: string,
  namespace: string,
  labels: Readonly<Record<string, string>>,
  ports: Readonly<Record<string, number>>,
): Party => ({
  name,
  labels,
  namespace: { 'kubernetes.io/metadata.name': namespace },
  ports,
});
const atAddress = (name: string, address: string, ports: Readonly<Record<string, number>>): Party => ({
  name,
  labels: {},
  namespace: undefined,
  address,
  ports,
});

/** Parties outside the namespace, permitted and not. */
const outside = (ingressNamespace: string): readonly Party[] => [
  inNamespace('names', 'kube-system', { 'k8s-app': 'kube-dns' }, { dns: 53 }),
  inNamespace('ingress', ingressNamespace, { app: 'ingress' }, { http: 80 }),
  inNamespace('prometheus', 'monitoring', { app: 'prometheus' }, { web: 9090 }),
  inNamespace(
    'stranger',
    'default',
    { 'app.kubernetes.io/name': 'gateway' },
    { http: 80, postgresql: 5432, client: 4222 },
  ),
  atAddress('internet', '198.51.100.7', { https: 443, postgresql: 5432 }),
  atAddress('databases-of-groups', '192.0.2.3', { postgresql: 5432, ssh: 22 }),
  atAddress('database-of-wallets', '192.0.2.16', { postgresql: 5432, ssh: 22 }),
  atAddress('database-of-explorer', '192.0.2.17', { postgresql: 5432, ssh: 22 }),
];

const groups = [0, 1, 2, 3];
const groupNodes = groups.map((group) => `group-node-${group}-0`);
const explorers = ['explorer', 'explorer-writer'];
const servicesOnTheBus = ['gateway', 'wallet-service', ...explorers, ...groupNodes];
const backups = [...groups.map((group) => `backup-group-${group}`), 'backup-wallet'];

const allToNames = (others: readonly string[]): string[] =>
  [...servicesOnTheBus, 'redis', ...backups, ...others].map((name) => `${name} -> names dns`);

/** Who may open a connection to whom; docs/kubernetes.md has the same as a table. */
const stated: Readonly<Record<Overlay, readonly string[]>> = {
  local: [
    'ingress -> gateway api',
    'ingress -> gateway push',
    'ingress -> explorer api',
    ...servicesOnTheBus.map((name) => `${name} -> nats-0 client`),
    'gateway -> redis redis',
    ...groups.flatMap((group) => [
      `group-node-${group}-0 -> postgres-group-${group} postgresql`,
      `backup-group-${group} -> postgres-group-${group} postgresql`,
    ]),
    'wallet-service -> postgres-wallet-0 postgresql',
    'backup-wallet -> postgres-wallet-0 postgresql',
    ...explorers.map((name) => `${name} -> postgres-explorer-0 postgresql`),
    ...allToNames([
      'nats-0',
      ...groups.map((group) => `postgres-group-${group}`),
      'postgres-wallet-0',
      'postgres-explorer-0',
    ]),
  ],
  production: [
    'ingress -> gateway api',
    'ingress -> gateway push',
    'ingress -> explorer api',
    'prometheus -> gateway api',
    'prometheus -> explorer api',
    'prometheus -> explorer-writer health',
    ...groupNodes.map((name) => `prometheus -> ${name} health`),
    'prometheus -> wallet-service health',
    ...servicesOnTheBus.flatMap((name) => [0, 1, 2].map((server) => `${name} -> nats-${server} client`)),
    ...[0, 1, 2].flatMap((from) =>
      [0, 1, 2].filter((to) => to !== from).map((to) => `nats-${from} -> nats-${to} cluster`),
    ),
    'gateway -> redis redis',
    ...groups.flatMap((group) => [
      `group-node-${group}-0 -> databases-of-groups postgresql`,
      `backup-group-${group} -> databases-of-groups postgresql`,
    ]),
    'wallet-service -> database-of-wallets postgresql',
    'backup-wallet -> database-of-wallets postgresql',
    ...explorers.map((name) => `${name} -> database-of-explorer postgresql`),
    ...allToNames(['nats-0', 'nats-1', 'nats-2']),
  ],
};

const ingressNamespace: Readonly<Record<Overlay, string>> = { local: 'ingress-nginx', production: 'ingress' };

describe('permitted connections', () => {
  it.each(Object.keys(stated) as Overlay[])('is what is stated, and nothing else: %s', (overlay) => {
    const connections = connectionsOf(renderOverlay(overlay), outside(ingressNamespace[overlay]));
    expect(connections.sort()).toEqual([...stated[overlay]].sort());
  });

  it('is everything for everybody without policies, and for nobody with the first one alone', () => {
    const manifests = renderOverlay('local');
    const pods = podsOf(manifests);
    const ports = pods.flatMap(({ ports: own }) => Object.keys(own)).length;
    const unguarded = manifests.filter(({ kind }) => kind !== 'NetworkPolicy');
    expect(connectionsOf(unguarded, [])).toHaveLength(ports * (pods.length - 1));
    const closed = manifests.filter(
      (manifest) => manifest.kind !== 'NetworkPolicy' || identityOf(manifest) === 'NetworkPolicy/default-deny',
    );
    expect(connectionsOf(closed, outside('ingress-nginx'))).toEqual([]);
  });
});
