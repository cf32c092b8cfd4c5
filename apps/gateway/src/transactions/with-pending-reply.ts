import { type GroupClient } from '@shardnode/messages';

/**
 * The groups, of which one was asked the same already: its reply or failure counts, and it is not asked (nor waited for) a
 * second time. For one search, by one kind of request.
 */
export const withPendingReply = (groups: GroupClient, asked: number, reply: Promise<unknown>): GroupClient => ({
  groups: groups.groups,
  request: (group, name, payload, options) =>
    group === asked ? (reply as Promise<never>) : groups.request(group, name, payload, options),
});
