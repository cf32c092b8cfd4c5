import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { freePort, type ServerProcess, startPostgres } from '@shardnode/core/servers';
import { databaseRoles, explorerDatabase, explorerReader } from '@shardnode/messages/credentials';
import { describeWithServers } from '@shardnode/testing/servers';
import { runCredentials } from '../src/credentials/commands.js';

describeWithServers(['postgres'], 'a rotation that fails half-way', () => {
  const base = mkdtempSync(join(tmpdir(), 'shardnode-rotation-'));
  const folder = join(base, 'credentials');
  const roles = ['admin', ...databaseRoles(4)];
  const databaseOf = (role: string): string =>
    role === 'admin' ? 'postgres' : role === explorerReader ? explorerDatabase : role;
  let server: ServerProcess;
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8').trim();
  /** With the administrator's password in it, as it was at the beginning. */
  const run = (environment: Record<string, string>, ...words: readonly string[]): Promise<number> => {
    const spy = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
    return runCredentials({ words: [...words, '--folder', folder], environment }).finally(() => spy.mockRestore());
  };
  /** Roles that the passwords of the files let in. */
  const letIn = async (): Promise<readonly string[]> => {
    const inside: string[] = [];
    for (const role of roles) {
      const url = new URL(server.url);
      url.username = role === 'admin' ? 'postgres' : role;
      url.password = read(`database/${role}`);
      url.pathname = `/${databaseOf(role)}`;
      const client = new pg.Client({ connectionString: url.toString() });
      await client.connect().then(
        () => inside.push(role),
        () => undefined,
      );
      await client.end();
    }
    return inside;
  };

  beforeAll(async () => {
    await run({}, 'generate');
    server = await startPostgres({
      folder: join(base, 'postgres'),
      password: read('database/admin'),
      settings: { fsync: 'off' },
    });
    await run({ POSTGRES_URL: server.url }, 'databases');
  });
  afterAll(async () => {
    await server?.remove();
    rmSync(base, { recursive: true, force: true });
  });

  it('changes no password of the server that cannot be kept', async () => {
    mkdirSync(join(folder, 'database/admin.new'));
    await expect(run({ POSTGRES_URL: server.url }, 'rotate', 'database/admin')).rejects.toThrow('EISDIR');
    rmSync(join(folder, 'database/admin.new'), { recursive: true });
    expect(await letIn()).toEqual(roles);
  });

  it('leaves files that fit the servers, though the address has a password that is old by then', async () => {
    const before = ['database/admin', 'database/shardnode_wallet', 'nats/gateway'].map(read);
    const environment = { POSTGRES_URL: server.url, REDIS_URL: `redis://127.0.0.1:${await freePort()}` };
    await expect(run(environment, 'rotate')).rejects.toThrow('ECONNREFUSED');
    const after = ['database/admin', 'database/shardnode_wallet', 'nats/gateway'].map(read);
    expect(after.filter((value) => before.includes(value))).toEqual([]);
    expect(await letIn()).toEqual(roles);
    expect(read('nats/nats.conf')).toContain(`user: "gateway", password: "${read('nats/gateway')}"`);
  });
});
