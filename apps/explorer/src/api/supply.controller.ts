import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type z } from 'zod';
import { maxCoinValue } from '@shardnode/protocol/primitives';
import { CoinText, Supplies, type SuppliesAnswer } from '../answers/infos.js';
import { Reads } from '../database/reads.js';
import { newestSupply, type Supply, supplyDays, supplyNow, supplyText } from '../reads/supply-reads.js';
import { ExplorerSettings } from '../settings.js';
import { FirstParts } from './first-parts.js';
import { Operation } from './operation.js';
import { pageOf, PageQuery } from './parameters.js';

const description = 'Of the newest day that all chains have passed.';
const mediaType = 'text/plain';

const supplyAnswer = ({ at, total, circulating, reserved, locked }: Supply) => ({
  timestamp: Number(at),
  total: total.toString(),
  circulating: circulating.toString(),
  reserved: reserved.toString(),
  locked: locked.toString(),
  maximum: maxCoinValue.toString(),
});

/** protocol 08 §5.9 */
@ApiTags('Infos')
@Controller('infos/supply')
export class SupplyController {
  constructor(
    private readonly reads: Reads,
    private readonly settings: ExplorerSettings,
    private readonly firstParts: FirstParts,
  ) {}

  @Operation({ summary: 'Supply of the coin by days, newest first', answer: Supplies })
  @Get()
  async days(@Query({ schema: PageQuery }) query: z.output<typeof PageQuery>): Promise<SuppliesAnswer> {
    const page = pageOf(query, this.settings);
    return (await this.reads.of((snapshot) => supplyDays(snapshot, page))).map(supplyAnswer);
  }

  @Operation({
    summary: 'Supply of the coin now',
    description: 'At the newest block; of the newest day where too many transactions came since. Empty before both.',
    answer: Supplies,
  })
  @Get('now')
  async now(): Promise<SuppliesAnswer> {
    const read = () => this.reads.of((snapshot) => supplyNow(snapshot, this.settings.reservedAddresses));
    const supply = await this.firstParts.of('supply now', { limit: 1, offset: 0 }, read);
    return supply === undefined ? [] : [supplyAnswer(supply)];
  }

  @Operation({ summary: 'Total supply', description, answer: CoinText, mediaType })
  @Get('total-coin')
  total(): Promise<string> {
    return this.newest('total');
  }

  @Operation({ summary: 'Coins in circulation', description, answer: CoinText, mediaType })
  @Get('circulating-coin')
  circulating(): Promise<string> {
    return this.newest('circulating');
  }

  @Operation({ summary: 'Reserved coins', description, answer: CoinText, mediaType })
  @Get('reserved-coin')
  reserved(): Promise<string> {
    return this.newest('reserved');
  }

  @Operation({ summary: 'Locked coins', description, answer: CoinText, mediaType })
  @Get('locked-coin')
  locked(): Promise<string> {
    return this.newest('locked');
  }

  private async newest(part: Exclude<keyof Supply, 'at'>): Promise<string> {
    return supplyText((await this.reads.of(newestSupply))?.[part] ?? 0n);
  }
}
