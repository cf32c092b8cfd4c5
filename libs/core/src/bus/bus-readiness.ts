import { type BusConnection } from './bus.js';

/** Readiness check `bus` of a service: without the bus it can neither send nor serve requests. */
export const busReadiness = (
  connection: Pick<BusConnection, 'isConnected'>,
): { readonly name: string; readonly action: string; readonly notReadyBecause: () => string | undefined } => ({
  name: 'bus',
  action: 'Look whether NATS runs at NATS_URL and takes this service as its user; it connects again by itself.',
  notReadyBecause: () => (connection.isConnected ? undefined : 'the connection to the bus is lost'),
});
