import { ServiceError } from '@shardnode/core/errors';

/** The node stops in order: what still waited was not done, and nothing is wrong. Callers are told 503 with the group. */
export class Stopping extends ServiceError {
  constructor(group: number) {
    super('unavailable', 'Stopping', `group-node ${group} is stopping`, { group });
    this.name = 'Stopping';
  }
}
