import { type GroupClient } from '@shardnode/messages';
import { textOfReply, type ReadyText } from '../endpoint/ready-text.js';
import { confirmedForm, type Confirmed, type StatusQuery } from './transaction-status.js';

const confirmedText = textOfReply(confirmedForm);

/**
 * The status of a transaction that is Confirmed, if both its groups are in this process and show its block in this very moment;
 * undefined for all else, which `findStatus` asks and waits for.
 */
export const readyStatus = (query: StatusQuery, groups: GroupClient): ReadyText => {
  const [first, end] = query.from === undefined ? [0, groups.groups] : [query.from, query.from + 1];
  for (let group = first; group < end; group++) {
    const reply = groups.atOnce(group, 'read.transaction.status', query);
    if (reply?.type === 'Confirmed') return isShown(reply, group, groups) ? confirmedText(reply) : undefined;
  }
  return undefined;
};

/** The owner of the chain has said so by its answer, the other group is asked: as `findStatus` does. */
const isShown = ({ blockHash, chainFrom, chainTo }: Confirmed, answered: number, groups: GroupClient): boolean => {
  const shows = (group: number): boolean =>
    groups.atOnce(group, 'read.view.includes', { blockHash })?.included === true;
  return (chainFrom === answered || shows(chainFrom)) && (chainTo === chainFrom || shows(chainTo));
};
