import { type ServiceIdentity } from '@shardnode/core/http-server';
import { networkIdentity } from '@shardnode/messages/network';
import { z } from 'zod';
import { type DoctorSettings } from './settings.js';
import { type ServicePlace } from '../network/service-places.js';

/** The response of `/health/live` of a service; older versions report only that they live. */
export const liveAnswer = z.object({
  live: z.literal(true),
  service: z.string().optional(),
  namespace: z.string().optional(),
  bus: z.string().optional(),
  network: z.string().optional(),
});

/** The expected identity of a service. */
export interface ExpectedNetwork {
  readonly namespace: string;
  /** Empty: no server of the bus responds, so that none can be compared. */
  readonly busIds: readonly string[];
  readonly network: string;
}

export const expectedNetwork = (
  { settings, network }: Pick<DoctorSettings, 'settings' | 'network'>,
  busIds: readonly string[],
): ExpectedNetwork => ({ namespace: settings.NATS_NAMESPACE, busIds, network: networkIdentity(network) });

/** The reason why a service at an address is not the expected one; undefined: it is. */
export const otherThan = (
  { name }: ServicePlace,
  found: Partial<ServiceIdentity>,
  expected: ExpectedNetwork,
): string | undefined => {
  const { service = name, namespace = expected.namespace, bus, network = expected.network } = found;
  if (service !== name) return `it is ${service}, not ${name}`;
  if (namespace !== expected.namespace) {
    return `it is that of another network: its NATS_NAMESPACE is ${namespace}, not ${expected.namespace}`;
  }
  if (bus !== undefined && expected.busIds.length > 0 && !expected.busIds.includes(bus)) {
    return 'it is that of another network: it speaks over another bus';
  }
  if (network !== expected.network) return `it is that of another network: ${network}, not ${expected.network}`;
  return undefined;
};
