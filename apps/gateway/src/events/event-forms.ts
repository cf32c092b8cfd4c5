import { contractAddressOf, type EventItem, valueForms } from '@shardnode/messages';
import { type z } from 'zod';
import { type EventOfBlock, type EventOfTransaction } from './events.schemas.js';

const parts = ({ eventIndex, fields }: EventItem) => ({ eventIndex, fields: valueForms(fields) });

/** Protocol 07 §2.7. */
export const eventOfContractForm = (event: EventItem) => ({
  blockHash: event.blockHash,
  txId: event.txId,
  ...parts(event),
});
export const eventOfTransactionForm = (event: EventItem): z.output<typeof EventOfTransaction> => ({
  blockHash: event.blockHash,
  contractAddress: contractAddressOf(event.contractId),
  ...parts(event),
});
export const eventOfBlockForm = (event: EventItem): z.output<typeof EventOfBlock> => ({
  txId: event.txId,
  contractAddress: contractAddressOf(event.contractId),
  ...parts(event),
});
