import { builtDifferences } from '@shardnode/protocol/building';
import { Counter, type Registry } from 'prom-client';

/** The part of a transaction that differed from the request; see `checkBuiltTransfer`. `encoding`: it could not be read. */
export interface SigningMeasures {
  refused(difference: string): void;
}

/** Metrics of the check before a signature. */
export const signingMetrics = (registry: Registry): SigningMeasures => {
  const refused = new Counter({
    name: 'wallet_service_signing_refused_total',
    help: 'Transactions that a group-node built and that were not signed, by the part that differs from the request',
    labelNames: ['part'],
    registers: [registry],
  });
  // A counter that is there before the first refusal has an increase that an alert sees.
  for (const part of [...builtDifferences, 'encoding']) refused.inc({ part }, 0);
  return { refused: (difference) => refused.inc({ part: difference }) };
};
