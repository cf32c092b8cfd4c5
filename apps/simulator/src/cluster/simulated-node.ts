import { sleep, type Service } from '@shardnode/core/lifecycle';
import { create, type GroupNodeConfig, type GroupStore } from '@shardnode/group-node';
import { MemoryDisk, openMemoryStore } from '../memory-store/index.js';
import { seededBytes } from '../seeded-bytes.js';
import { type LifePorts, SimulatedService, type World } from './simulated-service.js';

/** Milliseconds of 2,000 tries for a nonce. */
const nonceYieldMs = 5;

/** A group-node over a disk in memory. */
export class SimulatedNode extends SimulatedService {
  readonly disk = new MemoryDisk();
  /** The store of the present life, or of the last one. */
  store: GroupStore | undefined;

  constructor(
    private readonly config: GroupNodeConfig,
    world: World,
  ) {
    super(`group-node-${config.group}`, world);
  }

  get group(): number {
    return this.config.group;
  }

  protected open({ network, clock, logger, times }: LifePorts): Promise<Service> {
    const { world, config, disk, group } = this;
    const store = openMemoryStore({ disk, group, groups: config.settings.groups, times });
    this.store = store;
    return create(config, {
      network,
      store,
      clock,
      logger,
      randomBytes: seededBytes(world.random),
      nonceYield: () => sleep(clock, nonceYieldMs),
      onFatal: (error) => world.log.add('fatal', this.name, error.message),
    });
  }
}
