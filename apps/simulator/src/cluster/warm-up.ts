import { createInProcessNetwork } from '@shardnode/core/bus';
import { systemClock } from '@shardnode/core/lifecycle';
import { silentLogger } from '@shardnode/core/observability';
import { create } from '@shardnode/group-node';
import { MemoryDisk, openMemoryStore } from '../memory-store/index.js';
import { configOf } from './node-configuration.js';
import { type NetworkSettings } from '@shardnode/protocol/network';

let warm: Promise<void> | undefined;

const startOnce = async (settings: NetworkSettings): Promise<void> => {
  const network = createInProcessNetwork();
  const store = openMemoryStore({ disk: new MemoryDisk(), group: 0, groups: settings.groups });
  const ports = { network, store, clock: systemClock, logger: silentLogger };
  const service = await create(configOf(settings, 0), ports);
  await service.start();
  await service.stop();
  await network.close();
};

/** Starts a node once in real time: modules that are loaded at their first use are read from the disk by then. */
export const warmUp = (settings: NetworkSettings): Promise<void> => (warm ??= startOnce(settings));
