import { Controller, HttpCode, Inject, Put, UseGuards } from '@nestjs/common';
import { explorerError } from '../errors.js';
import { supervisorOfProcess } from '../following/feed-handlers.js';
import { type IndexerSupervisor } from '../following/indexer-supervisor.js';
import { AdminGuard } from './admin.guard.js';

/** For operators, at a process that writes; the description of the API leaves it out (protocol 08 §5.13). */
@UseGuards(AdminGuard)
@Controller('utils')
export class UtilsController {
  constructor(@Inject(supervisorOfProcess) private readonly supervisor: IndexerSupervisor) {}

  /**
   * Starts a check of the index; `/infos/sync` has its result.
   * @throws ServiceError `AlreadyRunning`, `NotLive`
   */
  @Put('sanity-check')
  @HttpCode(202)
  startIndexCheck(): { readonly status: 'started' } {
    const start = this.supervisor.startJob('verify');
    if (start === 'running') throw explorerError('AlreadyRunning', 'The index is being checked');
    if (start === 'impossible') throw explorerError('NotLive', 'The index is not live, or another process writes it');
    return { status: 'started' };
  }
}
