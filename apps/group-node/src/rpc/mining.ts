import { Controller, Inject } from '@nestjs/common';
import { type ChainSelector, HandlesGroupRequest, serviceError } from '@shardnode/messages';
import { bytesToHex, encode } from '@shardnode/protocol/encoding';
import { assetLockupScriptCodec, groupOfLockupScript } from '@shardnode/protocol/primitives';
import { decodeField } from '../requests/request-fields.js';
import { Miner } from '../mining/miner.js';
import { MinerAddresses } from '../mining/miner-addresses.js';
import { MiningSchedule } from '../mining/schedule.js';
import { SyncKeeper } from '../sync/index.js';
import { type NodeReads } from '../view/reads.js';
import { READS } from './tokens.js';

/** Blocks on request, and the receivers of block rewards (protocol 07 §13). */
@Controller()
export class MiningRpc {
  constructor(
    @Inject(READS) private readonly node: NodeReads,
    private readonly sync: SyncKeeper,
    private readonly miner: Miner,
    private readonly schedule: MiningSchedule,
    private readonly minerAddresses: MinerAddresses,
  ) {}

  /**
   * Exactly one block. It considers the blocks that the siblings have stored before, although their messages may be
   * late.
   */
  @HandlesGroupRequest('command.mining.mine-one')
  async mineOne({ from, to }: ChainSelector): Promise<{ readonly blockHash: string }> {
    const { group } = this.node.state;
    if (from !== group) {
      throw serviceError('NotThisGroup', `chain (${from}, ${to}) is mined by group ${from}`);
    }
    this.sync.requireReady();
    await this.sync.catchUp();
    return { blockHash: await this.miner.mine({ from, to }) };
  }

  @HandlesGroupRequest('command.mining.start')
  start(): Record<string, never> {
    this.schedule.startRounds();
    return {};
  }

  @HandlesGroupRequest('command.mining.stop')
  stop(): Record<string, never> {
    this.schedule.stopRounds();
    return {};
  }

  @HandlesGroupRequest('read.mining.addresses')
  addresses(): { readonly lockupScripts: readonly string[] } {
    const { all } = this.minerAddresses;
    return { lockupScripts: all.map((script) => bytesToHex(encode(assetLockupScriptCodec, script))) };
  }

  @HandlesGroupRequest('command.mining.set-addresses')
  setAddresses({ lockupScripts }: { readonly lockupScripts: readonly string[] }): Record<string, never> {
    const { groups } = this.node.state.settings;
    const scripts = lockupScripts.map((hex, group) =>
      decodeField(assetLockupScriptCodec, hex, `lockupScripts[${group}]`),
    );
    if (scripts.length !== groups || scripts.some((script, group) => groupOfLockupScript(script, groups) !== group)) {
      const expected = `expected ${groups} lockup scripts, the first of group 0, the second of group 1 and so on`;
      throw serviceError('InvalidMinerAddresses', expected, { field: 'lockupScripts' });
    }
    this.minerAddresses.set(scripts);
    return {};
  }
}
