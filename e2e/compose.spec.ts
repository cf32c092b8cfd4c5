import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { type z } from 'zod';
import { freePort } from '@shardnode/core/servers';
import { explorerSettings } from '@shardnode/explorer';
import { gatewaySettings } from '@shardnode/gateway';
import { groupNodeSettings } from '@shardnode/group-node';
import { walletServiceSettings } from '@shardnode/wallet-service';
import {
  interpolate,
  readComposeFile,
  readComposeYaml,
  secondsOf,
  servicesInOrder,
  type ComposeService,
} from '../tools/containers/compose-file.js';
import { createArguments } from '../tools/containers/container-arguments.js';
import { startProcess } from './kit/child-process.js';

const projectFolder = join(dirname(fileURLToPath(import.meta.url)), '..');
const dockerfile = readFileSync(join(projectFolder, 'Dockerfile'), 'utf8');
const file = readComposeFile(projectFolder, {});
const services = Object.entries(file.services);
const names = services.map(([name]) => name);
const isOneShot = ([, service]: [string, ComposeService]): boolean => service.restart === 'no';
const running = services.filter((service) => !isOneShot(service));
const groups = [0, 1, 2, 3];
/** Services on a network. */
const on = (network: string): string[] =>
  services.filter(([, { networks }]) => networks.includes(network)).map(([name]) => name);

/** Apps as images, with what they understand of the environment. */
const settingsOf: Readonly<Record<string, z.ZodObject>> = {
  'group-node': groupNodeSettings,
  gateway: gatewaySettings,
  'wallet-service': walletServiceSettings,
  explorer: explorerSettings,
};

describe('Dockerfile', () => {
  const targets = [...dockerfile.matchAll(/^FROM (\S+) AS (\S+)$/gm)].map(([, from, name]) => ({ from, name: name! }));

  it('has a target for each app that runs as a process, from one base with an exact version', () => {
    const apps = targets.filter(({ from }) => from === 'runtime').map(({ name }) => name);
    expect(apps.sort()).toEqual(['explorer', 'gateway', 'group-node', 'operator', 'wallet-service']);
    expect(dockerfile.match(/^ARG NODE_IMAGE=node:\d+\.\d+\.\d+-[a-z]+-slim$/gm)).toHaveLength(1);
    const bases = new Set(targets.map(({ from }) => from));
    expect([...bases].sort()).toEqual(['${NODE_IMAGE}', 'runtime', 'scratch']);
  });

  it('runs as user 10001, with Node as process 1, and checks the health of what stays', () => {
    expect(dockerfile.match(/^USER .*$/gm)).toEqual(['USER 10001:10001']);
    const programs = [...dockerfile.matchAll(/^ENTRYPOINT (.*)$/gm)].map(([, words]) => JSON.parse(words!) as string[]);
    expect(programs).toHaveLength(5);
    for (const [program, main] of programs) {
      expect(program).toBe('node');
      expect(main).toMatch(/^apps\/[a-z-]+\/dist\/main\.js$/);
    }
    expect(dockerfile.match(/^HEALTHCHECK /gm)).toHaveLength(4);
  });

  it('copies the package.json of every workspace before it installs', () => {
    const workspaces = ['apps', 'libs'].flatMap((folder) =>
      readdirSync(join(projectFolder, folder)).map((name) => `${folder}/${name}`),
    );
    for (const workspace of workspaces) expect(dockerfile).toContain(`COPY ${workspace}/package.json ${workspace}/\n`);
  });

  it('writes the clients that git does not have, and takes none of this machine', () => {
    const schemaOf = (app: string): string => join(projectFolder, 'apps', app, 'prisma', 'schema.prisma');
    const apps = readdirSync(join(projectFolder, 'apps')).filter(
      (app) => existsSync(schemaOf(app)) && /^generator client/m.test(readFileSync(schemaOf(app), 'utf8')),
    );
    expect(/^RUN node tools\/prisma-clients\.mjs ([a-z -]+) \\$/m.exec(dockerfile)?.[1]?.split(' ').sort()).toEqual(
      apps.sort(),
    );
    expect(readFileSync(join(projectFolder, '.dockerignore'), 'utf8')).toMatch(/^\*\*\/generated$/m);
  });
});

