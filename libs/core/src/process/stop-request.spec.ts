import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { listenForStop, StopAsked } from './stop-request.js';

const signals = ['SIGINT', 'SIGTERM', 'disconnect'] as const;

describe('a process with a starter', () => {
  const connected = Object.getOwnPropertyDescriptor(process, 'connected');
  const listenersBefore = signals.map((name) => process.listeners(name as 'SIGINT'));
  const startedWith = (value: boolean | undefined): void =>
    void Object.defineProperty(process, 'connected', { value, configurable: true, writable: true });
  afterEach(() => {
    jest.useRealTimers();
    if (connected) Object.defineProperty(process, 'connected', connected);
    else Reflect.deleteProperty(process, 'connected');
    signals.forEach((name, i) => {
      for (const listener of process.listeners(name as 'SIGINT')) {
        if (!listenersBefore[i]!.includes(listener)) process.off(name, listener);
      }
    });
  });

  it.each([
    ['that died before anybody listened: it stops', false, true],
    ['that lives: it goes on', true, false],
    ['that holds no channel to it: it goes on', undefined, false],
  ])('%s', async (_, value, stops) => {
    jest.useFakeTimers();
    startedWith(value);
    const { signal, asked } = listenForStop(() => undefined);
    expect(signal.aborted).toBe(stops);
    if (!stops) return;
    expect(signal.reason).toBeInstanceOf(StopAsked);
    await asked;
  });
});
