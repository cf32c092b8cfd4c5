import { type BusNetwork } from '@shardnode/core/bus';
import { silentLogger } from '@shardnode/core/observability';
import { groupClient, type GroupClient, groupRequests } from '@shardnode/messages';

/** A client that sends each request as the gateway where that may send it, else as the operator. */
export const permittedClient = async (
  network: Pick<BusNetwork, 'join'>,
  place: { readonly ns: string; readonly groups: number },
): Promise<GroupClient> => {
  const clientOf = async (service: 'gateway' | 'operator'): Promise<GroupClient> =>
    groupClient((await network.join({ sender: { service }, logger: silentLogger })).bus, place);
  const gateway = await clientOf('gateway');
  const operator = await clientOf('operator');
  return {
    groups: place.groups,
    request: (group, name, payload, options) => {
      const client = groupRequests[name].senders.includes('gateway') ? gateway : operator;
      return client.request(group, name, payload, options);
    },
  };
};
