import { describe, expect, it } from '@jest/globals';
import { CredentialFolder } from '@shardnode/core/credentials';
import { parseClusterArguments } from './arguments.js';
import { problemsText, type ServerProblem } from './server-checks.js';
import { askingPrograms, groupNodePrograms, type ClusterParts } from './service-programs.js';
import { readClusterConfiguration } from './settings.js';

describe('options of npm run cluster', () => {
  it('are switches', () => {
    expect(parseClusterArguments(['--servers', '--json'])).toEqual({
      reset: false,
      json: true,
      quiet: false,
      reference: false,
      servers: true,
      help: false,
    });
    expect(() => parseClusterArguments(['--server'])).toThrow(
      'There is no option --server; `npm run cluster -- --help` lists the options.',
    );
  });
});

describe('settings of the cluster', () => {
  it('have the addresses of servers on this machine', () => {
    const { settings, healthPorts, network } = readClusterConfiguration({});
    expect(settings).toMatchObject({
      PORT: 22_973,
      POSTGRES_URL: 'postgresql://shardnode:shardnode@127.0.0.1:5432/postgres',
      NATS_URL: ['nats://127.0.0.1:4222'],
      REDIS_URL: 'redis://127.0.0.1:6379',
      NATS_NAMESPACE: 'coin',
      CORS_ORIGINS: ['http://localhost:*', 'http://127.0.0.1:*', 'http://[::1]:*'],
    });
    expect(healthPorts.ports).toEqual([12_980, 12_981, 12_982, 12_983, 12_984]);
    expect(network.groups).toBe(4);
    expect(() => readClusterConfiguration({ MINER_ADDRESSES: 'x' })).toThrow('MINER_ADDRESSES must be 4 addresses');
  });
});

describe('the environment of a service', () => {
  const folder = new CredentialFolder('/kept');
  const databases = {
    shardnode_group_0: 'postgresql://0',
    shardnode_group_1: 'postgresql://1',
    shardnode_group_2: 'postgresql://2',
    shardnode_group_3: 'postgresql://3',
    shardnode_wallet: 'postgresql://wallet',
    shardnode_explorer: 'postgresql://explorer',
  };
  const parts: ClusterParts = {
    environment: {
      PATH: '/bin',
      POSTGRES_URL: 'postgresql://admin',
      DATABASE_URL: 'postgresql://mine',
      GROUP: '7',
      MINING: 'off',
      API_KEY: 'k'.repeat(32),
      WALLET_LOCK_TIMEOUT: '5',
      NATS_PASSWORD: 'word',
    },
    common: { NATS_URL: 'nats://127.0.0.1:4222', REDIS_URL: '', HOST: '127.0.0.1' },
    credentials: { folder, variablesOf: () => ({}) },
    databases,
    groups: 4,
    port: 22_973,
    explorer: undefined,
    healthPorts: [1, 2, 3, 4, 5],
  };

  it('of a group-node contains its own database and none of the others', () => {
    expect(groupNodePrograms(parts)[2]).toMatchObject({
      name: 'group-node-2',
      environment: {
        PATH: '/bin',
        GROUP: '2',
        HEALTH_PORT: '3',
        DATABASE_URL: 'postgresql://2',
        DATABASE_PASSWORD_FILE: '/kept/database/shardnode_group_2',
        MINING: 'off',
        NATS_URL: 'nats://127.0.0.1:4222',
        NATS_PASSWORD: 'word',
      },
    });
    const names = Object.keys(groupNodePrograms(parts)[2]!.environment).sort();
    expect(names).toEqual(
      'DATABASE_PASSWORD_FILE DATABASE_URL GROUP HEALTH_PORT MINING NATS_PASSWORD NATS_URL PATH'.split(' '),
    );
  });

  it('contains the users of own servers, whatever the person has set', () => {
    const own = {
      ...parts.credentials,
      variablesOf: (user: string) => ({ NATS_USER: user, NATS_PASSWORD_FILE: '/n' }),
    };
    const given = {
      ...parts.environment,
      NATS_USER: 'me',
      REDIS_URL_FILE: '/mine',
      API_KEY: undefined,
      API_KEY_FILE: '/k',
    };
    const [, gateway] = askingPrograms({ ...parts, environment: given, credentials: own });
    expect(gateway!.environment).toMatchObject({ NATS_USER: 'gateway', NATS_PASSWORD_FILE: '/n', API_KEY_FILE: '/k' });
    expect(gateway!.environment).not.toHaveProperty('NATS_PASSWORD');
    expect(gateway!.environment).not.toHaveProperty('REDIS_URL_FILE');
    expect(groupNodePrograms(parts)[0]!.environment).not.toHaveProperty('API_KEY_FILE');
  });

  it('of the explorer contains its database and its port, and no key; without it there is none', () => {
    const withExplorer = { ...parts, explorer: { host: '127.0.0.1', port: 19_091 } };
    const [explorer, , gateway] = askingPrograms(withExplorer);
    expect(gateway!.name).toBe('gateway');
    expect(explorer).toMatchObject({
      name: 'explorer',
      environment: {
        EXPLORER_PORT: '19091',
        EXPLORER_HOST: '127.0.0.1',
        DATABASE_URL: 'postgresql://explorer',
        DATABASE_PASSWORD_FILE: '/kept/database/shardnode_explorer',
      },
    });
    expect(Object.keys(explorer!.environment)).not.toContain('API_KEY');
    expect(askingPrograms(parts).map(({ name }) => name)).toEqual(['wallet-service', 'gateway']);
  });

  it('of the gateway contains no database, that of the wallet-service no key', () => {
    const [walletService, gateway] = askingPrograms(parts);
    expect(gateway!.environment).toMatchObject({ PORT: '22973', API_KEY: 'k'.repeat(32), HOST: '127.0.0.1' });
    expect(Object.values(gateway!.environment).join()).not.toContain('postgresql://');
    expect(walletService!.environment).toMatchObject({
      DATABASE_URL: 'postgresql://wallet',
      HEALTH_PORT: '5',
      WALLET_LOCK_TIMEOUT: '5',
    });
    expect(walletService!.environment).not.toHaveProperty('API_KEY');
  });
});

describe('the report of servers that do not respond', () => {
  const problem = (server: string, isNeeded = true): ServerProblem => ({
    server,
    isNeeded,
    problem: `${server} at 127.0.0.1:1 does not answer (ECONNREFUSED)`,
    commands: [`sudo apt-get install -y ${server}`, `sudo service ${server} start`],
    setting: `${server.toUpperCase()}_URL`,
  });

  it('names all of them, each with its commands', () => {
    const text = problemsText([problem('nats'), problem('redis', false)], false);
    expect(text).toMatch(
      /nats at .*\n +sudo apt-get install -y nats\n +sudo service nats start\n +or say with NATS_URL/,
    );
    expect(text).toMatch(/redis at .*the cluster works without it/);
    expect(text).toContain('npm run cluster -- --servers');
  });
});
