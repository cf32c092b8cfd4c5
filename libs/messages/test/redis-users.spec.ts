import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Cache, forgetCache, openRedisCache, redisProblem } from '@shardnode/core/cache';
import { withRedis } from '@shardnode/core/credentials';
import { silentLogger } from '@shardnode/core/observability';
import { type ServerProcess, startRedis } from '@shardnode/core/servers';
import { renderRedisUsers } from '@shardnode/messages/credentials';
import { describeWithServers } from '@shardnode/testing/servers';
import { until } from '@shardnode/testing/waiting';

const bytes = new Uint8Array([1, 2, 3]);

describeWithServers(['redis'], 'users of Redis', () => {
  const folder = mkdtempSync(join(tmpdir(), 'shardnode-redis-users-'));
  const passwords = { gateway: 'password-of-gateway', admin: 'password-of-admin' };
  let server: ServerProcess;
  let password: string = passwords.gateway;
  let cache: Cache;
  const refusals: string[] = [];
  const answerTo = (user: string, secret: string, ...words: readonly string[]): Promise<unknown> =>
    withRedis({ url: server.url, user, password: () => secret }, (ask) => ask(...words)).catch(
      (error: Error) => /^[A-Z]+/.exec(error.message)?.[0] ?? error.message,
    );
  const asGateway = (...words: readonly string[]): Promise<unknown> => answerTo('gateway', password, ...words);

  beforeAll(async () => {
    const usersFile = join(folder, 'users.acl');
    writeFileSync(usersFile, renderRedisUsers('coin', passwords));
    server = await startRedis({ folder: join(folder, 'redis'), usersFile });
    cache = openRedisCache({
      url: server.url,
      user: 'gateway',
      password: () => password,
      prefix: 'coin',
      logger: silentLogger,
      commandTimeoutMs: 1_000,
    });
    cache.observe({
      read: () => undefined,
      failed: (reason) => void refusals.push(reason),
      reachable: () => undefined,
    });
    await until('the connection', async () => {
      await cache.set('first', bytes);
      return (await cache.get('first')) !== undefined;
    });
    refusals.length = 0;
  });
  afterAll(async () => {
    await cache.close();
    await server.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  it('whether one gets in is told by what each may do', async () => {
    const ask = (user: string, secret: string) => redisProblem({ url: server.url, user, password: () => secret });
    expect(await ask('gateway', passwords.gateway)).toBeUndefined();
    expect(await ask('admin', passwords.admin)).toBeUndefined();
    expect(await ask('gateway', 'another')).toEqual({ kind: 'refused', reason: 'WRONGPASS' });
    expect(await redisProblem({ url: server.url })).toEqual({ kind: 'refused', reason: 'NOAUTH' });
  });

  it('let the gateway do all that its cache does', async () => {
    await cache.set('key', bytes, 60_000);
    expect(await cache.get('key')).toEqual(bytes);
    expect([await cache.count('client', 60_000), await cache.count('client', 60_000, 4)]).toEqual([1, 5]);
    await cache.delete('key');
    expect(await cache.get('key')).toBeUndefined();
    expect(refusals).toEqual([]);
  });

  it('let it do nothing else', async () => {
    for (const words of [
      ['GET', 'othernet:value:key'],
      ['SET', 'coins', 'x'],
      ['EVAL', "return redis.call('GET', KEYS[1])", '1', 'othernet:value:key'],
      ['EVAL', "return redis.call('KEYS', '*')", '0'],
      ['KEYS', '*'],
      ['SCAN', '0'],
      ['FLUSHALL'],
      ['CONFIG', 'GET', '*'],
      ['ACL', 'LIST'],
      ['ACL', 'SETUSER', 'gateway', '+@all'],
      ['MONITOR'],
      ['PUBLISH', 'coin:x', 'y'],
      ['SUBSCRIBE', 'coin:x'],
      ['CLIENT', 'LIST'],
      ['DEBUG', 'SLEEP', '0'],
      ['SHUTDOWN', 'NOSAVE'],
      ['REPLICAOF', '127.0.0.1', '1'],
      ['EXPIRE', 'coin:value:first', '1'],
    ]) {
      const answer = await asGateway(...words);
      // Inside of a script it comes as the script's error.
      expect([words.join(' '), String(answer)]).toEqual([
        words.join(' '),
        expect.stringMatching(/NOPERM|ACL failure|ERR/),
      ]);
    }
  });

  it('let nobody in without a password', async () => {
    for (const words of ['GET coin:value:first', 'CONFIG GET *', 'FLUSHALL']) {
      const socket = connect(server.port, '127.0.0.1');
      socket.write(`${words}\r\n`);
      const [answer] = (await once(socket, 'data')) as [Buffer];
      socket.destroy();
      expect(answer.toString()).toMatch(/^-NOAUTH/);
    }
    expect(await answerTo('gateway', 'wrong', 'PING')).toBe('WRONGPASS');
    expect(await answerTo('default', '', 'PING')).toMatch(/WRONGPASS|NOAUTH/);
    await expect(forgetCache({ url: server.url }, 'coin')).rejects.toThrow();
  });

  it('take a second password, with which the cache comes back when its connection is cut', async () => {
    const admin = (...words: readonly string[]): Promise<unknown> => answerTo('admin', passwords.admin, ...words);
    await admin('ACL', 'SETUSER', 'gateway', '>the-next-one');
    expect(await asGateway('PING')).toBe('PONG');
    await admin('ACL', 'SETUSER', 'gateway', `<${passwords.gateway}`);
    // Who is in stays in.
    await cache.set('during', bytes);
    expect(await cache.get('during')).toEqual(bytes);
    password = 'the-next-one';
    await admin('CLIENT', 'KILL', 'USER', 'gateway');
    await until('the connection', async () => (await cache.get('during')) !== undefined);
    expect(await answerTo('gateway', passwords.gateway, 'PING')).toBe('WRONGPASS');
  });

  it('let the admin forget a network', async () => {
    await forgetCache({ url: server.url, user: 'admin', password: () => passwords.admin }, 'coin');
    expect(await answerTo('admin', passwords.admin, 'DBSIZE')).toBe(0);
  });
});