describe('docker-compose.yml', () => {
  it('has the network: servers, four group-nodes, wallet-service, explorer and gateway', () => {
    const always = servicesInOrder(file, []);
    expect([...always].sort()).toEqual(
      [
        ...['credentials', 'databases', 'postgres', 'nats', 'redis', 'wallet-service', 'explorer', 'gateway'],
        ...groups.map((group) => `group-node-${group}`),
      ].sort(),
    );
    const more = servicesInOrder(file, ['observability']).filter((name) => !always.includes(name));
    expect(more.sort()).toEqual(['grafana', 'metrics', 'prometheus']);
  });

  it.each(names)('%s is hardened', (name) => {
    const service = file.services[name]!;
    expect(service.read_only).toBe(true);
    expect(service.cap_drop).toEqual(['ALL']);
    expect(service.security_opt).toEqual(['no-new-privileges:true']);
    expect(service.user).toMatch(/^[1-9]\d*:\d+$/);
    expect(service.mem_limit).toMatch(/^\d+[mg]$/);
    expect(service.pids_limit).toBeGreaterThan(0);
    expect(secondsOf(service.stop_grace_period!)).toBeGreaterThanOrEqual(5);
    expect(service.tmpfs.length).toBeGreaterThan(0);
    expect(service.logging?.options['max-size']).toBeDefined();
  });

  it('starts again what stops, and knows the health of it: by the file, or by the image', () => {
    for (const [name, service] of running) {
      expect({ name, restart: service.restart }).toEqual({ name, restart: 'unless-stopped' });
      expect({ name, known: service.healthcheck !== undefined || service.build !== undefined }).toEqual({
        name,
        known: true,
      });
    }
  });

  it('publishes on this machine alone, and only what is outside anyway', () => {
    for (const [name, { ports, networks }] of services) {
      for (const port of ports) expect({ name, port }).toEqual({ name, port: expect.stringMatching(/^127\.0\.0\.1:/) });
      if (ports.length > 0) expect(networks.some((network) => !file.networks[network]!.internal)).toBe(true);
    }
    expect(file.services['gateway']!.ports).toEqual(['127.0.0.1:12973:12973', '127.0.0.1:11973:11973']);
    expect(file.services['explorer']!.ports).toEqual(['127.0.0.1:19091:19091']);
    expect(file.services['gateway']!.environment['API_KEY_REQUIRED']).toBe('false');
  });

  it('takes images of exact versions', () => {
    for (const [, { image, build }] of services) {
      if (build || image.startsWith('shardnode/')) continue;
      expect(image).toMatch(/^[a-z/]+:v?\d+\.\d+(\.\d+)?(-[a-z]+)?$/);
    }
  });

  it('lets only those reach PostgreSQL who keep data there, and only the gateway Redis', () => {
    const groupNodes = groups.map((group) => `group-node-${group}`);
    expect(on('databases').sort()).toEqual(
      ['databases', 'explorer', 'operator', 'postgres', 'rotate', 'wallet-service', ...groupNodes].sort(),
    );
    expect(on('cache').sort()).toEqual(['gateway', 'operator', 'redis', 'rotate']);
    expect(on('bus').sort()).toEqual(
      ['explorer', 'metrics', 'nats', 'operator', 'wallet-service', ...groupNodes].sort(),
    );
    expect(on('bus-gateway').sort()).toEqual(['gateway', 'metrics', 'nats', 'operator']);
    const inside = Object.entries(file.networks).filter(([, { internal }]) => internal);
    expect(inside.map(([name]) => name).sort()).toEqual(['bus', 'bus-gateway', 'cache', 'databases', 'scraping']);
    expect(services.filter(([, { network_mode: mode }]) => mode === 'none').map(([name]) => name)).toEqual([
      'credentials',
    ]);
  });

  it('lets Prometheus and Grafana reach nothing but metrics, and no service the gateway past its ports', () => {
    const reachedBy = (name: string): string[] =>
      services
        .filter(([other, { networks }]) => other !== name && networks.some((network) => on(network).includes(name)))
        .map(([other]) => other)
        .sort();
    // The servers that it uses, the proxy of metrics, and who operates: a group-node has the bus alone.
    expect(reachedBy('gateway')).toEqual(['metrics', 'nats', 'operator', 'redis', 'rotate']);
    expect(reachedBy('grafana')).toEqual(['prometheus']);
    expect(reachedBy('prometheus')).toEqual(['grafana', 'metrics']);
    expect(on('public')).toEqual(['gateway']);
    expect(on('public-explorer')).toEqual(['explorer']);
    interface Job {
      readonly proxy_url: string;
      readonly static_configs: readonly { readonly targets: readonly string[] }[];
    }
    const { scrape_configs: jobs } = parse(
      readFileSync(join(projectFolder, 'observability/prometheus.yml'), 'utf8'),
    ) as { scrape_configs: readonly Job[] };
    const { environment } = file.services['metrics']!;
    expect(jobs.map(({ proxy_url: proxy }) => proxy)).toEqual(jobs.map(() => `http://metrics:${environment['PORT']}`));
    const scraped = jobs.flatMap(({ static_configs: all }) => all.flatMap(({ targets }) => targets));
    expect(environment['TARGETS']!.split(',').sort()).toEqual([...scraped].sort());
  });

  it('gives each service its own credentials, read-only, and holds no secret', () => {
    for (const [name, { volumes, environment }] of services) {
      const shares = volumes.filter((mount) => mount.startsWith('credentials'));
      const isOperator = ['credentials', 'rotate', 'operator', 'databases'].includes(name);
      const expected = ['metrics', 'prometheus', 'grafana'].includes(name)
        ? []
        : [`credentials-of-${name}:/run/credentials:ro`];
      if (!isOperator) expect({ name, shares }).toEqual({ name, shares: expected });
      for (const [key, value] of Object.entries(environment)) {
        const isSecret = /PASSWORD|KEY$|SECRET|TOKEN/.test(key) && !key.endsWith('_FILE');
        expect({ name, key, isSecret }).toEqual({ name, key, isSecret: false });
        // A password in an address: postgresql://role:password@host
        expect(value).not.toMatch(/\/\/[^/@]*:[^/@]*@/);
        if (key.endsWith('PASSWORD_FILE')) expect(value).toMatch(/^\/run\/credentials\/[a-z]+\/[a-z0-9_{}-]+$/);
      }
    }
  });

  it('names only settings that the services know', () => {
    for (const [name, { image, build, environment }] of services) {
      const known = settingsOf[build?.target ?? image.replace(/^shardnode\/|:.*$/g, '')];
      if (!known) continue;
      const understood = Object.keys(known.shape).flatMap((key) => [key, `${key}_FILE`]);
      const unknown = Object.keys(environment).filter((key) => !understood.includes(key));
      expect({ name, unknown }).toEqual({ name, unknown: [] });
    }
  });

  it('starts the group-nodes alike but for the group', () => {
    const [first, ...others] = groups.map(
      (group) =>
        JSON.parse(
          JSON.stringify(file.services[`group-node-${group}`]).replaceAll(new RegExp(`([-_])${group}\\b`, 'g'), '$1N'),
        ) as ComposeService,
    );
    for (const [i, other] of others.entries()) {
      expect(other.environment['GROUP']).toBe(String(i + 1));
      expect({ ...other, environment: { ...other.environment, GROUP: '0' } }).toEqual(first);
    }
  });

  it('mounts files that exist', () => {
    const mounts = services.flatMap(([, { volumes }]) => volumes).filter((mount) => mount.startsWith('.'));
    for (const mount of mounts)
      expect(() => readdirSync(join(projectFolder, dirname(mount.split(':')[0]!)))).not.toThrow();
    const mountedVolumes = services.flatMap(([, { volumes }]) => volumes.map((mount) => mount.split(':')[0]!));
    const used = new Set(mountedVolumes.filter((source) => !source.startsWith('.')));
    expect([...used].sort()).toEqual(Object.keys(file.volumes).sort());
  });
});

