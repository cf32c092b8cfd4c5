import { type ServiceIdentity } from '@shardnode/core/http-server';
import { networkIdentity } from '@shardnode/messages/network';
import { z } from 'zod';
import { type DoctorSettings, type ServicePlace } from './settings.js';

/** What `/health/live` of a service says; older versions say no more than that they live. */
export const liveAnswer = z.object({
  live: z.literal(true),
  service: z.string().optional(),
  namespace: z.string().optional(),
  bus: z.string().optional(),
  network: z.string().optional(),
});

/** Who should answer. */
export interface ExpectedNetwork {
  readonly namespace: string;
  /** Empty: no server of the bus answers, so that nobody is compared with it. */
  readonly busIds: readonly string[];
  readonly network: string;
}

export const expectedNetwork = (
  { settings, network }: Pick<DoctorSettings, 'settings' | 'network'>,
  busIds: readonly string[],
): ExpectedNetwork => ({ namespace: settings.NATS_NAMESPACE, busIds, network: networkIdentity(network) });

/** Why a service of ours that answers at a place is not the one that is looked for there; undefined: it is. */
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
