import { type GroupClient } from '@shardnode/messages';

/**
 * The groups, with one request already in flight: its reply or failure is reused, and the group is neither queried nor
 * awaited again. For one search, by one kind of request.
 */
export const withPendingReply = (groups: GroupClient, asked: number, reply: Promise<unknown>): GroupClient => ({
  groups: groups.groups,
  request: (group, name, payload, options) =>
    group === asked ? (reply as Promise<never>) : groups.request(group, name, payload, options),
});
