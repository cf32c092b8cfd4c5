import { afterEach, describe, expect, it } from '@jest/globals';
import { listenForStop, StopAsked } from './stop-request.js';

/** Milliseconds: a stop that takes too long ends the process, which here is the process of all tests. */
const longAfterTheTests = 2 ** 31 - 1;
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect'] as const;

describe('a process that is asked to stop', () => {
  const connected = Object.getOwnPropertyDescriptor(process, 'connected');
  const listenersBefore = signals.map((name) => process.listeners(name as 'SIGINT'));
  const streams = [process.stdout, process.stderr];
  const errorListenersBefore = streams.map((stream) => stream.listeners('error'));
  const startedWith = (value: boolean | undefined): void =>
    void Object.defineProperty(process, 'connected', { value, configurable: true, writable: true });
  afterEach(() => {
    if (connected) Object.defineProperty(process, 'connected', connected);
    else Reflect.deleteProperty(process, 'connected');
    streams.forEach((stream, i) => {
      for (const listener of stream.listeners('error')) {
        if (!errorListenersBefore[i]!.includes(listener)) stream.off('error', listener as () => void);
      }
    });
    signals.forEach((name, i) => {
      for (const listener of process.listeners(name as 'SIGINT')) {
        if (!listenersBefore[i]!.includes(listener)) process.off(name, listener);
      }
    });
  });

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('by %s: a graceful shutdown', (name) => {
    startedWith(undefined);
    const { signal } = listenForStop(() => undefined, longAfterTheTests);
    process.emit(name);
    expect(signal.reason).toBeInstanceOf(StopAsked);
  });

  it('by the end of its terminal, repeatedly: failed writes do not end it', () => {
    startedWith(undefined);
    const { signal } = listenForStop(() => undefined, longAfterTheTests);
    process.emit('SIGHUP');
    process.emit('SIGHUP');
    expect(signal.aborted).toBe(true);
    for (const stream of streams) expect(() => stream.emit('error', new Error('write EIO'))).not.toThrow();
  });

  it.each([
    ['by a starter that died before anybody listened: it stops', false, true],
    ['and by nobody, with a starter that lives: it goes on', true, false],
    ['and by nobody, without a channel to a starter: it goes on', undefined, false],
  ])('%s', async (_, value, stops) => {
    startedWith(value);
    const { signal, asked } = listenForStop(() => undefined, longAfterTheTests);
    expect(signal.aborted).toBe(stops);
    if (!stops) return;
    expect(signal.reason).toBeInstanceOf(StopAsked);
    await asked;
  });
});
