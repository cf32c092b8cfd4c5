import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { connect, headers as makeHeaders, type NatsConnection } from '@nats-io/transport-node';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { openNatsNetwork, type BusConnection } from '@shardnode/core/bus';
import { ServiceError } from '@shardnode/core/errors';
import { createLogger, runForRequest, silentLogger } from '@shardnode/core/observability';
import { freePort, startNats, type ServerProcess } from '@shardnode/core/servers';
import { describeWithServers } from '@shardnode/testing/servers';
import { createWorld, ns, until, type ContractWorld } from '../bus/bus-contract.js';
import { ask, countingObserver, untilAnswered, untilHeard } from '../bus/bus-faults.js';
import { NatsProxy } from '../bus/nats-proxy.js';

const folder = (): string => mkdtempSync(join(tmpdir(), 'bus-nats-'));
const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));
const openClosers: (() => Promise<unknown>)[] = [];
const afterwards = (close: () => Promise<unknown>): void => void openClosers.unshift(close);

const worldOver = async (url: string, observer = countingObserver()): Promise<ContractWorld> => {
  const world = await createWorld(openNatsNetwork({ servers: [url], logger: silentLogger }), observer);
  afterwards(() => world.close());
  return world;
};
const rawClient = async (url: string): Promise<NatsConnection> => {
  const client = await connect({ servers: url });
  afterwards(() => client.close());
  return client;
};
const loggedMember = async (url: string, service = 'explorer') => {
  const lines: string[] = [];
  const destination = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  const network = openNatsNetwork({ servers: [url], logger: silentLogger, connectWithinMs: 2_000 });
  const observer = countingObserver();
  const member = await network.join({ sender: { service }, logger: createLogger({ destination }), observer });
  afterwards(() => network.close());
  return { member, lines, observer };
};
const failureOf = async (outcome: Promise<unknown>): Promise<ServiceError> => {
  const error: unknown = await outcome.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof ServiceError) return error;
  throw new Error(`not a ServiceError: ${String(error)}`);
};
const echo = `${ns}.rpc.group.0.read.thing.echo`;
const closeAll = async (): Promise<void> => {
  for (const close of openClosers.splice(0)) await close();
};

