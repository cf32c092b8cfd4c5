import { describe, expect, it } from '@jest/globals';
import { createStoppedClock } from '@shardnode/testing/clocks';
import { Circuit } from './circuit.js';

const create = () => {
  const clock = createStoppedClock();
  const changes: boolean[] = [];
  const circuit = new Circuit({ clock, failures: 3, pauseMs: 1_000, changed: (isOpen) => changes.push(isOpen) });
  const fail = (times: number): void => {
    for (let time = 0; time < times; time++) circuit.failedOnce(clock.monotonic());
  };
  return { clock, changes, circuit, fail };
};

describe('circuit', () => {
  it('opens only after consecutive failures', () => {
    const { changes, circuit, fail } = create();
    for (let round = 0; round < 5; round++) {
      fail(2);
      circuit.succeeded();
    }
    expect([circuit.mayPass(), changes]).toEqual([true, []]);
    fail(3);
    expect([circuit.mayPass(), changes]).toEqual([false, [true]]);
  });

  it('lets one probe pass after each pause, and all calls after a successful probe', () => {
    const { clock, changes, circuit, fail } = create();
    fail(3);
    for (let round = 0; round < 3; round++) {
      clock.advance(999);
      expect(circuit.mayPass()).toBe(false);
      clock.advance(1);
      expect([circuit.mayPass(), circuit.mayPass()]).toEqual([true, false]);
      circuit.failedOnce(clock.monotonic());
    }
    clock.advance(1_000);
    expect(circuit.mayPass()).toBe(true);
    circuit.succeeded();
    expect([circuit.mayPass(), circuit.mayPass(), changes]).toEqual([true, true, [true, false]]);
    fail(2);
    expect(circuit.mayPass()).toBe(true);
  });

  it('counts calls that were in flight together as one failure', () => {
    const { clock, changes, circuit } = create();
    for (let time = 0; time < 3; time++) {
      const startedAt = clock.monotonic();
      clock.advance(100);
      for (let call = 0; call < 50; call++) circuit.failedOnce(startedAt);
      expect(changes).toEqual(time < 2 ? [] : [true]);
    }
  });

  it('does not stay open for a probe that never ends', () => {
    const { clock, circuit, fail } = create();
    fail(3);
    clock.advance(1_000);
    expect(circuit.mayPass()).toBe(true);
    clock.advance(1_000);
    expect(circuit.mayPass()).toBe(true);
  });
});
