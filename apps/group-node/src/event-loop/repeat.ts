import { type Clock, type Timer } from '@shardnode/core/lifecycle';

/**
 * Repeats the action until it is cancelled, with a pause of so many milliseconds after each run. The action must not
 * reject.
 */
export const repeat = (clock: Clock, milliseconds: number, action: () => Promise<void>): Timer => {
  let timer: Timer;
  let cancelled = false;
  const later = (): void => {
    if (cancelled) return;
    timer = clock.after(milliseconds, () => void action().finally(later));
  };
  later();
  return {
    cancel: () => {
      cancelled = true;
      timer.cancel();
    },
  };
};
