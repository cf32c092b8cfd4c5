import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { networkCredentials } from '@shardnode/messages/credentials';
import { parse } from 'yaml';
import { readExplorerSettings } from '../../apps/explorer/src/configuration.js';
import { readGatewaySettings } from '../../apps/gateway/src/settings/configuration.js';
import { readGroupNodeSettings } from '../../apps/group-node/src/configuration.js';
import { readWalletServiceSettings } from '../../apps/wallet-service/src/configuration.js';
import { renderAlerts } from './alerts.js';
import { apiOperations, explorerPaths } from './api-operations.js';
import { environmentOf, serviceOf, type Service } from './checks/settings.js';
import { at, listAt, objectAt, textAt, type Json, type JsonObject } from './json.js';
import { containersOf, identityOf, kindOf, podTemplateOf, replicasOf, type Manifest } from './manifest.js';
import { overlays, renderOverlay, type Overlay } from './overlays.js';
import { standIn } from './render/stand-in-credentials.js';

const root = new URL('../../', import.meta.url);
const textOf = (path: string): string => readFileSync(new URL(path, root), 'utf8');
const rendered = Object.fromEntries(overlays.map((overlay) => [overlay, renderOverlay(overlay)])) as Record<
  Overlay,
  Manifest[]
>;

const readers: Readonly<Record<Service, (environment: Record<string, string>) => unknown>> = {
  gateway: readGatewaySettings,
  'group-node': readGroupNodeSettings,
  'wallet-service': readWalletServiceSettings,
  explorer: readExplorerSettings,
};

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'credentials-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The files that a pod would find below /run/credentials: the keys of its Secrets, or the paths that items give them. */
const credentialsOf = (manifests: readonly Manifest[], template: JsonObject): string[] =>
  listAt(template, 'spec', 'volumes').flatMap((volume) =>
    listAt(volume, 'projected', 'sources').flatMap((source) => {
      const items = listAt(source, 'secret', 'items').map((item) => textAt(item, 'path'));
      if (items.length > 0) return items;
      const name = textAt(source, 'secret', 'name');
      const secret = manifests.find(
        (manifest) =>
          ['Secret', 'ExternalSecret'].includes(kindOf(manifest)) && identityOf(manifest).endsWith(`/${name}`),
      );
      return [
        ...Object.keys(objectAt(secret, 'data')),
        ...listAt(secret, 'spec', 'data').map((entry) => textAt(entry, 'secretKey')),
      ];
    }),
  );

/** Reads a container's settings as its process would, with its credentials in a folder of the test. */
const settingsIn = (manifests: readonly Manifest[], template: JsonObject, container: JsonObject) => {
  for (const file of credentialsOf(manifests, template)) writeFileSync(join(folder, file), standIn(file));
  const environment = environmentOf(manifests, container, {});
  const moved = Object.entries(environment).map(([name, value]) => [name, value.replace('/run/credentials', folder)]);
  return readers[serviceOf(container)!](Object.fromEntries(moved) as Record<string, string>) as Record<string, Json>;
};

const settingsOf = (overlay: Overlay, identity: string) => {
  const manifest = rendered[overlay].find((other) => identityOf(other) === identity)!;
  const template = podTemplateOf(manifest)!;
  return settingsIn(rendered[overlay], template, containersOf(template)[0]!);
};

const segmentsOf = (path: string): string[] => path.split('/').filter((part) => part !== '');

/** Whether a rule of an Ingress matches, segment by segment as Kubernetes compares. */
const matches = (path: string, rule: Json, isSame: (segment: string, wanted: string) => boolean): boolean => {
  const [segments, wanted] = [segmentsOf(path), segmentsOf(textAt(rule, 'path'))];
  const isLongEnough =
    textAt(rule, 'pathType') === 'Exact' ? segments.length === wanted.length : segments.length >= wanted.length;
  return isLongEnough && wanted.every((each, index) => isSame(segments[index]!, each));
};
/** Whatever the values of parameters are. */
const isAdmitted = (path: string, rule: Json): boolean =>
  matches(path, rule, (segment, wanted) => segment === wanted && !segment.startsWith(':'));
/** With some value of a parameter. */
const mayReach = (path: string, rule: Json): boolean =>
  matches(path, rule, (segment, wanted) => segment === wanted || segment.startsWith(':'));

