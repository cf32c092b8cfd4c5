import { ServiceError } from '@shardnode/core/errors';
import { type CallOptions, type GroupClient } from './clients.js';
import { type GroupRequestName, type GroupRequests } from './group-requests.js';

type Request<Name extends GroupRequestName> = GroupRequests[Name]['request'];
type Reply<Name extends GroupRequestName> = GroupRequests[Name]['reply'];

/**
 * Sends a request to all groups in parallel. Returns the replies in the order of the groups. Throws the first failure
 * in that order; that of a command says which groups have executed it. All commands to all groups may be repeated.
 */
export const allGroups = async <Name extends GroupRequestName>(
  client: GroupClient,
  name: Name,
  payload: Request<Name>,
  options?: CallOptions,
): Promise<Reply<Name>[]> => {
  const outcomes = await askAll(client, name, payload, options);
  return outcomes.map((outcome) => {
    if (outcome.status === 'rejected')
      throw name.startsWith('command.') ? halfDone(outcome.reason, outcomes) : outcome.reason;
    return outcome.value;
  });
};

const halfDone = (failure: unknown, outcomes: readonly PromiseSettledResult<unknown>[]): unknown => {
  const done = outcomes.flatMap(({ status }, group) => (status === 'fulfilled' ? [group] : []));
  if (!(failure instanceof ServiceError) || done.length === 0) return failure;
  const { kind, code, detail, data } = failure;
  const groups = `${done.length === 1 ? 'Group' : 'Groups'} ${done.join(', ')}`;
  return new ServiceError(
    kind,
    code,
    `${detail.replace(/\.$/, '')}. ${groups} did as asked, and may be asked again.`,
    data,
  );
};

/** Sends a request to all groups and merges the replies. */
export const mergedGroups = async <Name extends GroupRequestName, Merged>(
  client: GroupClient,
  name: Name,
  payload: Request<Name>,
  merge: (replies: Reply<Name>[]) => Merged,
  options?: CallOptions,
): Promise<Merged> => merge(await allGroups(client, name, payload, options));

/**
 * Requests a resource from all groups, and returns the first reply that has it; `not-found` of a group means "not
 * here". Without such a reply: undefined if every group answered, otherwise throws the failure of the group that did
 * not.
 */
export const firstGroup = <Name extends GroupRequestName>(
  client: GroupClient,
  name: Name,
  payload: Request<Name>,
  accepts: (reply: Reply<Name>) => boolean = () => true,
  options?: CallOptions,
): Promise<{ readonly group: number; readonly reply: Reply<Name> } | undefined> =>
  new Promise((resolve, reject) => {
    const failures: unknown[] = [];
    let open = client.groups;
    const close = (): void => {
      if (--open > 0) return;
      if (failures.length > 0) reject(failures[0] as Error);
      else resolve(undefined);
    };
    for (let group = 0; group < client.groups; group++) {
      void client
        .request(group, name, payload, options)
        .then((reply) => {
          if (accepts(reply)) resolve({ group, reply });
        })
        .catch((error: unknown) => {
          if (!(error instanceof ServiceError && error.kind === 'not-found')) failures.push(error);
        })
        .finally(close);
    }
  });

const askAll = <Name extends GroupRequestName>(
  client: GroupClient,
  name: Name,
  payload: Request<Name>,
  options?: CallOptions,
): Promise<PromiseSettledResult<Reply<Name>>[]> =>
  Promise.allSettled(
    Array.from({ length: client.groups }, (_, group) => client.request(group, name, payload, options)),
  );