describeWithServers(['nats'], 'NATS server that fails', () => {
  afterEach(closeAll);
  const startServer = async (configuration?: string): Promise<ServerProcess> => {
    const server = await startNats({ folder: folder(), configuration });
    afterwards(() => server.remove());
    return server;
  };
  const proxyTo = async (server: ServerProcess): Promise<NatsProxy> => {
    const proxy = await NatsProxy.open(server.port);
    afterwards(() => proxy.close());
    return proxy;
  };

  it('killed and started again: nothing hangs, all subscriptions are back', async () => {
    const server = await startServer();
    const observer = countingObserver();
    const world = await worldOver(server.url, observer);
    const underWay = ask(world, 0, 6_000, 'read.thing.never');
    await pause(50);
    const killedAt = performance.now();
    await server.kill9();
    const { error } = await underWay;
    expect([error?.code, performance.now() - killedAt < 1_000]).toEqual(['BusUnavailable', true]);
    expect((await ask(world, 1, 10_000)).error?.code).toBe('BusUnavailable');
    await pause(3_000);
    await server.start();
    await untilAnswered(world);
    await untilHeard(world);
    expect(observer.reconnects).toBe(1);
    await server.stop();
    await until(() => !world.gateway.isConnected);
    await server.start();
    await untilAnswered(world);
    await untilHeard(world);
  });

  it('frozen for 5 s: requests end at their deadlines, then all works', async () => {
    const server = await startServer();
    const world = await worldOver(server.url);
    await server.freeze();
    const startedAt = performance.now();
    for (const deadlineMs of [300, 2_000]) {
      const { error, took } = await ask(world, 0, deadlineMs);
      expect([error?.kind, error?.code]).toEqual(['unavailable', 'DeadlineExceeded']);
      expect(took).toBeLessThan(deadlineMs + 300);
    }
    await pause(5_000 - (performance.now() - startedAt));
    expect((await ask(world, 0, 5_000)).error?.code).toBe('BusUnavailable');
    server.thaw();
    await untilAnswered(world);
    await untilHeard(world);
  });

  it('behind a wire that swallows all, with much to send: noticed within seconds', async () => {
    const server = await startServer();
    const proxy = await proxyTo(server);
    const { member, observer, lines } = await loggedMember(proxy.url);
    const world = await worldOver(proxy.url);
    proxy.blackHole(true);
    const startedAt = performance.now();
    const block = new Uint8Array(4_000_000);
    for (let times = 0; times < 20; times++) {
      member.bus.publish(`${ns}.peer.all.x`, { block });
      await pause(10);
    }
    expect(observer.dropped).toContain('congested');
    expect((await ask(world, 0, 500)).error?.kind).toBe('unavailable');
    await until(() => !member.isConnected && !world.gateway.isConnected);
    expect(performance.now() - startedAt).toBeLessThan(7_000);
    expect(lines.join()).toContain('the server of the bus is silent');
    proxy.blackHole(false);
    await until(() => member.isConnected);
    await untilAnswered(world);
    await untilHeard(world);
  });

  it('that is not there, or refuses the user, is an error of one sentence', async () => {
    const port = await freePort();
    const network = openNatsNetwork({
      servers: [`nats://me:hunter2@127.0.0.1:${port}`],
      logger: silentLogger,
      connectWithinMs: 600,
    });
    const join = network.join({ sender: { service: 'gateway' }, logger: silentLogger });
    await expect(join).rejects.toThrow(
      `no NATS server answers at nats://127.0.0.1:${port} within 0.6 s (connection refused): start one there, or set NATS_URL`,
    );
    const server = await startServer('authorization { user: gateway, password: right }');
    const wrong = openNatsNetwork({ servers: [server.url], user: 'gateway', password: 'wrong', logger: silentLogger });
    await expect(wrong.join({ sender: { service: 'gateway' }, logger: silentLogger })).rejects.toThrow(
      `the NATS server at ${server.url} refuses the user gateway: check NATS_USER and NATS_PASSWORD`,
    );
  });

  it('that starts later than its services is waited for', async () => {
    const port = await freePort();
    const joined = openNatsNetwork({ servers: [`nats://127.0.0.1:${port}`], logger: silentLogger }).join({
      sender: { service: 'gateway' },
      logger: silentLogger,
    });
    await pause(700);
    const server = await startNats({ folder: folder(), port });
    afterwards(() => server.remove());
    const member = await joined;
    expect(member.isConnected).toBe(true);
    await member.close();
  });

  it('that takes small messages only: a warning at the start, clear errors, dropped events', async () => {
    const server = await startServer('max_payload: 65536');
    const world = await worldOver(server.url);
    const { member, lines, observer } = await loggedMember(server.url, 'gateway');
    expect(lines.join()).toContain('set max_payload: 8MB');
    const large = { value: new Uint8Array(70_000) };
    member.bus.publish(`${ns}.peer.all.x`, large);
    member.bus.publish(`${ns}.peer.all.x`, large);
    expect(observer.dropped).toEqual(['too-large', 'too-large']);
    expect(lines.filter((line) => line.includes('event dropped'))).toHaveLength(1);
    expect(lines.join()).toMatch(/"bytes":70\d\d\d,"limit":65536/);
    const asked = await failureOf(member.bus.request(echo, large, { deadlineMs: 1_000 }));
    expect([asked.kind, asked.code]).toEqual(['broken', 'MessageTooLarge']);
    // Fits on the way there, not on the way back, where the answer says more.
    const answered = await failureOf(
      member.bus.request(echo, { value: new Uint8Array(65_400) }, { deadlineMs: 1_000 }),
    );
    expect([answered.kind, answered.code]).toEqual(['broken', 'MessageTooLarge']);
    expect(world.logLines.join()).toContain('answer is larger than the bus carries');
    expect((await ask(world, 1, 1_000)).value).toBe(1);
  });
});

