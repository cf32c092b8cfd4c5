import { monitorEventLoopDelay } from 'node:perf_hooks';

const resolution = 10;

/** Watches the event loop of this process from now on; `p99` is its delay in milliseconds. */
export const watchEventLoop = (): { p99(): number } => {
  const histogram = monitorEventLoopDelay({ resolution });
  histogram.enable();
  return {
    p99: () => {
      histogram.disable();
      // The histogram holds the whole time between two ticks of its timer, in nanoseconds.
      return Math.max(0, histogram.percentile(99) / 1e6 - resolution);
    },
  };
};
