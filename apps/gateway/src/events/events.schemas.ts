import {
  blockHashText,
  contractAddress,
  count,
  fields,
  groupIndex,
  int32,
  list,
  numberOf,
  optional,
  required,
  textOf,
  transactionIdText,
  Val,
} from '@shardnode/http';
import { parametersOf } from '../operations/parameters.js';

/* Events of contracts (protocol 07 §2.7, §11). */

const blockHash = textOf(blockHashText, { description: 'Block that the event happened in' });
const txId = textOf(transactionIdText);
const emitter = textOf(contractAddress, { description: 'Address of the contract' });
const event = {
  eventIndex: numberOf(int32('Number of the event in its contract; negative: an event of the node', 0)),
  fields: list(Val, 'fields of the event'),
};
export const EventOfBlock = fields(
  { txId, contractAddress: emitter, ...event },
  { description: 'Event in a block', id: 'ContractEventByBlockHash' },
);
export const EventOfTransaction = fields(
  { blockHash, contractAddress: emitter, ...event },
  { description: 'Event of a transaction', id: 'ContractEventByTxId' },
);
export const ContractEvents = fields(
  {
    events: list(
      fields({ blockHash, txId, ...event }, { description: 'Event of a contract', id: 'ContractEvent' }),
      'events',
    ),
    nextStart: numberOf(count('Start of the next page', 0)),
  },
  { description: 'Events of a contract', id: 'ContractEvents' },
);
export const TransactionEvents = fields(
  { events: list(EventOfTransaction, 'events') },
  { description: 'Events of a transaction', id: 'ContractEventsByTxId' },
);
export const BlockEvents = fields(
  { events: list(EventOfBlock, 'events') },
  { description: 'Events of a block', id: 'ContractEventsByBlockHash' },
);
export const EventCount = numberOf(count('Number of entries: an entry holds the events of a contract in one block', 3));

const groupParameter = {
  group: optional(groupIndex('Checked, and otherwise ignored: all groups are searched')),
};
export const EventsGroupQuery = parametersOf(groupParameter);
export const ContractEventsQuery = parametersOf({
  start: required(int32('Number of the first entry, from 0', 0)),
  limit: optional(int32('How many entries at most, 1 to 100; default 100', 100)),
  ...groupParameter,
});
export const ContractEventsPath = parametersOf({ contractAddress: required(contractAddress) });
export const TransactionEventsPath = parametersOf({ txId: required(transactionIdText) });
export const BlockEventsPath = parametersOf({ blockHash: required(blockHashText) });
