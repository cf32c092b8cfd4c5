import { pbkdf2Sync, scryptSync } from 'node:crypto';
import { sleep } from '@shardnode/core/lifecycle';
import { type RunningService } from '@shardnode/core/service';
import { create, type WalletServiceConfiguration } from '@shardnode/wallet-service';
import { openMemoryWallets, WalletDisk } from '../memory-store/index.js';
import { type LifePorts, SimulatedService, type World } from './simulated-service.js';

/** The real parameters take a quarter of a second of the processor each. */
const cheapParameters = { N: 16, r: 1, p: 1 };

/** Milliseconds of the real ones, simulated. */
const stretchTime = 260;

/**
 * A wallet-service over a disk in memory. Keys are stretched in place, because the threads of Node finish in
 * any order.
 */
export class SimulatedWallets extends SimulatedService<RunningService> {
  readonly disk = new WalletDisk();

  constructor(
    private readonly configuration: WalletServiceConfiguration,
    world: World,
  ) {
    super('wallet-service', world);
  }

  protected open({ network, clock, logger, times }: LifePorts): Promise<RunningService> {
    return create(this.configuration, {
      network,
      clock,
      logger,
      store: openMemoryWallets(this.disk, times),
      stretchPassword: async (password, salt) => {
        await sleep(clock, stretchTime);
        return scryptSync(password, salt, 32, cheapParameters);
      },
      stretchMnemonic: async (password, salt, rounds, length) => pbkdf2Sync(password, salt, rounds, length, 'sha512'),
    });
  }
}
