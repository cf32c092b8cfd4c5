import { type GroupClient } from '@shardnode/messages';
import { textOfReply, type ReadyText } from '../endpoint/ready-text.js';
import { confirmedForm, type Confirmed, type StatusQuery } from './transaction-status.js';

const confirmedText = textOfReply(confirmedForm);

/**
 * The status of a transaction that is Confirmed, if both its groups are in this process and show its block in this very moment;
 * undefined for all else, which `findStatus` asks and waits for.
 */
export const readyStatus = (query: StatusQuery): ((groups: GroupClient) => ReadyText) => {
  // The same question each time: the bus knows then that it is a good one.
  let block: { readonly blockHash: string } | undefined;
  let foundIn = query.from ?? 0;
  return (groups) => {
    const count = query.from === undefined ? groups.groups : 1;
    for (let tried = 0; tried < count; tried++) {
      const group = (foundIn + tried) % groups.groups;
      const reply = groups.atOnce(group, 'read.transaction.status', query);
      if (reply?.type !== 'Confirmed') continue;
      foundIn = group;
      if (block?.blockHash !== reply.blockHash) block = { blockHash: reply.blockHash };
      return isShown(reply, { group, block }, groups) ? confirmedText(reply) : undefined;
    }
    return undefined;
  };
};

/** The owner of the chain has said so by its answer, the other group is asked: as `findStatus` does. */
const isShown = (
  { chainFrom, chainTo }: Confirmed,
  { group, block }: { readonly group: number; readonly block: { readonly blockHash: string } },
  groups: GroupClient,
): boolean => {
  const shows = (asked: number): boolean => groups.atOnce(asked, 'read.view.includes', block)?.included === true;
  return (chainFrom === group || shows(chainFrom)) && (chainTo === chainFrom || shows(chainTo));
};