describeWithServers(['nats'], 'messages over NATS', () => {
  let server: ServerProcess;
  beforeAll(async () => {
    server = await startNats({ folder: folder() });
  });
  afterAll(() => server.remove());
  afterEach(closeAll);

  const headersOf = (fields: Record<string, string>) => {
    const headers = makeHeaders();
    for (const [name, value] of Object.entries(fields)) headers.append(name, value);
    return headers;
  };
  const sender = { 'X-Sender': 'gateway' };

  it('an answer that is larger than a message is refused, and not waited for', async () => {
    const world = await worldOver(server.url);
    const { member } = await loggedMember(server.url, 'gateway');
    // Fits on the way there, not on the way back, where the answer says more.
    const value = new Uint8Array(8 * 2 ** 20 - 136);
    const refused = await failureOf(member.bus.request(echo, { value }, { deadlineMs: 10_000 }));
    expect([refused.kind, refused.code]).toEqual(['refused', 'AnswerTooLarge']);
    expect(refused.message).toMatch(/^the answer to read\.thing\.echo has 83886\d\d bytes, .* ask for less/);
    expect((await ask(world, 1, 1_000)).value).toBe(1);
  });

  it('that cannot be read are refused, counted and logged, and nothing else happens', async () => {
    const counted = countingObserver();
    const network = openNatsNetwork({ servers: [server.url], logger: silentLogger });
    const world = await createWorld(network, undefined, counted);
    afterwards(() => world.close());
    const raw = await rawClient(server.url);
    const random = (): Uint8Array => Uint8Array.from({ length: 300 }, () => Math.floor(Math.random() * 256));
    const bad: [Uint8Array | string, Record<string, string>][] = [
      ['{}', {}],
      ['{}', { 'X-Sender': 'two words' }],
      ['{"a":', sender],
      ['{}', { ...sender, 'X-Bytes': '5,5' }],
      ['{}', { ...sender, 'X-Bytes': '-1,3' }],
      ['{"$bytes":3}', { ...sender, 'X-Bytes': '12' }],
      ['{}', { ...sender, 'X-Deadline-Ms': 'soon' }],
    ];
    for (const [data, fields] of bad) {
      const reply = await raw.request(echo, data, { timeout: 1_000, headers: headersOf(fields) });
      expect([reply.headers?.get('X-Error'), reply.json()]).toMatchObject([
        'invalid-request',
        { code: 'InvalidMessage' },
      ]);
      raw.publish(`${ns}.peer.thing.2.0`, data, { headers: headersOf(fields) });
    }
    for (let times = 0; times < 200; times++) {
      raw.publish(`${ns}.peer.thing.2.0`, random(), { headers: headersOf({ ...sender, 'X-Bytes': '7,20,273' }) });
      raw.publish(echo, random());
    }
    // The library itself throws for such a name, and only when somebody looks.
    const odd = Buffer.from('NATS/1.0\r\nX Odd\u0001: 1\r\n\r\n');
    raw.publish(echo, '{}', { headers: { encode: () => odd } as never, reply: 'nowhere' });
    raw.publish(`${ns}.peer.all.x`, '{}', { headers: { encode: () => odd } as never });
    await raw.flush();
    await untilHeard(world);
    expect((await ask(world, 1, 1_000)).value).toBe(1);
    expect(counted.refused).toContain('peer.thing undecodable');
    expect(counted.refused).toContain('read.thing.echo undecodable');
    expect(counted.refused.length).toBeGreaterThanOrEqual(207);
    expect(
      world.logLines.filter((line) => line.includes('message refused') && line.includes('peer.thing')),
    ).toHaveLength(1);
  });

  it('answers: late ones, repeated ones and those of strangers are dropped; one that cannot be read is an error', async () => {
    const { member } = await loggedMember(server.url);
    const raw = await rawClient(server.url);
    let inbox = '';
    raw.subscribe('strange.*', {
      callback: (_error, message) => {
        inbox = message.reply!;
        const answer = (data: string): unknown => message.respond(data, { headers: headersOf(sender) });
        if (message.subject.endsWith('twice')) answer('1');
        if (message.subject.endsWith('late')) setTimeout(() => answer('"late"'), 80);
        else if (message.subject.endsWith('twice')) answer('2');
        else if (message.subject.endsWith('empty')) message.respond();
        else if (message.subject.endsWith('fault'))
          message.respond('{}', { headers: headersOf({ ...sender, 'X-Error': 'odd' }) });
        else answer('{"no');
      },
    });
    await raw.flush();
    const request = (name: string, deadlineMs = 1_000): Promise<unknown> =>
      member.bus.request(`strange.${name}`, {}, { deadlineMs });
    expect((await failureOf(request('late', 40))).code).toBe('DeadlineExceeded');
    await pause(80);
    expect(await request('twice')).toBe(1);
    for (const name of ['empty', 'fault', 'cut'])
      expect((await failureOf(request(name))).code).toBe('UndecodableReply');
    raw.publish(`${inbox.split('.').slice(0, -1).join('.')}.zzz`, '1', { headers: headersOf(sender) });
    expect(await request('twice')).toBe(1);
  });

  it('that want their answers on a subject of the network get none, and are refused', async () => {
    const counted = countingObserver();
    const network = openNatsNetwork({ servers: [server.url], logger: silentLogger });
    const world = await createWorld(network, undefined, counted);
    afterwards(() => world.close());
    const raw = await rawClient(server.url);
    const heard: string[] = [];
    raw.subscribe('>', { callback: (_error, { subject }) => void heard.push(subject) });
    const headers = headersOf(sender);
    for (const reply of [`${ns}.peer.thing.2.0`, `${ns}.rpc.group.1.read.thing.echo`, '_INBOX', 'other._INBOX.x']) {
      raw.publish(echo, '{"value":1}', { reply, headers });
    }
    expect((await raw.request(echo, '{"value":1}', { timeout: 1_000, headers })).json()).toMatchObject({ value: 1 });
    await raw.flush();
    expect(heard.filter((subject) => subject !== echo && !subject.startsWith('_INBOX.'))).toEqual([]);
    expect(heard.filter((subject) => subject === echo)).toHaveLength(5);
    expect(counted.refused).toEqual(Array<string>(4).fill('read.thing.echo sender'));
    expect(world.logLines.join()).toContain('its answer is to go to a subject that is no inbox');
  });

  it('that no frame can carry are faults of the sender alone', async () => {
    const world = await worldOver(server.url);
    const { member, observer } = await loggedMember(server.url, 'gateway');
    member.bus.publish(`${ns}.peer.all.x`, { amount: 1n });
    member.bus.publish('a subject that is none', {});
    expect(observer.dropped).toEqual(['unencodable', 'unencodable']);
    expect((await failureOf(member.bus.request(echo, { amount: 1n }, { deadlineMs: 1_000 }))).code).toBe(
      'UnencodableMessage',
    );
    expect((await failureOf(member.bus.request('no subject', {}, { deadlineMs: 1_000 }))).kind).toBe('unavailable');
    const reply = runForRequest({ requestId: 'two\r\nX-Sender: other', client: '10.1.2.3\r\nX-Sender: other' }, () =>
      member.bus.request(echo, { value: 1 }, { deadlineMs: 1_000 }),
    );
    expect(await reply).toMatchObject({ value: 1, sender: { service: 'gateway' } });
    expect((await ask(world, 1, 1_000)).value).toBe(1);
  });

  it('of a service that stops: what it has begun is answered', async () => {
    const world = await worldOver(server.url);
    const slow = failureOf(
      world.gateway.bus.request(`${ns}.rpc.group.0.read.thing.late-failure`, {}, { deadlineMs: 2_000 }),
    );
    await pause(20);
    await world.stopGroup(0);
    await world.nodes[0]!.close();
    expect((await slow).code).toBe('InternalServerError');
    expect((await ask(world, 1, 1_000)).error?.code).toBe('NoResponder');
  });

  it('after the close of a member: requests are unavailable, events are dropped', async () => {
    const network = openNatsNetwork({ servers: [server.url], logger: silentLogger });
    const member: BusConnection = await network.join({ sender: { service: 'gateway' }, logger: silentLogger });
    await network.close();
    expect(member.isConnected).toBe(false);
    member.bus.publish('x', {});
    const startedAt = performance.now();
    expect((await failureOf(member.bus.request('x', {}, { deadlineMs: 5_000 }))).kind).toBe('unavailable');
    expect(performance.now() - startedAt).toBeLessThan(500);
  });

  it('of several members of a queue group reach one each', async () => {
    const world = await worldOver(server.url);
    const second = await createWorld(openNatsNetwork({ servers: [server.url], logger: silentLogger }));
    afterwards(() => second.close());
    const answers = await Promise.all(Array.from({ length: 100 }, (_, value) => ask(world, value, 1_000)));
    expect(answers.map(({ value }) => value)).toEqual([...Array(100).keys()]);
  });
});
