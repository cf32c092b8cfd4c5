import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type z } from 'zod';
import { softwareVersion } from '@shardnode/core/observability';
import { Clock } from '@shardnode/core/lifecycle';
import { TotalTransactions } from '../answers/addresses.js';
import {
  BlockTimes,
  type BlockTimesAnswer,
  ChainHeights,
  type ChainHeightsAnswer,
  ExplorerInfo,
  Sync,
  type SyncAnswer,
} from '../answers/infos.js';
import { SyncState } from '../following/sync-state.js';
import { syncAnswer } from './sync-answer.js';
import { migrationScripts } from '../index-store/migrations.js';
import {
  averageBlockTimes,
  chainHeights,
  indexTimes,
  openInputs,
  storedHeads,
  totalTransactions,
} from '../reads/info-reads.js';
import { Reads } from '../database/reads.js';
import { lastIndexCheck } from '../index-check/last-index-check.js';
import { ExplorerSettings } from '../settings.js';
import { Operation } from './operation.js';

/** protocol 08 §5.9 */
@ApiTags('Infos')
@Controller('infos')
export class InfosController {
  constructor(
    private readonly reads: Reads,
    private readonly settings: ExplorerSettings,
    private readonly syncState: SyncState,
    private readonly clock: Clock,
  ) {}

  @Operation({ summary: 'Explorer: version, and up to which time its blocks are final', answer: ExplorerInfo })
  @Get()
  async info(): Promise<z.input<typeof ExplorerInfo>> {
    const { commit, finalityDepth } = this.settings;
    const { newest, finalized } = await this.reads.of((snapshot) => indexTimes(snapshot, finalityDepth));
    return {
      releaseVersion: softwareVersion,
      commit,
      migrationsVersion: migrationScripts().length,
      lastFinalizedInputTime: finalized,
      lastHoldersUpdate: newest,
    };
  }

  @Operation({ summary: 'Heights of all chains', answer: ChainHeights })
  @Get('heights')
  heights(): Promise<ChainHeightsAnswer> {
    return this.reads.of(chainHeights);
  }

  @Operation({ summary: 'Number of transactions of all chains', answer: TotalTransactions, mediaType: 'text/plain' })
  @Get('total-transactions')
  async totalTransactions(): Promise<string> {
    return (await this.reads.of(totalTransactions)).toString();
  }

  @Operation({ summary: 'Mean times between blocks of all chains', answer: BlockTimes })
  @Get('average-block-times')
  averageBlockTimes(): Promise<BlockTimesAnswer> {
    return this.reads.of(averageBlockTimes);
  }

  @Operation({ summary: 'Sync state by chain', answer: Sync })
  @Get('sync')
  sync(): Promise<SyncAnswer> {
    return this.reads.of(async (snapshot) => {
      const { finalized } = await indexTimes(snapshot, this.settings.finalityDepth);
      const [heads, inputs] = [await storedHeads(snapshot), await openInputs(snapshot)];
      const lastCheck = await lastIndexCheck(snapshot);
      return syncAnswer(this.syncState, { heads, inputs, finalized, now: this.clock.now(), lastCheck });
    });
  }
}
