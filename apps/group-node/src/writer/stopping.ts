import { ServiceError } from '@shardnode/core/errors';

/** Graceful shutdown: pending tasks were not run, and nothing is wrong. Callers get 503 with the group. */
export class Stopping extends ServiceError {
  constructor(group: number) {
    super('unavailable', 'Stopping', `group-node ${group} is stopping`, { group });
    this.name = 'Stopping';
  }
}
