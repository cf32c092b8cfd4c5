import { builtReplyDifferences, type BuiltReplyDifference } from '@shardnode/messages';
import { Counter, type Registry } from 'prom-client';

export interface BuildMeasures {
  refused(part: BuiltReplyDifference): void;
}

/** Metrics of the check before a built transaction is answered. */
export const buildMetrics = (registry: Registry): BuildMeasures => {
  const refused = new Counter({
    name: 'gateway_builds_refused_total',
    help: 'Transactions that a group-node built and that were not answered, by the part of the reply that differs from the bytes',
    labelNames: ['part'],
    registers: [registry],
  });
  // A counter that is there before the first refusal has an increase that an alert sees.
  for (const part of builtReplyDifferences) refused.inc({ part }, 0);
  return { refused: (part) => refused.inc({ part }) };
};
