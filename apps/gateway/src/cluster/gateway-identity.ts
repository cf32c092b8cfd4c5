import { type BusConnection } from '@shardnode/core/bus';
import { type ServiceDefinition } from '@shardnode/core/service';
import { networkIdentity } from '@shardnode/messages/network';
import { type NetworkSettings } from '@shardnode/protocol/network';

/**
 * The response of `/health/live` of a gateway. The genesis blocks, which identify the network, are computed by the
 * first request.
 */
export const gatewayIdentity = (
  namespace: string,
  settings: NetworkSettings,
  connection: Pick<BusConnection, 'busId'>,
): ServiceDefinition['identity'] => {
  let network: string | undefined;
  return () => ({ namespace, bus: connection.busId, network: (network ??= networkIdentity(settings)) });
};