describe('what the cluster gives to the services', () => {
  it.each(overlays)('their own readers of settings take: %s', (overlay) => {
    expect(settingsOf(overlay, 'Deployment/gateway')).toMatchObject({
      HOST: '0.0.0.0',
      API_KEY_REQUIRED: true,
      API_KEY: standIn('api-key').trim(),
      API_KEY_WALLETS: standIn('api-key-wallets').trim(),
      API_KEY_READ: standIn('api-key-read').trim(),
      REDIS_USER: 'gateway',
    });
    expect(settingsOf(overlay, 'Deployment/wallet-service')).toMatchObject({
      HEALTH_PORT: 12984,
      NATS_USER: 'wallet-service',
      DATABASE_PASSWORD: standIn('database').trim(),
    });
    const explorers = { explorer: 'reader', 'explorer-writer': 'writer' } as const;
    for (const [name, mode] of Object.entries(explorers)) {
      const role = mode === 'reader' ? 'shardnode_explorer_reader' : 'shardnode_explorer';
      expect(settingsOf(overlay, `Deployment/${name}`)).toMatchObject({
        EXPLORER_MODE: mode,
        EXPLORER_PORT: 19091,
        NATS_USER: 'explorer',
        DATABASE_PASSWORD: standIn('database').trim(),
        DATABASE_URL: expect.stringMatching(
          new RegExp(`^postgresql://${role}@postgres-explorer[a-z.-]*:5432/shardnode_explorer$`),
        ),
      });
      // What is in its Secret: the password of its own role.
      if (overlay === 'production') {
        const secret = rendered[overlay].find((one) => identityOf(one) === `ExternalSecret/${name}-credentials`);
        const keys = listAt(secret, 'spec', 'data').map((entry) => textAt(entry, 'remoteRef', 'key'));
        expect(keys).toEqual([`shardnode/database/${role}`, 'shardnode/nats/explorer']);
      }
    }
    // One writes.
    const writer = rendered[overlay].find((manifest) => identityOf(manifest) === 'Deployment/explorer-writer')!;
    expect([replicasOf(writer), textAt(writer, 'spec', 'strategy', 'type')]).toEqual([1, 'Recreate']);
    for (const group of [0, 1, 2, 3]) {
      const identity = `StatefulSet/group-node-${group}`;
      expect(replicasOf(rendered[overlay].find((manifest) => identityOf(manifest) === identity)!)).toBe(1);
      expect(settingsOf(overlay, identity)).toMatchObject({
        GROUP: group,
        HEALTH_PORT: 12980,
        NATS_USER: `group-node-${group}`,
        NATS_PASSWORD: standIn('nats').trim(),
        DATABASE_PASSWORD: standIn('database').trim(),
        DATABASE_URL: expect.stringMatching(
          new RegExp(
            `^postgresql://shardnode_group_${group}@postgres-group-${group}\\.[a-z.-]+:5432/shardnode_group_${group}$`,
          ),
        ),
      });
    }
  });

  it.each(overlays)('are the credentials of one group alone for each group-node: %s', (overlay) => {
    const secrets = (value: Json | undefined): string[] =>
      Array.isArray(value) || (typeof value === 'object' && value !== null)
        ? Object.entries(value).flatMap(([key, inner]) =>
            key === 'secret' ? [textAt(inner, 'name') || textAt(inner, 'secretName')] : secrets(inner),
          )
        : [];
    const ofGroup = /^group-node-(\d)-credentials/;
    const readers = rendered[overlay].flatMap((manifest) =>
      [...new Set(secrets(podTemplateOf(manifest)))].flatMap((name) => {
        const group = ofGroup.exec(name)?.[1];
        return group === undefined ? [] : [`${identityOf(manifest)} ${group}`];
      }),
    );
    const groups = ['0', '1', '2', '3'];
    expect(readers.sort()).toEqual(
      [
        ...groups.flatMap((group) => [
          `StatefulSet/group-node-${group} ${group}`,
          `CronJob/backup-group-${group} ${group}`,
        ]),
        ...(overlay === 'local' ? groups.map((group) => `StatefulSet/postgres-group ${group}`) : []),
      ].sort(),
    );
    // What is in them: nothing of another group.
    for (const group of groups) {
      const stated = rendered[overlay].filter(
        (manifest) =>
          ['Secret', 'ExternalSecret'].includes(kindOf(manifest)) &&
          ofGroup.exec(identityOf(manifest).split('/')[1]!)?.[1] === group,
      );
      expect(stated).toHaveLength(1);
      const keys = credentialsOf(
        rendered[overlay],
        podTemplateOf(
          rendered[overlay].find((manifest) => identityOf(manifest) === `StatefulSet/group-node-${group}`)!,
        )!,
      );
      expect(keys.filter((key) => !key.endsWith('.crt')).sort()).toEqual(['database', 'nats']);
      const keysOfStore = listAt(stated[0], 'spec', 'data').map((entry) => textAt(entry, 'remoteRef', 'key'));
      if (overlay === 'production')
        expect(keysOfStore).toEqual([
          `shardnode/database/shardnode_group_${group}`,
          `shardnode/nats/group-node-${group}`,
        ]);
    }
  });

  it('is TLS for everything in production', () => {
    const ca = join(folder, 'ca.crt');
    const database = join(folder, 'database-ca.crt');
    expect(settingsOf('production', 'StatefulSet/group-node-3')).toMatchObject({
      NATS_TLS_CA: ca,
      DATABASE_TLS_CA: database,
    });
    expect(settingsOf('production', 'Deployment/wallet-service')).toMatchObject({
      NATS_TLS_CA: ca,
      DATABASE_TLS_CA: database,
    });
    for (const name of ['explorer', 'explorer-writer'])
      expect(settingsOf('production', `Deployment/${name}`)).toMatchObject({
        NATS_TLS_CA: ca,
        DATABASE_TLS_CA: database,
      });
    expect(settingsOf('production', 'Deployment/gateway')).toMatchObject({
      NATS_TLS_CA: ca,
      REDIS_TLS_CA: ca,
      REDIS_URL: 'rediss://redis:6379',
    });
  });

  it('listens on the ports that the settings name', () => {
    const portsOf = (identity: string): Json[] =>
      listAt(
        containersOf(podTemplateOf(rendered.local.find((manifest) => identityOf(manifest) === identity)!)!)[0],
        'ports',
      ).map((port) => at(port, 'containerPort')!);
    const gateway = settingsOf('local', 'Deployment/gateway');
    expect(portsOf('Deployment/gateway')).toEqual([gateway.PORT, gateway.WS_PORT]);
    expect(portsOf('Deployment/wallet-service')).toEqual([
      settingsOf('local', 'Deployment/wallet-service').HEALTH_PORT,
    ]);
    for (const name of ['explorer', 'explorer-writer'])
      expect(portsOf(`Deployment/${name}`)).toEqual([settingsOf('local', `Deployment/${name}`).EXPLORER_PORT]);
    expect(portsOf('StatefulSet/group-node-0')).toEqual([settingsOf('local', 'StatefulSet/group-node-0').HEALTH_PORT]);
  });
});

