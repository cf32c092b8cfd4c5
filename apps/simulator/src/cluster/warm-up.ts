import { createInProcessNetwork } from '@shardnode/core/bus';
import { startInOrder, stopInReverse, systemClock } from '@shardnode/core/lifecycle';
import { silentLogger } from '@shardnode/core/observability';
import { create as createGateway } from '@shardnode/gateway';
import { create as createGroupNode } from '@shardnode/group-node';
import { type NetworkSettings } from '@shardnode/protocol/network';
import { create as createWalletService } from '@shardnode/wallet-service';
import { MemoryDisk, openMemoryStore, openMemoryWallets, WalletDisk } from '../memory-store/index.js';
import { gatewayConfiguration, nodeConfiguration, walletConfiguration } from './configurations.js';

let warm: Promise<void> | undefined;

const startOnce = async (settings: NetworkSettings): Promise<void> => {
  const network = createInProcessNetwork();
  const ports = { network, clock: systemClock, logger: silentLogger };
  const store = openMemoryStore({ disk: new MemoryDisk(), group: 0, groups: settings.groups });
  const gateway = await createGateway(gatewayConfiguration(settings), ports);
  const services = [
    await createGroupNode(nodeConfiguration(settings, 0), { ...ports, store }),
    await createWalletService(walletConfiguration(settings), { ...ports, store: openMemoryWallets(new WalletDisk()) }),
    gateway,
  ];
  await startInOrder(services);
  await gateway.handle({ method: 'GET', url: '/wallets' });
  await gateway.handle({ method: 'POST', url: '/transactions/submit', body: {} });
  await stopInReverse(services);
  await network.close();
};

/** Starts each service once in real time, so that modules loaded at their first use are read from the disk before. */
export const warmUp = (settings: NetworkSettings): Promise<void> => (warm ??= startOnce(settings));
