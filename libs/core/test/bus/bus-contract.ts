import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Controller, Inject, type INestMicroservice } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { EventPattern, MessagePattern } from '@nestjs/microservices';
import { Writable } from 'node:stream';
import { firstValueFrom, of } from 'rxjs';
import {
  BusErrorFilter,
  eventHandler,
  requestHandler,
  type BusConnection,
  type BusContext,
  type BusNetwork,
  type BusObserver,
  type BusRoute,
  type BusRouting,
  type Sender,
} from '@shardnode/core/bus';
import { errorKinds, ServiceError, type ErrorKind } from '@shardnode/core/errors';
import {
  createLogger,
  currentContext,
  currentRequestId,
  nestLogger,
  runForRequest,
  silentLogger,
} from '@shardnode/core/observability';

interface Place {
  readonly group: number;
}
const placeToken = Symbol('place');
interface Heard {
  readonly group: number;
  readonly number: number;
  readonly subject: string;
  readonly requestId: string | undefined;
}
const heardToken = Symbol('heard');

@Controller()
class ThingHandlers {
  constructor(
    @Inject(placeToken) private readonly place: Place,
    @Inject(heardToken) private readonly heard: Heard[],
  ) {}

  @requestHandler<{ readonly value: unknown }, unknown>('read.thing.echo')
  echo(payload: { readonly value: unknown }, context: BusContext): unknown {
    return { group: this.place.group, value: payload.value, sender: context.sender, subject: context.subject };
  }
  @requestHandler<{ readonly kind: ErrorKind }, never>('read.thing.fail')
  async fail(payload: { readonly kind: ErrorKind }): Promise<never> {
    throw new ServiceError(payload.kind, 'SomeCode', 'what went wrong', { group: 3, field: 'x', isLate: true });
  }
  @requestHandler<object, never>('read.thing.fault')
  fault(): never {
    throw new TypeError('inner secret text');
  }
  @requestHandler<object, object>('read.thing.never')
  never(): Promise<object> {
    return new Promise(() => undefined);
  }
  @requestHandler<object, object>('read.thing.late-failure')
  async lateFailure(): Promise<object> {
    await new Promise((resolve) => setTimeout(resolve, 60));
    throw new Error('too late for anybody');
  }
  @requestHandler<object, object>('read.thing.request-id')
  async requestId(_payload: object, context: BusContext): Promise<object> {
    await new Promise((resolve) => setTimeout(resolve, 1));
    return { inContext: context.requestId, inStorage: currentRequestId(), client: currentContext()?.client };
  }
  @requestHandler<object, object>('command.thing.privileged')
  privileged(): object {
    return { done: true };
  }
  @MessagePattern('read.thing.plain')
  plain(payload: unknown): unknown {
    return of({ observed: payload });
  }
  @eventHandler<{ readonly number: number }>('peer.thing')
  async thing(event: { readonly number: number }, context: BusContext): Promise<void> {
    if (event.number < 0) throw new Error('a handler that fails');
    this.heard.push({
      group: this.place.group,
      number: event.number,
      subject: context.subject,
      requestId: currentRequestId(),
    });
  }
  @EventPattern('peer.all')
  all(event: { readonly number: number }, context: unknown): void {
    void context;
    this.heard.push({ group: this.place.group, number: event.number, subject: 'peer.all', requestId: undefined });
  }
}

export const ns = 'testnet';

/** Group g hears `peer.thing.<from>.<g>` of the others; requests to itself; everybody hears `peer.all.>`. */
const routingOf =
  (group: number): BusRouting =>
  (pattern, kind): BusRoute => {
    if (pattern === 'peer.all') return { subjects: [`${ns}.peer.all.>`], maySend: () => true };
    if (kind === 'event') {
      const maySend = (sender: Sender, subject: string): boolean =>
        sender.service === 'group-node' && subject.split('.')[3] === String(sender.member);
      return { subjects: [`${ns}.${pattern}.*.${group}`], maySend };
    }
    const maySend = (sender: Sender): boolean => !pattern.startsWith('command.') || sender.service === 'gateway';
    return { subjects: [`${ns}.rpc.group.${group}.${pattern}`], queue: `group-${group}`, maySend };
  };

const settle = (milliseconds = 40): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Waits for a condition, never for a while. */
export const until = async (condition: () => boolean): Promise<void> => {
  for (let tries = 0; !condition(); tries++) {
    if (tries > 5_000) throw new Error('the condition did not come true');
    await settle(10);
  }
};

export interface ContractWorld {
  readonly network: BusNetwork;
  readonly heard: Heard[];
  readonly logLines: string[];
  readonly gateway: BusConnection;
  readonly explorer: BusConnection;
  readonly nodes: readonly BusConnection[];
  stopGroup(group: number): Promise<void>;
  close(): Promise<void>;
}

const startGroup = async (connection: BusConnection, group: number, heard: Heard[]): Promise<INestMicroservice> => {
  const application = await NestFactory.createMicroservice(
    {
      module: class {},
      controllers: [ThingHandlers],
      providers: [
        { provide: placeToken, useValue: { group } },
        { provide: heardToken, useValue: heard },
      ],
    },
    { strategy: connection.server, logger: nestLogger(silentLogger), abortOnError: false },
  );
  application.useGlobalFilters(new BusErrorFilter());
  await application.listen();
  return application;
};

