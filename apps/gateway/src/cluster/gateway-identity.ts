import { type BusConnection } from '@shardnode/core/bus';
import { type ServiceDefinition } from '@shardnode/core/service';
import { networkIdentity } from '@shardnode/messages/network';
import { type NetworkSettings } from '@shardnode/protocol/network';

/** What `/health/live` of a gateway says. The first blocks, which name the network, are made when somebody asks first. */
export const gatewayIdentity = (
  namespace: string,
  settings: NetworkSettings,
  connection: Pick<BusConnection, 'busId'>,
): ServiceDefinition['identity'] => {
  let network: string | undefined;
  return () => ({ namespace, bus: connection.busId, network: (network ??= networkIdentity(settings)) });
};
