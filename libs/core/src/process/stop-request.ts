import { onHangup } from '../lifecycle/index.js';

/** Thrown by what a stop interrupts. */
export class StopAsked extends Error {
  constructor() {
    super('the process was asked to stop');
    this.name = 'StopAsked';
  }
}

export interface StopRequest {
  /** Aborts when the process is asked to stop, with StopAsked as its reason. */
  readonly signal: AbortSignal;
  /** Resolves then. */
  readonly asked: Promise<void>;
}

/**
 * Listens to SIGINT, SIGTERM and SIGHUP, and to the end of a starter that holds a channel to this process: who was started by
 * a program ends with it, also when it ended before this was called. A second SIGINT or SIGTERM ends the process at once, and
 * so does a stop that takes longer than `withinMs`, which `onTooLong` is told.
 */
export const listenForStop = (onTooLong: () => void, withinMs = 15_000): StopRequest => {
  const controller = new AbortController();
  const { signal } = controller;
  const asked = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
  const ask = (): void => {
    if (signal.aborted) return;
    controller.abort(new StopAsked());
    setTimeout(() => {
      onTooLong();
      process.exit(1);
    }, withinMs).unref();
  };
  const onSignal = (): void => {
    if (signal.aborted) process.exit(130);
    ask();
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  onHangup(ask);
  process.once('disconnect', ask);
  // The starter has died before we could listen: without a channel from the beginning this is undefined.
  if ((process.connected as boolean | undefined) === false) ask();
  return { signal, asked };
};
