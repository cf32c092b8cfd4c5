import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type z } from 'zod';
import { type MempoolAnswer, MempoolTransactions } from '../answers/transactions.js';
import { listPending } from '../reads/pending-reads.js';
import { Reads } from '../database/reads.js';
import { ExplorerSettings } from '../settings.js';
import { Operation } from './operation.js';
import { pageOf, PageQuery } from './parameters.js';

/** protocol 08 §5.12 */
@ApiTags('Mempool')
@Controller('mempool')
export class MempoolController {
  constructor(
    private readonly reads: Reads,
    private readonly settings: ExplorerSettings,
  ) {}

  @Operation({ summary: 'Pending transactions, newest first', answer: MempoolTransactions })
  @Get('transactions')
  transactions(@Query({ schema: PageQuery }) query: z.output<typeof PageQuery>): Promise<MempoolAnswer[]> {
    const page = pageOf(query, this.settings);
    return this.reads.of((snapshot) => listPending(snapshot, page));
  }
}