/** Groups 0 and 1 with handlers, group 2 that only joined, a gateway and an explorer that only ask. `observer`: of the gateway. */
export const createWorld = async (
  network: BusNetwork,
  observer?: BusObserver,
  nodeObserver?: BusObserver,
): Promise<ContractWorld> => {
  const heard: Heard[] = [];
  const logLines: string[] = [];
  const sink = new Writable({
    write(chunk, _encoding, done) {
      logLines.push(String(chunk));
      done();
    },
  });
  const logger = createLogger({ destination: sink });
  const nodes = await Promise.all(
    [0, 1, 2].map((group) =>
      network.join({
        sender: { service: 'group-node', member: group },
        routing: routingOf(group),
        logger,
        observer: nodeObserver,
      }),
    ),
  );
  const applications = await Promise.all([0, 1].map((group) => startGroup(nodes[group]!, group, heard)));
  return {
    network,
    heard,
    logLines,
    nodes,
    gateway: await network.join({ sender: { service: 'gateway' }, logger, observer }),
    explorer: await network.join({ sender: { service: 'explorer' }, logger }),
    stopGroup: (group) => applications[group]!.close(),
    close: async () => {
      await Promise.all(applications.map((application) => application.close()));
      await network.close();
    },
  };
};

const request = (
  connection: BusConnection,
  group: number,
  pattern: string,
  payload: unknown = {},
  deadlineMs = 1_000,
) =>
  connection.bus.request(`${ns}.rpc.group.${group}.${pattern}`, payload, {
    deadlineMs,
    responder: { name: `group-node ${group}`, data: { group } },
  });

const failureOf = async (outcome: Promise<unknown>): Promise<ServiceError> => {
  const error: unknown = await outcome.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ServiceError)) throw new Error(`not a ServiceError: ${String(error)}`);
  return error;
};

/** What every adapter of the bus does. Run over each: `describeBusContract('in-process', async () => network)`. */
export const describeBusContract = (adapter: string, createNetwork: () => Promise<BusNetwork>): void => {
  describe(`bus contract: ${adapter}`, () => {
    let world: ContractWorld;
    beforeEach(async () => {
      world = await createWorld(await createNetwork());
    });
    afterEach(() => world.close());
    describeRequests(() => world);
    describeErrors(() => world);
    describeEvents(() => world);
  });
};

const describeRequests = (world: () => ContractWorld): void => {
  it('answers from the group that the subject names, and tells it who asks', async () => {
    for (const group of [0, 1]) {
      expect(await request(world().gateway, group, 'read.thing.echo', { value: 'x' })).toEqual({
        group,
        value: 'x',
        sender: { service: 'gateway' },
        subject: `${ns}.rpc.group.${group}.read.thing.echo`,
      });
    }
    expect(await request(world().nodes[2]!, 0, 'read.thing.echo', { value: 1 })).toMatchObject({
      sender: { service: 'group-node', member: 2 },
    });
  });

  it('carries bytes inside payloads and replies', async () => {
    const value = { block: new Uint8Array([0, 1, 255]), items: [new Uint8Array(0)], text: 'é', nothing: null };
    const reply = (await request(world().gateway, 0, 'read.thing.echo', { value })) as { value: unknown };
    expect(reply.value).toEqual(value);
  });

  it('takes what an observable gives', async () => {
    expect(await request(world().gateway, 0, 'read.thing.plain', { a: 1 })).toEqual({ observed: { a: 1 } });
  });

  it('serves the client of the framework too', async () => {
    const reply = world().gateway.client.send(`${ns}.rpc.group.1.read.thing.echo`, { value: 5 });
    expect(await firstValueFrom(reply)).toMatchObject({ group: 1, value: 5 });
    const failing = world().gateway.client.send(`${ns}.rpc.group.1.read.thing.fail`, { kind: 'conflict' });
    expect((await failureOf(firstValueFrom(failing))).kind).toBe('conflict');
  });

  it('takes the request id along', async () => {
    const reply = runForRequest({ requestId: 'abc-1' }, () => request(world().gateway, 0, 'read.thing.request-id'));
    expect(await reply).toEqual({ inContext: 'abc-1', inStorage: 'abc-1' });
  });

  it('takes the name of the client along', async () => {
    const ask = () => request(world().gateway, 0, 'read.thing.request-id');
    expect(await runForRequest({ requestId: 'abc-4', client: '10.1.2.3' }, ask)).toMatchObject({ client: '10.1.2.3' });
    const client = '2001:db8:0:0::/64';
    expect(await runForRequest({ requestId: 'abc-5', client }, ask)).toMatchObject({ client });
  });

  it('answers many requests at once, each with its own reply', async () => {
    const replies = await Promise.all(
      Array.from({ length: 200 }, (_, value) => request(world().gateway, value % 2, 'read.thing.echo', { value })),
    );
    expect(replies.map((reply) => (reply as { value: number }).value)).toEqual(replies.map((_, index) => index));
  });
};

