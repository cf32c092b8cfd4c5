import { addressOf } from '@shardnode/protocol/address';
import { bytesToHex, decode } from '@shardnode/protocol/encoding';
import { valsCodec, type Val } from '@shardnode/protocol/script';
import { type EventItem } from '@shardnode/messages';
import { type z } from 'zod';
import { type EventOfBlock, type EventOfTransaction, type Val as ValSchema } from './events.schemas.js';

export type ValueAnswer = z.output<typeof ValSchema>;

/** Address of the contract with this id. */
export const contractAddressOf = (contractId: string): string => addressOf({ kind: 'p2c', contractId });

/** A value of the machine (protocol 07 §2.8). */
const valueForm = (val: Val): ValueAnswer => {
  switch (val.type) {
    case 'Bool':
      return { type: 'Bool', value: val.value };
    case 'U256':
    case 'I256':
      return { type: val.type, value: val.value.toString() };
    case 'ByteVec':
      return { type: 'ByteVec', value: bytesToHex(val.value) };
    case 'Address':
      return { type: 'Address', value: addressOf(val.value) };
  }
};

/** Values from an encoded list in the form of bus messages. */
export const valueForms = (encoded: Uint8Array): ValueAnswer[] => decode(valsCodec, encoded).map(valueForm);

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
