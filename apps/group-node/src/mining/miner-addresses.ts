import { type AssetLockupScript } from '@shardnode/protocol/primitives';

/**
 * Receivers of block rewards, by the group to which a chain leads. A change lasts until the process ends (protocol 07
 * §13).
 */
export class MinerAddresses {
  constructor(private scripts: readonly AssetLockupScript[]) {}

  get all(): readonly AssetLockupScript[] {
    return this.scripts;
  }

  of(group: number): AssetLockupScript {
    return this.scripts[group]!;
  }

  set(scripts: readonly AssetLockupScript[]): void {
    this.scripts = scripts;
  }
}