describe('what is written beside the cluster', () => {
  it('are the credentials that the overlays name, all made by the operator', () => {
    const made = new Set([
      ...networkCredentials(4).map(({ name }) => name),
      'nats/nats.conf',
      'redis/users.acl',
      ...['ca', 'nats', 'redis'].map((name) => `tls/${name}.crt`),
      'tls/nats.key',
      'tls/redis.key',
    ]);
    const { secretGenerator } = parse(textOf('k8s/overlays/local/kustomization.yaml')) as {
      secretGenerator: { files: string[] }[];
    };
    const local = secretGenerator.flatMap(({ files }) => files.map((file) => file.replace(/^.*=credentials\//, '')));
    const production = rendered.production
      .filter((manifest) => kindOf(manifest) === 'ExternalSecret')
      .flatMap((manifest) =>
        listAt(manifest, 'spec', 'data').map((entry) => textAt(entry, 'remoteRef', 'key').replace('shardnode/', '')),
      );
    expect(local.filter((name) => !made.has(name))).toEqual([]);
    // The authority of databases from elsewhere is theirs.
    expect(production.filter((name) => !made.has(name))).toEqual(['database-ca.crt']);
  });

  const rulesOf = (overlay: Overlay, name: string): readonly Json[] => {
    const ingress = rendered[overlay].find((manifest) => identityOf(manifest) === `Ingress/${name}`);
    return listAt(listAt(ingress, 'spec', 'rules')[0], 'http', 'paths');
  };

  it.each(overlays)("lets the explorer's API through the Ingress, and neither health nor metrics: %s", (overlay) => {
    const rules = rulesOf(overlay, 'explorer');
    const paths = explorerPaths();
    expect(paths.length).toBeGreaterThan(50);
    expect(paths.filter((path) => !rules.some((rule) => isAdmitted(path, rule)))).toEqual([]);
    const idle = rules.filter((rule) => !paths.some((path) => isAdmitted(path, rule)));
    expect(idle.map((rule) => textAt(rule, 'path'))).toEqual([]);
    const inside = ['/metrics', '/health/live', '/health/ready'];
    expect(inside.filter((path) => rules.some((rule) => mayReach(path, rule)))).toEqual([]);
  });

  describe.each(overlays)('lets the API through the Ingress, in %s', (overlay) => {
    const rules = rulesOf(overlay, 'gateway').filter(
      (rule) => textAt(rule, 'backend', 'service', 'port', 'name') === 'api',
    );
    const operations = apiOperations();

    it('every path whose operations are all for clients', () => {
      expect(operations.length).toBeGreaterThan(70);
      const forOperators = new Set(operations.filter(({ role }) => role === 'operate').map(({ path }) => path));
      const hidden = operations.filter(({ path }) => !rules.some((rule) => isAdmitted(path, rule)));
      expect(hidden.filter(({ path }) => !forOperators.has(path))).toEqual([]);
      // docs/kubernetes.md names them: what clients lose because of the other methods of these paths.
      const lost = hidden.filter(({ role }) => role !== 'operate').map(({ method, path }) => `${method} ${path}`);
      expect(lost.sort()).toEqual(['GET /infos/misbehaviors', 'GET /mempool/transactions', 'GET /miners/addresses']);
      for (const name of lost) expect(textOf('docs/kubernetes.md')).toContain(`\`${name}\``);
    });

    it('no path that reaches an operation of operators, health or metrics', () => {
      const inside = ['/', '/metrics', '/health/live', '/health/ready', '/health/cluster'];
      const forOperators = operations.filter(({ role }) => role === 'operate').map(({ path }) => path);
      expect(forOperators.length).toBeGreaterThan(8);
      const reached = [...inside, ...forOperators].filter((path) => rules.some((rule) => mayReach(path, rule)));
      expect(reached).toEqual([]);
    });

    it('nothing that is not there', () => {
      const served = [...operations.map(({ path }) => path), '/docs'];
      const idle = rules.filter((rule) => !served.some((path) => isAdmitted(path, rule)));
      expect(idle.map((rule) => textAt(rule, 'path'))).toEqual([]);
    });
  });

  it.each(overlays)('answers to the hosts of the Ingresses, in %s', (overlay) => {
    for (const name of ['gateway', 'explorer']) {
      const ingress = rendered[overlay].find((manifest) => identityOf(manifest) === `Ingress/${name}`);
      const names = settingsOf(overlay, `Deployment/${name}`).HOST_NAMES;
      for (const rule of listAt(ingress, 'spec', 'rules')) expect(names).toContain(textAt(rule, 'host'));
    }
  });

  it('are the alerts of observability/alerts.yml: else run `npm run k8s alerts`', () => {
    expect(parse(textOf('k8s/monitoring/alerts.yaml'))).toEqual(parse(renderAlerts()));
    const rules = rendered.production.find((manifest) => kindOf(manifest) === 'PrometheusRule');
    const { groups } = parse(textOf('observability/alerts.yml')) as { groups: Json };
    expect(at(rules, 'spec', 'groups')).toEqual(groups);
  });

  it('are the images of docker-compose.yml', () => {
    const compose = textOf('docker-compose.yml');
    for (const manifest of rendered.local) {
      for (const container of containersOf(podTemplateOf(manifest) ?? {})) {
        const image = textAt(container, 'image');
        const ours = /^(shardnode\/[a-z-]+):/.exec(image)?.[1];
        expect(compose).toContain(ours === undefined ? `:-${image}}` : `image: ${ours}:`);
      }
    }
  });
});
