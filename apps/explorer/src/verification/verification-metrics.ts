import { Gauge, type Registry } from 'prom-client';
import { type Verification } from './last-verification.js';

/** @param last the last verification, called when the metrics are read; undefined: none, or it cannot be read */
export const verificationMetrics = (registry: Registry, last: () => Promise<Verification | undefined>): void => {
  new Gauge({
    name: 'explorer_verify_findings',
    help: 'What the last check of the index found to be wrong; 0 before the first check',
    registers: [registry],
    async collect() {
      this.set((await last())?.findings.length ?? 0);
    },
  });
};
