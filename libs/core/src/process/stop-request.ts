import { onHangup } from '../lifecycle/index.js';

/** Thrown by work that a stop interrupts. */
export class StopAsked extends Error {
  /** `why`: the signal, or the end of the starter. */
  constructor(readonly why = 'a signal') {
    super('the process was asked to stop');
    this.name = 'StopAsked';
  }
}

const starterEnded = 'the program that started it has ended';

export interface StopRequest {
  /** Aborts when the process is asked to stop, with StopAsked as its reason. */
  readonly signal: AbortSignal;
  /** Resolves then. */
  readonly asked: Promise<void>;
}

/**
 * Listens to SIGINT, SIGTERM and SIGHUP, and to the end of a starter with a channel to this process. So a process ends
 * with its starter, even if the starter ended before this call. The same one of SIGINT and SIGTERM again ends the process
 * at once: Ctrl-C at a terminal sends SIGINT also to a process that its starter then stops with SIGTERM. A stop longer
 * than `withinMs` calls `onTooLong` and ends the process.
 */
export const listenForStop = (onTooLong: () => void, withinMs = 15_000): StopRequest => {
  const controller = new AbortController();
  const { signal } = controller;
  const asked = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
  const ask = (why: string): void => {
    if (signal.aborted) return;
    controller.abort(new StopAsked(why));
    setTimeout(() => {
      onTooLong();
      process.exit(1);
    }, withinMs).unref();
  };
  const received = new Set<string>();
  const onSignal = (name: string): void => {
    if (received.has(name)) process.exit(130);
    received.add(name);
    ask(name);
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  onHangup(() => ask('SIGHUP'));
  process.once('disconnect', () => ask(starterEnded));
  // The starter died before this call. Without a channel from the start this is undefined.
  if ((process.connected as boolean | undefined) === false) ask(starterEnded);
  return { signal, asked };
};
