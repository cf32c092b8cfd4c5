import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { freePort } from '@shardnode/core/servers';
import type pg from 'pg';
import { type ClusterProcess, groupNodeNames, type ProcessName } from '../kit/cluster/cluster-process.js';
import {
  asAdministrator,
  describeSchema,
  heldSession,
  holdMigrations,
  migrateUntil,
  releaseMigrations,
  takeBack,
} from '../kit/cluster/former-schema.js';
import { migratedApplications, type Migration, migrationsOf } from '../kit/cluster/migrations.js';
import { killAtStatement, type StatementKill } from '../kit/cluster/kill-at-statement.js';
import { type SeenStatement } from '../kit/cluster/postgres-taps.js';
import { untilWritesGoOn } from '../kit/cluster/resumption.js';
import { openScenario, type Scenario } from '../kit/cluster/scenario.js';
import { describeCluster } from '../kit/deployment-under-test.js';
import { groups } from '../kit/chains.js';
import { isLong } from '../kit/network.js';
import { patience } from '../kit/patience.js';
import { statusOf } from '../kit/status-of.js';
import { waitFor } from '../kit/wait-for.js';

interface Place {
  readonly name: ProcessName;
  readonly database: string;
  readonly schema: string;
}

/** Where each application is migrated: the data of the others stay. */
const places: Readonly<Record<(typeof migratedApplications)[number], Place>> = {
  'group-node': { name: 'group-node-1', database: 'shardnode_group_1', schema: 'group_1' },
  'wallet-service': { name: 'wallet-service', database: 'shardnode_wallet', schema: 'wallet' },
};

const isScript =
  ({ sql }: Migration) =>
  ({ text }: SeenStatement): boolean =>
    text.startsWith(sql);
const isRow = ({ text }: SeenStatement): boolean => text.startsWith('INSERT INTO "_prisma_migrations"');

/** Moments of a migration in which the process gets `kill -9`. */
const moments: Readonly<Record<string, ((migration: Migration) => StatementKill) | undefined>> = {
  'before it is noted': () => ({ side: 'before', matching: isRow }),
  'noted, before its script': (migration) => ({ side: 'before', matching: isScript(migration) }),
  'in its midst': undefined,
  'done, and nobody was told': (migration) => ({ side: 'after', matching: isScript(migration) }),
};

/** All of them; in the short form the newest. */
const chosenOf = (migrations: readonly Migration[]): readonly Migration[] =>
  migrations.filter((_, index) => isLong || index === migrations.length - 1);

const cases = migratedApplications.flatMap((application) =>
  chosenOf(migrationsOf(application)).map((migration) => ({
    title: `${application}: ${migration.name}`,
    migration,
    application,
  })),
);

