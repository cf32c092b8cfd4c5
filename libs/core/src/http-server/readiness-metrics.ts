import { Gauge, type Registry } from 'prom-client';
import { type Readiness, type ReadinessReport } from './readiness.js';

/** Whether the service is ready, and for how long each check has failed; asked when somebody reads the metrics. */
export const readinessMetrics = (registry: Registry, readiness: Readiness): void => {
  let report: Promise<ReadinessReport> | undefined;
  // Both are read at the same time, from one answer.
  const ask = (): Promise<ReadinessReport> => (report ??= readiness.report().finally(() => (report = undefined)));
  new Gauge({
    name: 'service_ready',
    help: '1 while /health/ready says yes, else 0',
    registers: [registry],
    async collect() {
      this.set((await ask()).ready ? 1 : 0);
    },
  });
  new Gauge({
    name: 'service_problem_seconds',
    help: 'How long a check of /health/ready has failed; 0 while it passes',
    labelNames: ['check'],
    registers: [registry],
    async collect() {
      const { problems } = await ask();
      for (const check of readiness.names) {
        this.set({ check }, problems.find((problem) => problem.check === check)?.seconds ?? 0);
      }
    },
  });
};
