import { Gauge, type Registry } from 'prom-client';
import { type AuditState } from './findings.js';

/** @param state called when the metrics are read; undefined: it cannot be read */
export const auditMetrics = (registry: Registry, state: () => Promise<AuditState | undefined>): void => {
  const gauge = (name: string, help: string, of: keyof AuditState) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        const now = await state();
        if (now) this.set(now[of]);
      },
    });
  gauge('explorer_audit_findings', 'Blocks that the supply audit found to break a rule of the chain', 'findings');
  gauge('explorer_audit_lag_blocks', 'Applied blocks that the supply audit has not judged yet', 'behind');
};
