import { Gauge, type Registry } from 'prom-client';
import { type Readiness, type ReadinessReport } from './readiness.js';

/** Milliseconds: a check that waits for a hanging database must not delay the metrics, which report it. */
const patience = 200;

/**
 * Metrics of readiness and of the duration of each check's failure; evaluated at each scrape. While a check is slow its
 * previous result applies.
 */
export const readinessMetrics = (registry: Registry, readiness: Readiness): void => {
  let last: ReadinessReport | undefined;
  let asking: Promise<unknown> | undefined;
  const ask = async (): Promise<ReadinessReport | undefined> => {
    asking ??= readiness.report().then((report) => {
      last = report;
      asking = undefined;
    });
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise((resolve) => (timer = setTimeout(resolve, patience)));
    await Promise.race([asking, late]);
    clearTimeout(timer);
    return last;
  };
  new Gauge({
    name: 'service_ready',
    help: '1 while /health/ready is 200, else 0',
    registers: [registry],
    async collect() {
      const report = await ask();
      if (report) this.set(report.ready ? 1 : 0);
    },
  });
  new Gauge({
    name: 'service_problem_seconds',
    help: 'Time for which a check of /health/ready has failed; 0 while it passes',
    labelNames: ['check'],
    registers: [registry],
    async collect() {
      const report = await ask();
      if (!report) return;
      for (const check of readiness.names) {
        this.set({ check }, report.problems.find((problem) => problem.check === check)?.seconds ?? 0);
      }
    },
  });
};
