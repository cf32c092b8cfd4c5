import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type z } from 'zod';
import {
  ChainCounts,
  type ChainCountsAnswer,
  HashRates,
  type HashRatesAnswer,
  TransactionCounts,
  type TransactionCountsAnswer,
} from '../answers/charts.js';
import { hashRates, transactionCounts, transactionCountsPerChain } from '../reads/chart-reads.js';
import { Reads } from '../database/reads.js';
import { chartIntervalOf, ChartQuery } from './chart-interval.js';
import { ExplorerSettings } from '../settings.js';
import { Operation } from './operation.js';

/** protocol 08 §5.11 */
@ApiTags('Charts')
@Controller('charts')
export class ChartsController {
  constructor(
    private readonly reads: Reads,
    private readonly settings: ExplorerSettings,
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
    @Query({ schema: ChartQuery }) query: z.output<typeof ChartQuery>,
  ): Promise<TransactionCountsAnswer> {
    const interval = chartIntervalOf(query, this.settings.chartDays);
    return this.reads.of((snapshot) => transactionCounts(snapshot, interval, this.settings.groups));
  }

  @Operation({
    summary: 'Numbers of transactions of hours, days or weeks, for each chain',
    description: 'Labelled by the start of the bucket. Only finished buckets.',
    answer: ChainCounts,
  })
  @Get('transactions-count-per-chain')
  transactionCountsPerChain(
    @Query({ schema: ChartQuery }) query: z.output<typeof ChartQuery>,
  ): Promise<ChainCountsAnswer> {
    const interval = chartIntervalOf(query, this.settings.chartDays);
    return this.reads.of((snapshot) => transactionCountsPerChain(snapshot, interval, this.settings.groups));
  }
}
