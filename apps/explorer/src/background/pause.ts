import { type JobContext } from './background-job.js';

/** Waits for some milliseconds; ends at once when the writer stops. */
export const pause = (
  milliseconds: number,
  { clock, stopping }: Pick<JobContext, 'clock' | 'stopping'>,
): Promise<void> =>
  new Promise((resolve) => {
    const timer = clock.after(milliseconds, () => end());
    const end = (): void => {
      timer.cancel();
      // The signal lasts as long as the writer: it must not gather the listeners of all pauses.
      stopping.removeEventListener('abort', end);
      resolve();
    };
    stopping.addEventListener('abort', end);
  });
