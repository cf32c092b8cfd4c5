import { ServiceError } from '@shardnode/core/errors';
import { type GroupClient, type GroupRequestName, type GroupRequests } from '@shardnode/messages';
import { type VirtualTime } from '../virtual-time/index.js';

/**
 * Virtual milliseconds: `deadline` of one request, `pause` between two, `patience` until a missing response is a
 * defect.
 */
const times = { deadline: 1_500, pause: 200, patience: 120_000 };

/** A refusal: a retry would not help. */
export const isRefusal = (error: unknown): error is ServiceError =>
  error instanceof ServiceError && error.kind !== 'unavailable';

export const textOf = (error: unknown): string =>
  error instanceof ServiceError ? `${error.kind} ${error.code}: ${error.message}` : String(error);

/** Retries until `isFinal`, or until patience ends. */
export const persist = async <Answer>(
  time: VirtualTime,
  ask: () => Promise<Answer>,
  isFinal: (error: unknown) => boolean,
): Promise<Answer> => {
  const until = time.now + times.patience;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (isFinal(error) || time.now > until) throw error;
      await time.sleep(times.pause);
    }
  }
};

/** Repeats a request to group-nodes until there is a response, of either kind. Throws the ServiceError of a refusal. */
export class CarefulClient {
  constructor(
    private readonly client: GroupClient,
    private readonly time: VirtualTime,
  ) {}

  ask<Name extends GroupRequestName>(
    group: number,
    name: Name,
    payload: GroupRequests[Name]['request'],
  ): Promise<GroupRequests[Name]['reply']> {
    const options = { deadlineMs: times.deadline };
    return persist(this.time, () => this.client.request(group, name, payload, options), isRefusal);
  }
}
