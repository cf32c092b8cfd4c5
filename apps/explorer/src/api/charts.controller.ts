import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type z } from 'zod';
import { Clock } from '@shardnode/core/lifecycle';
import {
  ChainCounts,
  type ChainCountsAnswer,
  HashRates,
  type HashRatesAnswer,
  LastHour,
  type LastHourAnswer,
  TransactionCounts,
  type TransactionCountsAnswer,
} from '../answers/charts.js';
import { hashRates, lastHour, transactionCounts, transactionCountsPerChain } from '../reads/chart-reads.js';
import { Reads } from '../database/reads.js';
import { chartIntervalOf, ChartQuery, CountsQuery } from './chart-interval.js';
import { ExplorerSettings } from '../settings.js';
import { FirstParts } from './first-parts.js';
import { Operation } from './operation.js';

const countedOf = ({ payments }: z.output<typeof CountsQuery>) => (payments === true ? 'payments' : 'transactions');

/** protocol 08 §5.11 */
@ApiTags('Charts')
@Controller('charts')
export class ChartsController {
  constructor(
    private readonly reads: Reads,
    private readonly settings: ExplorerSettings,
    private readonly firstParts: FirstParts,
    private readonly clock: Clock,
  ) {}

  @Operation({
    summary: 'Mean hash rates of hours, days or weeks',
    description: 'Labelled by the end of the bucket. Buckets without blocks are absent.',
    answer: HashRates,
  })
  @Get('hashrates')
  hashRates(@Query({ schema: ChartQuery }) query: z.output<typeof ChartQuery>): Promise<HashRatesAnswer> {
    const interval = chartIntervalOf(query, this.settings.chartDays);
    return this.reads.of((snapshot) => hashRates(snapshot, interval));
  }

  @Operation({
    summary: 'Numbers of transactions of hours, days or weeks',
    description: 'Labelled by the start of the bucket. Only finished buckets.',
    answer: TransactionCounts,
  })
  @Get('transactions-count')
  transactionCounts(
    @Query({ schema: CountsQuery }) query: z.output<typeof CountsQuery>,
  ): Promise<TransactionCountsAnswer> {
    const interval = chartIntervalOf(query, this.settings.chartDays);
    return this.reads.of((snapshot) => transactionCounts(snapshot, interval, this.settings.groups, countedOf(query)));
  }

  @Operation({
    summary: 'Numbers of transactions of hours, days or weeks, for each chain',
    description: 'Labelled by the start of the bucket. Only finished buckets.',
    answer: ChainCounts,
  })
  @Get('transactions-count-per-chain')
  transactionCountsPerChain(
    @Query({ schema: CountsQuery }) query: z.output<typeof CountsQuery>,
  ): Promise<ChainCountsAnswer> {
    const interval = chartIntervalOf(query, this.settings.chartDays);
    return this.reads.of((snapshot) =>
      transactionCountsPerChain(snapshot, interval, this.settings.groups, countedOf(query)),
    );
  }

  @Operation({
    summary: 'Hash rates and transactions of each minute of the last hour',
    description: 'Labelled by the start of the minute; the current one is not over. Minutes without blocks are absent.',
    answer: LastHour,
  })
  @Get('last-hour')
  lastHour(): Promise<LastHourAnswer> {
    const { groups } = this.settings;
    return this.firstParts.of('last hour', { limit: 1, offset: 0 }, () =>
      this.reads.of((snapshot) => lastHour(snapshot, this.clock.now(), groups)),
    );
  }
}
