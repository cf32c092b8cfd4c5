import { Body, Controller, Get, Post, Put, Query, UseGuards } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type z } from 'zod';
import { errorOf } from '@shardnode/http';
import { allGroups, GroupClient } from '@shardnode/messages';
import { addressOf } from '@shardnode/protocol/address';
import { decode, hexToBytes } from '@shardnode/protocol/encoding';
import { lockupScriptCodec } from '@shardnode/protocol/primitives';
import { Operation } from '../operations/operation.js';
import { ChainQuery } from '../operations/parameters.js';
import { ApiSettings } from '../settings/api-settings.js';
import { SyncedGuard } from '../synced/synced.guard.js';
import { minerLockupScripts } from './miner-addresses.js';
import { AlwaysTrue, MinerActionQuery, MinerAddresses, SetMinerAddresses } from './miners.schemas.js';

const commands = { 'start-mining': 'command.mining.start', 'stop-mining': 'command.mining.stop' } as const;

/** Protocol 07 §13. */
@ApiTags('Miners')
@Controller('miners')
export class MinersController {
  constructor(
    private readonly settings: ApiSettings,
    private readonly groups: GroupClient,
  ) {}

  @Operation({
    role: 'operate',
    summary: 'Start or stop mining blocks on all chains, one round after the other',
    description: 'For development networks. MINING_INTERVAL is the pause between two rounds.',
    answer: AlwaysTrue,
    synced: true,
  })
  @UseGuards(SyncedGuard)
  @Post('cpu-mining')
  async startOrStop(
    @Query({ schema: MinerActionQuery }) { action }: z.output<typeof MinerActionQuery>,
  ): Promise<boolean> {
    await allGroups(this.groups, commands[action], {});
    return true;
  }

  @Operation({
    role: 'operate',
    summary: 'Mine one block on a chain',
    description: 'For development networks. Answers when the block is stored.',
    answer: AlwaysTrue,
    synced: true,
  })
  @Post('cpu-mining/mine-one-block')
  async mineOneBlock(
    @Query({ schema: ChainQuery }) { fromGroup: from, toGroup: to }: z.output<typeof ChainQuery>,
  ): Promise<boolean> {
    await this.groups.request(from, 'command.mining.mine-one', { from, to });
    return true;
  }

  @Operation({
    role: 'read',
    summary: 'Addresses that get block rewards',
    answer: MinerAddresses,
    codes: ['NoMinerAddresses'],
  })
  @Get('addresses')
  async addresses(): Promise<z.output<typeof MinerAddresses>> {
    // All groups have the same addresses.
    const { lockupScripts } = await this.groups.request(0, 'read.mining.addresses', {});
    if (lockupScripts.length === 0)
      throw errorOf(
        'NoMinerAddresses',
        'No miner addresses are set: nobody would be paid for blocks. Set one for each group.',
      );
    return { addresses: lockupScripts.map((hex) => addressOf(decode(lockupScriptCodec, hexToBytes(hex)))) };
  }

  @Operation({
    role: 'operate',
    summary: 'Set the addresses that get block rewards',
    description: 'Address i must be of group i. Not stored: a restart brings those of the settings back.',
    codes: ['InvalidMinerAddresses'],
  })
  @Put('addresses')
  async setAddresses(
    @Body({ schema: SetMinerAddresses }) { addresses }: z.output<typeof SetMinerAddresses>,
  ): Promise<void> {
    const lockupScripts = minerLockupScripts(addresses, this.settings.network.groups);
    await allGroups(this.groups, 'command.mining.set-addresses', { lockupScripts });
  }
}
