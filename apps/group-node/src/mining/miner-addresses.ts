import { type AssetLockupScript } from '@shardnode/protocol/primitives';

/** Who is paid for blocks, by the group that a chain leads to. What is set lasts until the process ends (protocol 07 §13). */
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