describe('docker/metrics.mjs', () => {
  const text = '# HELP up_for_a_test 1\nup_for_a_test 1\n';
  const asked: string[] = [];
  const target = createServer(({ method, url }, response) => {
    asked.push(`${method} ${url}`);
    response.writeHead(200, { 'content-type': 'text/plain', 'set-cookie': 'a=b' }).end(text);
  });
  let places: { readonly target: string; readonly port: number };
  let proxy: ReturnType<typeof startProcess>;
  beforeAll(async () => {
    target.listen(0, '127.0.0.1');
    await once(target, 'listening');
    places = { target: `127.0.0.1:${(target.address() as AddressInfo).port}`, port: await freePort() };
    const environment = { PORT: String(places.port), TARGETS: `${places.target},127.0.0.1:1` };
    proxy = startProcess(process.execPath, [join(projectFolder, 'docker/metrics.mjs')], environment, projectFolder);
    await proxy.line((line) => line.startsWith('passes on'), 20_000);
  });
  afterAll(async () => {
    target.close();
    proxy.signal('SIGTERM');
    expect((await proxy.ended).code).toBe(0);
  });

  /** The first line of the answer, and its body; both empty where the connection is closed instead. */
  const say = async (line: string): Promise<string> => {
    const socket = connect(places.port, '127.0.0.1');
    socket.write(`${line} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`);
    let answer = '';
    for await (const part of socket) answer += String(part);
    return answer;
  };

  it('passes on metrics of the services that are named', async () => {
    const answer = await say(`GET http://${places.target}/metrics`);
    expect(answer).toMatch(/^HTTP\/1.1 200 /);
    expect(answer).toContain('up_for_a_test 1');
    expect(answer).not.toMatch(/cookie/i);
    expect(await say('GET http://127.0.0.1:1/metrics')).toMatch(/^HTTP\/1.1 502 [^]*ECONNREFUSED/);
    expect(await say('GET /health/ready')).toMatch(/^HTTP\/1.1 200 /);
  });

  it('passes on nothing else', async () => {
    asked.splice(0);
    const words = [
      `GET http://${places.target}/wallets`,
      `GET http://${places.target}/metrics/../wallets`,
      `GET http://${places.target}/metrics?x`,
      `POST http://${places.target}/metrics`,
      `GET http://user@${places.target}/metrics`,
      `GET http://${places.target.replace('127.0.0.1', 'localhost')}/metrics`,
      'GET /metrics',
      'GET /',
    ];
    for (const word of words) expect(`${word}: ${await say(word)}`).toContain(': HTTP/1.1 403 ');
    expect(await say(`CONNECT ${places.target}`)).not.toContain('200');
    expect(asked).toEqual([]);
  });
});

