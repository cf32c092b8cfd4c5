import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type BusNetwork, type BusObserver } from '@shardnode/core/bus';
import { type ChaosSettings } from '@shardnode/testing/chaos';
import { ServiceError } from '@shardnode/core/errors';
import { createWorld, ns, until, type ContractWorld } from './bus-contract.js';

/** A network whose messages can be harmed and which can be taken away. */
export interface FaultyNetwork {
  readonly network: BusNetwork;
  setChaos(chaos: ChaosSettings | undefined): void;
  takeAway(): Promise<void>;
  giveBack(): Promise<void>;
  close(): Promise<void>;
}

export interface Counted extends BusObserver {
  readonly dropped: string[];
  readonly refused: string[];
  readonly states: boolean[];
  reconnects: number;
}

export const countingObserver = (): Counted => {
  const counted: Counted = {
    dropped: [],
    refused: [],
    states: [],
    reconnects: 0,
    requestEnded: () => undefined,
    publishDropped: (reason) => counted.dropped.push(reason),
    messageRefused: (pattern, reason) => counted.refused.push(`${pattern} ${reason}`),
    connectionChanged: (isConnected) => counted.states.push(isConnected),
    reconnected: () => void counted.reconnects++,
  };
  return counted;
};

export interface Outcome {
  readonly value?: unknown;
  readonly error?: ServiceError;
  /** Milliseconds that it took. */
  readonly took: number;
}

/** Asks group 0 to echo and tells how it went; anything thrown that is no ServiceError fails the test. */
export const ask = async (
  world: ContractWorld,
  value: unknown,
  deadlineMs: number,
  pattern = 'read.thing.echo',
): Promise<Outcome> => {
  const startedAt = performance.now();
  const took = (): number => performance.now() - startedAt;
  try {
    const subject = `${ns}.rpc.group.0.${pattern}`;
    const reply = await world.gateway.bus.request(
      subject,
      { value },
      { deadlineMs, responder: { name: 'group-node 0', data: { group: 0 } } },
    );
    return { value: (reply as { value?: unknown }).value, took: took() };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { error, took: took() };
  }
};

/** Asks until it gets an answer: the members may need some hundred milliseconds to find the bus again, each for itself. */
export const untilAnswered = async (world: ContractWorld, withinMs = 10_000): Promise<void> => {
  const startedAt = performance.now();
  for (;;) {
    const { error } = await ask(world, 'again', 500);
    if (!error) return;
    if (performance.now() - startedAt > withinMs) throw error;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};

/** Events arrive again at both listening groups. */
export const untilHeard = async (world: ContractWorld): Promise<void> => {
  const mark = 1_000_000 + world.heard.length;
  const isHeard = (group: number): boolean =>
    world.heard.some((heard) => heard.group === group && heard.number === mark);
  await until(() => {
    for (const group of [0, 1]) world.nodes[2]!.bus.publish(`${ns}.peer.thing.2.${group}`, { number: mark });
    return isHeard(0) && isHeard(1);
  });
};

const count = 200;
const ascending = [...Array(count).keys()];

/** What every adapter does when messages or the bus itself get lost. */
export const describeBusFaults = (adapter: string, open: () => Promise<FaultyNetwork>): void => {
  describe(`bus faults: ${adapter}`, () => {
    let faulty: FaultyNetwork;
    let world: ContractWorld;
    let observer: Counted;
    beforeEach(async () => {
      faulty = await open();
      observer = countingObserver();
      world = await createWorld(faulty.network, observer);
    });
    afterEach(async () => {
      await faulty.giveBack();
      await world.close();
      await faulty.close();
    });

    const publishAll = async (chaos: ChaosSettings): Promise<void> => {
      faulty.setChaos(chaos);
      for (const number of ascending) world.nodes[2]!.bus.publish(`${ns}.peer.thing.2.0`, { number });
      await new Promise((resolve) => setTimeout(resolve, 200));
      faulty.setChaos(undefined);
      await untilHeard(world);
    };
    const numbersHeard = (): number[] => world.heard.map(({ number }) => number).filter((number) => number < count);

    it('of lost events the others arrive, in order', async () => {
      await publishAll({ seed: 1, lose: 0.2 });
      const heard = numbersHeard();
      expect(heard.length).toBeGreaterThan(count * 0.6);
      expect(heard.length).toBeLessThan(count);
      expect(heard).toEqual([...heard].sort((a, b) => a - b));
    });

    it('repeated and reordered events arrive all the same', async () => {
      await publishAll({ seed: 2, repeat: 0.3, reorder: 0.3 });
      expect([...new Set(numbersHeard())].sort((a, b) => a - b)).toEqual(ascending);
      expect(numbersHeard()).not.toEqual(ascending);
    });

    it('lost questions and answers are unavailable at the deadline, and no answer goes to another question', async () => {
      // Long enough for 300 answers on a machine that does other things too.
      const deadline = 2_000;
      faulty.setChaos({ seed: 3, lose: 0.15, reorder: 0.3, repeat: 0.2 });
      const outcomes = await Promise.all(Array.from({ length: 300 }, (_, value) => ask(world, value, deadline)));
      const failed = outcomes.filter(({ error }) => error);
      expect(failed.length).toBeGreaterThan(10);
      expect(failed.length).toBeLessThan(250);
      for (const { error } of failed)
        expect([error?.kind, error?.code, error?.data]).toEqual(['unavailable', 'DeadlineExceeded', { group: 0 }]);
      for (const [index, { error, value }] of outcomes.entries()) if (!error) expect(value).toBe(index);
      faulty.setChaos(undefined);
      await untilAnswered(world);
    });

    it('while the bus is away requests are unavailable, publishing throws nothing, and all works afterwards', async () => {
      const underWay = ask(world, 0, 3_000, 'read.thing.never');
      await faulty.takeAway();
      await until(() => !world.gateway.isConnected);
      for (const deadlineMs of [50, 10_000]) {
        const { error } = await ask(world, 1, deadlineMs);
        expect([error?.kind, error?.data]).toEqual(['unavailable', { group: 0 }]);
        expect(error?.code).toBe('BusUnavailable');
      }
      for (let number = 0; number < 100; number++) world.gateway.bus.publish(`${ns}.peer.all.x`, { number });
      expect(observer.dropped).toEqual(Array(100).fill('disconnected'));
      expect((await underWay).error?.kind).toBe('unavailable');
      await faulty.giveBack();
      await until(() => world.gateway.isConnected);
      await untilAnswered(world);
      await untilHeard(world);
      expect(observer.states).toEqual([true, false, true]);
    });
  });
};
