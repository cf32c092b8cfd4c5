import { Gauge, type Registry } from 'prom-client';

/** @param countClients called when the metrics are read (protocol 08 §2.4) */
export const streamMetrics = (registry: Registry, countClients: () => number): void => {
  new Gauge({
    name: 'explorer_stream_clients',
    help: 'Clients of the live stream of this process',
    registers: [registry],
    collect() {
      this.set(countClients());
    },
  });
};