describe('what reads docker-compose.yml here', () => {
  it('puts variables in as Compose does', () => {
    expect(interpolate('a ${X:-b} $$c ${Y}', { Y: 'd' })).toBe('a b $c d');
    expect(interpolate('${X:-b}', { X: 'x' })).toBe('x');
    expect(interpolate('${X:-b}', { X: '' })).toBe('b');
    expect(JSON.stringify(readComposeYaml(projectFolder))).toContain('${API_PORT:-12973}');
  });

  it('starts each service after those that it depends on', () => {
    const order = servicesInOrder(file, ['observability']);
    for (const name of order) {
      for (const other of Object.keys(file.services[name]!.depends_on))
        expect(order.indexOf(other)).toBeLessThan(order.indexOf(name));
    }
  });

  it('hands every restriction to the engine', () => {
    const words = createArguments({ projectFolder, project: 'p', file }, 'group-node-1');
    expect(words).toEqual(
      expect.arrayContaining([
        '--name=p-group-node-1-1',
        '--user=10001:10001',
        '--read-only',
        '--read-only-tmpfs=false',
        '--cap-drop=ALL',
        '--security-opt=no-new-privileges',
        '--memory=768m',
        '--pids-limit=256',
        '--network=p_bus:alias=group-node-1',
        '--network=p_databases:alias=group-node-1',
        '--volume=p_credentials-of-group-node-1:/run/credentials:ro',
        '--stop-timeout=20',
        '--env=GROUP=1',
      ]),
    );
    expect(words.at(-1)).toBe('docker.io/shardnode/group-node:latest');
  });

  it('reads durations', () => {
    expect(['20s', '1m30s', '500ms'].map(secondsOf)).toEqual([20, 90, 0.5]);
    expect(() => secondsOf('20')).toThrow('20 is no duration');
  });
});
