import { Controller, HttpCode, Inject, Put, UseGuards } from '@nestjs/common';
import { explorerError } from '../errors.js';
import { writerOfProcess } from '../following/feed-handlers.js';
import { type Writer } from '../following/writer.js';
import { AdminGuard } from './admin.guard.js';

/** For operators, at a process that writes; the description of the API leaves it out (protocol 08 §5.13). */
@UseGuards(AdminGuard)
@Controller('utils')
export class UtilsController {
  constructor(@Inject(writerOfProcess) private readonly writer: Writer) {}

  /**
   * Starts a verification; `/infos/sync` has its result.
   * @throws ServiceError `AlreadyRunning`, `NotLive`
   */
  @Put('sanity-check')
  @HttpCode(202)
  startVerification(): { readonly status: 'started' } {
    const start = this.writer.begin('verify');
    if (start === 'running') throw explorerError('AlreadyRunning', 'The index is being checked');
    if (start === 'impossible') throw explorerError('NotLive', 'The index is not live, or another process writes it');
    return { status: 'started' };
  }
}
