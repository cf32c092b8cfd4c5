import { type GroupClient, type GroupRequestName, type GroupRequests, type OptionalChain } from '@shardnode/messages';

/** The first of the groups that may have it and has the reply in memory. Undefined: they have to be asked. */
export const replyAtOnce = <Name extends GroupRequestName>(
  groups: GroupClient,
  name: Name,
  question: GroupRequests[Name]['request'] & OptionalChain,
): GroupRequests[Name]['reply'] | undefined => {
  if (question.from !== undefined) return groups.atOnce(question.from, name, question);
  for (let group = 0; group < groups.groups; group++) {
    const reply = groups.atOnce(group, name, question);
    if (reply !== undefined) return reply;
  }
  return undefined;
};
