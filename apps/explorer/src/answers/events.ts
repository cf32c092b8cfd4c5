import { type z } from 'zod';
import {
  address,
  blockHashText,
  contractAddress,
  fields,
  int32,
  list,
  numberOf,
  textOf,
  time,
  transactionIdText,
  Val,
} from '@shardnode/http';

/** protocol 08 §5.4 */
const Event = fields(
  {
    blockHash: textOf(blockHashText),
    timestamp: time('Time of the block'),
    txHash: textOf(transactionIdText),
    contractAddress: textOf(contractAddress),
    inputAddress: textOf(address, {
      description: 'Address of all inputs of the transaction; null when they differ or one is unknown',
    }).nullable(),
    eventIndex: numberOf(int32('Number of the event in its contract; negative: an event of the node', 0)),
    fields: list(Val, 'fields of the event'),
  },
  { description: 'Event of a contract', id: 'Event' },
);
export const Events = list(Event, 'events');

export type EventAnswer = z.input<typeof Event>;