describeCluster('upgrades that are interrupted', () => {
  let scenario: Scenario;
  /** As an undisturbed start makes them. */
  const schemas = new Map<string, readonly string[]>();
  beforeAll(async () => {
    scenario = await openScenario('upgrade', { load: { sendersPerGroup: 1, everyMs: 100 } });
    scenario.load.begin();
    await untilWritesGoOn(scenario, patience(30_000));
    await scenario.load.rest();
    await scenario.load.settle();
    for (const application of migratedApplications) {
      const { database, schema } = places[application];
      const read = (client: pg.Client): Promise<readonly string[]> => describeSchema(client, schema);
      schemas.set(application, await asAdministrator(scenario.cluster, database, read));
    }
  });
  afterAll(() => scenario?.remove());

  /** Kills a starting process while the server is in the midst of a script; the server then notices that it is gone. */
  const killInTheMidst = async (service: ClusterProcess, client: pg.Client): Promise<void> => {
    await holdMigrations(client);
    try {
      service.begin();
      const session = await waitFor('a migration to be under way', () => heldSession(client), { timeoutMs: 120_000 });
      await service.kill9();
      await client.query('SELECT pg_terminate_backend($1, 10000)', [session]);
    } finally {
      await releaseMigrations(client);
    }
  };

  it.each(cases)(
    'kill -9 at each moment of $title: the next start mends it',
    async ({ application, migration }) => {
      const { name, database, schema } = places[application];
      const { cluster } = scenario;
      const service = cluster.process(name);
      const right = schemas.get(application);
      await service.stop();
      await cluster.asOwner(name, async (owner) => {
        await owner.script(`DROP SCHEMA ${schema} CASCADE`);
        if (migrationsOf(application)[0]!.name !== migration.name) await migrateUntil(owner, migration);
      });
      await asAdministrator(cluster, database, async (client) => {
        for (const moment of Object.values(moments)) {
          if (moment) await killAtStatement(cluster, service.name, moment(migration), () => service.begin());
          else await killInTheMidst(service, client);
          // One that learned of its lost connection may have ended of it just before.
          expect((await service.ended).code).not.toBe(0);
        }
        const ready = await service.start();
        expect(await describeSchema(client, schema)).toEqual(right);
        process.stderr.write(`${migration.name}: killed 4 times, ready after ${ready.toFixed(0)} ms\n`);
      });
    },
    600_000,
  );

  it('four processes start at once on an empty database: one wins, the schema is right', async () => {
    const { cluster } = scenario;
    const { name, database, schema } = {
      ...places['group-node'],
      name: 'group-node-2' as const,
      database: 'shardnode_group_2',
      schema: 'group_2',
    };
    const right = schemas.get('group-node');
    await cluster.process(name).stop();
    await cluster.asOwner(name, (owner) => owner.script(`DROP SCHEMA ${schema} CASCADE`));
    const ports = await Promise.all(groups.map(() => freePort()));
    const starters = ports.map((port) => ({ port, process: cluster.anotherProcess(name, port) }));
    const isReady = async (port: number): Promise<boolean> =>
      statusOf(`http://127.0.0.1:${port}/health/ready`).then(
        (status) => status === 200,
        () => false,
      );
    await waitFor(
      'one of four to be ready, and three to be gone',
      async () => {
        const left = starters.filter(({ process: starter }) => !starter.end());
        return left.length === 1 && isReady(left[0]!.port);
      },
      { timeoutMs: 180_000, everyMs: 100 },
    );
    for (const { process: starter } of starters.filter(({ process: one }) => one.end())) {
      expect(starter.end()).toEqual({ code: 1, signal: null });
      expect(starter.standardError()).toMatch(/is being written by group-node-2/);
    }
    expect(await asAdministrator(cluster, database, (client) => describeSchema(client, schema))).toEqual(right);
    const winner = starters.find(({ process: starter }) => !starter.end())!.process;
    winner.signal('SIGINT');
    expect(await winner.ended).toMatchObject({ code: 0 });
    await cluster.process(name).start();
  }, 300_000);

  it('the data of the former version are taken over by all groups, and the network goes on', async () => {
    const { cluster, load } = scenario;
    const last = migrationsOf('group-node').at(-1)!;
    await cluster.stop();
    for (const name of groupNodeNames) await cluster.asOwner(name, (owner) => takeBack(owner, last));
    await cluster.start();
    const right = schemas.get('group-node');
    for (const group of groups) {
      const there = await asAdministrator(cluster, `shardnode_group_${group}`, (client) =>
        describeSchema(client, `group_${group}`),
      );
      expect(there).toEqual(right);
      expect(there.some((line) => line.startsWith(last.name))).toBe(true);
    }
    const before = load.acknowledged;
    load.begin();
    await untilWritesGoOn(scenario, patience(30_000));
    expect(load.acknowledged).toBeGreaterThan(before);
  }, 300_000);

  it('nothing is lost, and nothing is there twice', async () => {
    await scenario.finish({ agreeWithinMs: patience(15_000) });
  }, 300_000);
});