const describeErrors = (world: () => ContractWorld): void => {
  it.each(errorKinds)('keeps kind, code, detail and data of an error of kind %s', async (kind) => {
    const {
      kind: kept,
      code,
      detail,
      data,
    } = await failureOf(request(world().gateway, 0, 'read.thing.fail', { kind }));
    expect({ kept, code, detail, data }).toEqual({
      kept: kind,
      code: 'SomeCode',
      detail: 'what went wrong',
      data: { group: 3, field: 'x', isLate: true },
    });
  });

  it('makes any other fault `broken`, tells nothing of it and logs it with the request id', async () => {
    const error = await failureOf(
      runForRequest({ requestId: 'abc-2' }, () =>
        request(world().gateway, 0, 'read.thing.fault', { password: 'hunter2' }),
      ),
    );
    expect([error.kind, error.detail, error.data]).toEqual(['broken', 'Internal server error', { requestId: 'abc-2' }]);
    const line = world().logLines.find((text) => text.includes('inner secret text'));
    expect(line).toContain('abc-2');
    expect(world().logLines.join()).not.toContain('hunter2');
  });

  it.each([
    [2, 'read.thing.echo'],
    [0, 'read.thing.unknown'],
  ])('answers unavailable at once when nobody listens (group %i, %s)', async (group, pattern) => {
    const error = await failureOf(request(world().gateway, group, pattern, {}, 30_000));
    expect([error.kind, error.code, error.data]).toEqual(['unavailable', 'NoResponder', { group }]);
  });

  it('answers unavailable at the deadline', async () => {
    const error = await failureOf(request(world().gateway, 0, 'read.thing.never', {}, 50));
    expect([error.kind, error.code, error.data]).toEqual(['unavailable', 'DeadlineExceeded', { group: 0 }]);
    expect(error.detail).toBe('group-node 0 did not answer within 50 ms');
  });

  it('drops a failure that comes after the deadline', async () => {
    expect((await failureOf(request(world().gateway, 0, 'read.thing.late-failure', {}, 10))).code).toBe(
      'DeadlineExceeded',
    );
    await until(() => world().logLines.some((line) => line.includes('too late for anybody')));
  });

  it('refuses a sender that the table does not permit, at the receiving end', async () => {
    expect(await request(world().gateway, 0, 'command.thing.privileged')).toEqual({ done: true });
    const error = await failureOf(request(world().explorer, 0, 'command.thing.privileged'));
    expect([error.kind, error.code]).toEqual(['broken', 'SenderNotPermitted']);
  });

  it('is unavailable after the group stopped', async () => {
    await world().stopGroup(1);
    expect((await failureOf(request(world().gateway, 1, 'read.thing.echo'))).kind).toBe('unavailable');
    expect(await request(world().gateway, 0, 'read.thing.echo')).toMatchObject({ group: 0 });
  });
};

const describeEvents = (world: () => ContractWorld): void => {
  const publish = (from: number, to: number, number: number): void =>
    world().nodes[from]!.bus.publish(`${ns}.peer.thing.${from}.${to}`, { number });

  it('reach those who listen, in order, with the subject', async () => {
    for (let number = 0; number < 100; number++) publish(2, 0, number);
    publish(2, 1, 500);
    await until(() => world().heard.length === 101);
    expect(
      world()
        .heard.filter(({ group }) => group === 0)
        .map(({ number }) => number),
    ).toEqual([...Array(100).keys()]);
    expect(world().heard.find(({ group }) => group === 1)).toMatchObject({
      number: 500,
      subject: `${ns}.peer.thing.2.1`,
    });
  });

  it('reach every listener of a wildcard', async () => {
    world().gateway.bus.publish(`${ns}.peer.all.of.them`, { number: 1 });
    await until(() => world().heard.length === 2);
    expect(
      world()
        .heard.map(({ group }) => group)
        .sort(),
    ).toEqual([0, 1]);
  });

  it('take the request id along', async () => {
    runForRequest({ requestId: 'abc-3' }, () => publish(0, 1, 1));
    await until(() => world().heard.length === 1);
    expect(world().heard[0]?.requestId).toBe('abc-3');
  });

  it('of a sender that may not send them are dropped', async () => {
    world().nodes[2]!.bus.publish(`${ns}.peer.thing.1.0`, { number: 1 });
    world().gateway.bus.publish(`${ns}.peer.thing.2.0`, { number: 2 });
    publish(2, 0, 3);
    await until(() => world().heard.length === 1);
    expect(world().heard.map(({ number }) => number)).toEqual([3]);
    expect(world().logLines.filter((line) => line.includes('may not send'))).toHaveLength(2);
  });

  it('never fail the publisher: nobody listens, or the handler throws', async () => {
    world().gateway.bus.publish(`${ns}.peer.nowhere`, {});
    publish(2, 0, -1);
    publish(2, 0, 4);
    await until(() => world().heard.length === 1);
    expect(world().logLines.some((line) => line.includes('a handler that fails'))).toBe(true);
  });
};
