import { Controller, Inject } from '@nestjs/common';
import { ServiceError } from '@shardnode/core/errors';
import { type ChainSelector, HandlesGroupRequest } from '@shardnode/messages';
import { bytesToHex, encode } from '@shardnode/protocol/encoding';
import { assetLockupScriptCodec, groupOfLockupScript } from '@shardnode/protocol/primitives';
import { decodeField } from '../requests/request-fields.js';
import { type GroupNode } from '../group-node.js';
import { NODE } from './node-token.js';

/** Blocks on request, and who is paid for them (protocol 07 §13). */
@Controller()
export class MiningRpc {
  constructor(@Inject(NODE) private readonly node: GroupNode) {}

  /** Exactly one block. What the siblings have stored before is considered, although their messages may be late. */
  @HandlesGroupRequest('command.mining.mine-one')
  async mineOne({ from, to }: ChainSelector): Promise<{ readonly blockHash: string }> {
    const { state, sync, miner } = this.node;
    if (from !== state.group) {
      throw new ServiceError('invalid-request', 'NotThisGroup', `chain (${from}, ${to}) is mined by group ${from}`);
    }
    sync.requireReady();
    await sync.catchUp();
    return { blockHash: await miner.mine({ from, to }) };
  }

  @HandlesGroupRequest('command.mining.start')
  start(): Record<string, never> {
    this.node.schedule.startRounds();
    return {};
  }

  @HandlesGroupRequest('command.mining.stop')
  stop(): Record<string, never> {
    this.node.schedule.stopRounds();
    return {};
  }

  @HandlesGroupRequest('read.mining.addresses')
  addresses(): { readonly lockupScripts: readonly string[] } {
    const { all } = this.node.minerAddresses;
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
      throw new ServiceError('invalid-request', 'InvalidMinerAddresses', expected, { field: 'lockupScripts' });
    }
    this.node.minerAddresses.set(scripts);
    return {};
  }
}
