import { Gauge, type Registry } from 'prom-client';
import { type IndexCheck } from './last-index-check.js';

/** @param last the last check of the index, called when the metrics are read; undefined: none, or it cannot be read */
export const indexCheckMetrics = (registry: Registry, last: () => Promise<IndexCheck | undefined>): void => {
  new Gauge({
    name: 'explorer_verify_findings',
    help: 'What the last check of the index found to be wrong; 0 before the first check',
    registers: [registry],
    async collect() {
      this.set((await last())?.findings.length ?? 0);
    },
  });
};
