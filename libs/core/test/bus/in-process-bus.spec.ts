import { describe, expect, it } from '@jest/globals';
import { NestFactory } from '@nestjs/core';
import { Controller } from '@nestjs/common';
import { createInProcessNetwork, requestHandler } from '@shardnode/core/bus';
import { type ChaosSettings, createChaos } from '@shardnode/testing/chaos';
import { createStoppedClock } from '@shardnode/testing/clocks';
import { silentLogger } from '@shardnode/core/observability';
import { createWorld, describeBusContract, ns } from './bus-contract.js';
import { describeBusFaults } from './bus-faults.js';

describeBusContract('in-process', async () => createInProcessNetwork());
describeBusFaults('in-process', async () => {
  const network = createInProcessNetwork();
  return {
    network,
    setChaos: (chaos) => network.setFaults(chaos && createChaos(chaos)),
    takeAway: async () => network.setReachable(false),
    giveBack: async () => network.setReachable(true),
    close: async () => undefined,
  };
});

/** Numbers as group 0 hears them when group 2 publishes 0 to 199. */
const heardUnder = async (chaos: ChaosSettings | undefined): Promise<number[]> => {
  const network = createInProcessNetwork({ faults: chaos && createChaos(chaos) });
  const world = await createWorld(network);
  for (let number = 0; number < 200; number++) world.nodes[2]!.bus.publish(`${ns}.peer.thing.2.0`, { number });
  await network.idle();
  const numbers = world.heard.map(({ number }) => number);
  await world.close();
  return numbers;
};
const ascending = [...Array(200).keys()];

describe('in-process bus', () => {
  it('loses, repeats and reorders events on request', async () => {
    const lost = await heardUnder({ seed: 1, lose: 0.2 });
    expect(lost.length).toBeGreaterThan(130);
    expect(lost.length).toBeLessThan(190);
    expect(lost).toEqual([...lost].sort((a, b) => a - b));

    const repeated = await heardUnder({ seed: 1, repeat: 0.2 });
    expect(repeated.length).toBeGreaterThan(210);
    expect([...new Set(repeated)]).toEqual(ascending);

    const reordered = await heardUnder({ seed: 1, reorder: 0.2 });
    expect(reordered).not.toEqual(ascending);
    expect([...reordered].sort((a, b) => a - b)).toEqual(ascending);
  });

  it('has the same fate for the same seed, and none without chaos', async () => {
    const chaos = { lose: 0.3, repeat: 0.3 };
    expect(await heardUnder({ seed: 5, ...chaos })).toEqual(await heardUnder({ seed: 5, ...chaos }));
    expect(await heardUnder({ seed: 5, ...chaos })).not.toEqual(await heardUnder({ seed: 6, ...chaos }));
    expect(await heardUnder(undefined)).toEqual(ascending);
  });

  it('loses requests on request: the question or the answer, which then misses its deadline', async () => {
    const clock = createStoppedClock();
    const network = createInProcessNetwork({ clock, faults: createChaos({ seed: 3, lose: 0.5 }) });
    const world = await createWorld(network);
    const asked = Array.from({ length: 40 }, (_, value) =>
      world.gateway.bus.request(`${ns}.rpc.group.0.read.thing.echo`, { value }, { deadlineMs: 5_000 }),
    );
    const outcomes = Promise.allSettled(asked);
    await new Promise((resolve) => setTimeout(resolve, 20));
    clock.advance(5_000);
    const failed = (await outcomes).filter(({ status }) => status === 'rejected');
    expect(failed.length).toBeGreaterThan(10);
    expect(failed.length).toBeLessThan(30);
    network.setFaults(undefined);
    await world.gateway.bus.request(`${ns}.rpc.group.0.read.thing.echo`, { value: 1 }, { deadlineMs: 5_000 });
    expect(clock.pendingTimers).toBe(0);
    await world.close();
  });

  it('answers unavailable at the deadline, not before', async () => {
    const clock = createStoppedClock();
    const world = await createWorld(createInProcessNetwork({ clock }));
    const outcomes: unknown[] = [];
    const asked = world.gateway.bus.request(`${ns}.rpc.group.0.read.thing.never`, {}, { deadlineMs: 5_000 });
    const ended = asked.catch((error: unknown) => void outcomes.push(error));
    clock.advance(4_999);
    await new Promise((resolve) => setImmediate(resolve));
    expect(outcomes).toEqual([]);
    clock.advance(1);
    await ended;
    expect(outcomes).toMatchObject([{ code: 'DeadlineExceeded' }]);
    await world.close();
  });

  it.each([
    [50, 50],
    [10_000, 1_000],
  ])('while the bus is away a request with a deadline of %i ms is unavailable after %i', async (deadlineMs, after) => {
    const clock = createStoppedClock();
    const network = createInProcessNetwork({ clock });
    const world = await createWorld(network);
    network.setReachable(false);
    const outcomes: unknown[] = [];
    const ended = world.gateway.bus
      .request(`${ns}.rpc.group.0.read.thing.echo`, { value: 1 }, { deadlineMs })
      .catch((error: unknown) => void outcomes.push(error));
    await new Promise((resolve) => setImmediate(resolve));
    clock.advance(after - 1);
    await new Promise((resolve) => setImmediate(resolve));
    expect(outcomes).toEqual([]);
    clock.advance(1);
    await ended;
    expect(outcomes).toMatchObject([{ code: 'BusUnavailable' }]);
    network.setReachable(true);
    await world.close();
  });

  it('a request of a bus that is back within a second is answered', async () => {
    const clock = createStoppedClock();
    const network = createInProcessNetwork({ clock });
    const world = await createWorld(network);
    network.setReachable(false);
    const request = { value: 'patience' };
    const asked = world.gateway.bus.request(`${ns}.rpc.group.0.read.thing.echo`, request, { deadlineMs: 5_000 });
    await new Promise((resolve) => setImmediate(resolve));
    clock.advance(999);
    network.setReachable(true);
    expect(await asked).toMatchObject({ value: 'patience' });
    await world.close();
  });

  it('passes payloads by reference', async () => {
    const world = await createWorld(createInProcessNetwork());
    const value = { block: new Uint8Array(3) };
    const reply = await world.gateway.bus.request(`${ns}.rpc.group.0.read.thing.echo`, { value }, { deadlineMs: 100 });
    expect((reply as { value: unknown }).value).toBe(value);
    await world.close();
  });

  it('refuses to start a handler whose pattern no table knows', async () => {
    @Controller()
    class Lost {
      @requestHandler<object, object>('read.lost.pattern')
      answer(): object {
        return {};
      }
    }
    const { server } = await createInProcessNetwork().join({
      sender: { service: 'group-node', member: 1 },
      routing: () => undefined,
      logger: silentLogger,
    });
    const application = await NestFactory.createMicroservice(
      { module: class {}, controllers: [Lost] },
      { strategy: server, logger: false, abortOnError: false },
    );
    await expect(application.listen()).rejects.toThrow('group-node-1 has no route for the request read.lost.pattern');
    await application.close();
  });
});
