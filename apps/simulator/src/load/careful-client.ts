import { ServiceError } from '@shardnode/core/errors';
import { type GroupClient, type GroupRequestName, type GroupRequests } from '@shardnode/messages';
import { type VirtualTime } from '../virtual-time/index.js';

/** Virtual milliseconds: of one question, and between two. */
const times = { deadline: 1_500, pause: 200 };

export const isRefusal = (error: unknown): error is ServiceError =>
  error instanceof ServiceError && error.kind !== 'unavailable';

/** Asks the same again until there is an answer: yes, or no. Throws the ServiceError of a no. */
export class CarefulClient {
  constructor(
    private readonly client: GroupClient,
    private readonly time: VirtualTime,
    /** Virtual milliseconds after which no answer is a defect. */
    private readonly patience = 120_000,
  ) {}

  async ask<Name extends GroupRequestName>(
    group: number,
    name: Name,
    payload: GroupRequests[Name]['request'],
  ): Promise<GroupRequests[Name]['reply']> {
    const until = this.time.now + this.patience;
    for (;;) {
      try {
        return await this.client.request(group, name, payload, { deadlineMs: times.deadline });
      } catch (error) {
        if (isRefusal(error) || this.time.now > until) throw error;
        await this.time.sleep(times.pause);
      }
    }
  }
}
