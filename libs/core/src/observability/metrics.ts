import { monitorEventLoopDelay } from 'node:perf_hooks';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { softwareVersion } from './software-version.js';

/** One registry for each service instance, never prom-client's global one: four group-nodes live in one process. */
export interface Metrics {
  readonly registry: Registry;
  /** Ends background measurements. */
  close(): void;
}

export interface MetricsSettings {
  /** Default label `service` of every metric, e.g. `group-node-2`. */
  readonly service: string;
  /** Memory, processor and garbage collection of the process; enable it for one service of a process. Default false. */
  readonly processMetrics?: boolean;
}

const resolutionMs = 10;

/** Delay of the event loop since the last scrape, p99 and maximum (architecture, decision 5: p99 below 50 ms). */
const registerEventLoopDelay = (registry: Registry): (() => void) => {
  const histogram = monitorEventLoopDelay({ resolution: resolutionMs });
  histogram.enable();
  // The histogram holds the whole interval between two firings of its timer, in nanoseconds.
  const delaySeconds = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e6 - resolutionMs) / 1e3;
  const registers = [registry];
  const maximum = new Gauge({
    name: 'event_loop_delay_max_seconds',
    help: 'Event loop delay since the last scrape, maximum',
    registers: [],
  });
  new Gauge({
    name: 'event_loop_delay_p99_seconds',
    help: 'Event loop delay since the last scrape, 99th percentile',
    registers,
    collect() {
      this.set(histogram.count > 0 ? delaySeconds(histogram.percentile(99)) : 0);
      maximum.set(histogram.count > 0 ? delaySeconds(histogram.max) : 0);
      histogram.reset();
    },
  });
  // Registered second, so that it is collected after both were set.
  registry.registerMetric(maximum);
  return () => histogram.disable();
};

const registerInfo = (registry: Registry): void => {
  const registers = [registry];
  const info = new Gauge({
    name: 'service_info',
    help: '1, with the version of the program',
    labelNames: ['version'],
    registers,
  });
  info.set({ version: softwareVersion }, 1);
};

export const createMetrics = (settings: MetricsSettings): Metrics => {
  const registry = new Registry();
  registry.setDefaultLabels({ service: settings.service });
  registerInfo(registry);
  if (!settings.processMetrics) return { registry, close: () => registry.clear() };
  collectDefaultMetrics({ register: registry });
  const stopEventLoopDelay = registerEventLoopDelay(registry);
  return {
    registry,
    close: () => {
      stopEventLoopDelay();
      registry.clear();
    },
  };
};
