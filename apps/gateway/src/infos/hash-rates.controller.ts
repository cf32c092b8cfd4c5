import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type z } from 'zod';
import { Clock } from '@shardnode/core/lifecycle';
import { allGroups, GroupClient } from '@shardnode/messages';
import { averageHashRate } from '@shardnode/protocol/dag';
import { boundedInterval, checkTimespan, IntervalQuery } from '../blockflow/interval.js';
import { Operation } from '../operations/operation.js';
import { ApiSettings } from '../settings/api-settings.js';
import { AverageHashRate, CurrentDifficulty, CurrentHashRateQuery } from './infos.schemas.js';

/** Milliseconds. */
const defaultTimeSpan = 600_000;
const perMega = 1_000_000n;

/** Each group knows the work of the chains that start from it. */
const sumOf = (parts: readonly { readonly work: string }[]): bigint =>
  parts.reduce((sum, { work }) => sum + BigInt(work), 0n);

/** Protocol 07 §5. */
@ApiTags('Infos')
@Controller('infos')
export class HashRatesController {
  constructor(
    private readonly settings: ApiSettings,
    private readonly groups: GroupClient,
    private readonly clock: Clock,
  ) {}

  @Operation({
    role: 'read',
    summary: 'Average hash rate of an interval',
    answer: AverageHashRate,
    codes: ['InvalidInterval'],
  })
  @Get('history-hashrate')
  ofInterval(
    @Query({ schema: IntervalQuery }) interval: z.output<typeof IntervalQuery>,
  ): Promise<z.output<typeof AverageHashRate>> {
    return this.averageOver(boundedInterval(this.settings, this.clock, interval));
  }

  @Operation({
    role: 'read',
    summary: 'Average hash rate of the time until now',
    answer: AverageHashRate,
    codes: ['InvalidInterval'],
  })
  @Get('current-hashrate')
  current(
    @Query({ schema: CurrentHashRateQuery }) { timespan = defaultTimeSpan }: z.output<typeof CurrentHashRateQuery>,
  ): Promise<z.output<typeof AverageHashRate>> {
    checkTimespan(timespan);
    const now = this.clock.now();
    return this.averageOver({ fromTs: Math.max(0, now - timespan), toTs: now });
  }

  @Operation({ role: 'read', summary: 'Mean difficulty of the chains', answer: CurrentDifficulty })
  @Get('current-difficulty')
  async difficulty(): Promise<z.output<typeof CurrentDifficulty>> {
    const chains = BigInt(this.settings.network.groups ** 2);
    const parts = await allGroups(this.groups, 'read.chain.difficulty', {});
    return { difficulty: (sumOf(parts) / chains).toString() };
  }

  /** `interval`: milliseconds since 1970. */
  private async averageOver(interval: {
    readonly fromTs: number;
    readonly toTs: number;
  }): Promise<z.output<typeof AverageHashRate>> {
    const work = sumOf(await allGroups(this.groups, 'read.chain.work', interval));
    const rate = averageHashRate(this.settings.network, work, BigInt(interval.fromTs), BigInt(interval.toTs));
    return { hashrate: `${rate / perMega} MH/s` };
  }
}
