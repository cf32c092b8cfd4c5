import { type Readable } from 'node:stream';
import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type FastifyReply } from 'fastify';
import { type z } from 'zod';
import { plainText, required } from '@shardnode/http';
import { Exports } from '../export/exports.js';
import { dispositionOf, headerLine } from '../reads/transaction-lines.js';
import { ExplorerSettings } from '../settings.js';
import { Operation } from './operation.js';
import { AddressPath, checkInterval, checkSpan, parametersOf, timestamp } from './parameters.js';

const ExportQuery = parametersOf({
  fromTs: required(timestamp, { description: 'First millisecond', example: 1_735_516_800_000 }),
  toTs: required(timestamp, { description: 'First millisecond after the interval', example: 1_735_603_200_000 }),
});
const Csv = plainText('A line for the coin, and for each token that changed, of each transaction', headerLine);

/** protocol 08 §5.10 */
@ApiTags('Addresses')
@Controller('addresses')
export class ExportController {
  constructor(
    private readonly exports: Exports,
    private readonly settings: ExplorerSettings,
  ) {}

  @Operation({
    summary: 'Transactions of an address as a file for spreadsheets, newest first',
    description: 'Two files at once for one client.',
    answer: Csv,
    mediaType: 'text/csv; charset=utf-8',
  })
  @Get(':address/export-transactions/csv')
  async transactions(
    @Param({ schema: AddressPath }) { address }: z.output<typeof AddressPath>,
    @Query({ schema: ExportQuery }) { fromTs, toTs }: z.output<typeof ExportQuery>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Readable> {
    checkInterval(fromTs, toTs);
    checkSpan(fromTs, toTs, this.settings.exportLimits.days);
    const file = await this.exports.file(reply, address, fromTs, toTs);
    reply.header('content-disposition', dispositionOf(address, fromTs, toTs));
    return file;
  }
}
