import { z } from 'zod';
import { blockHashText, hexText, transactionIdText } from '../bytes.js';
import { fields, list, meanings } from '../leaf.js';
import { count, int32 } from '../numbers.js';
import { address, contractAddress } from '../texts.js';
import { digits, flag, number, tagged, text } from './answer-leaves.js';

/** A value of a contract's field (protocol 07 §2.8). */
export const valueAnswer = () =>
  z
    .union([
      fields({ type: tagged('Bool'), value: flag('The value', true) }, { description: 'Truth value', id: 'ValBool' }),
      fields({ type: tagged('U256'), value: digits('The value', '1') }, { description: 'Whole number', id: 'ValU256' }),
      fields(
        {
          type: tagged('I256'),
          value: z.string().register(meanings, {
            description: 'The value',
            example: '-1',
            type: 'string',
            format: 'decimal-integer',
            pattern: '^-?[0-9]+$',
          }),
        },
        { description: 'Whole number with a sign', id: 'ValI256' },
      ),
      fields(
        { type: tagged('ByteVec'), value: text(hexText, { description: 'The value' }) },
        { description: 'Bytes', id: 'ValByteVec' },
      ),
      fields({ type: tagged('Address'), value: text(address) }, { description: 'Address', id: 'ValAddress' }),
    ])
    .register(meanings, { description: 'Value of a field', id: 'Val' });

export type EventAnswers = ReturnType<typeof eventAnswers>;

/** Events of contracts (protocol 07 §2.7, §11). */
export const eventAnswers = () => {
  const blockHash = () => text(blockHashText, { description: 'Block that the event happened in' });
  const txId = () => text(transactionIdText);
  const emitter = () => text(contractAddress, { description: 'Address of the contract' });
  const value = valueAnswer();
  const parts = () => ({
    eventIndex: number(int32('Number of the event in its contract; negative: an event of the node', 0)),
    fields: list(value, 'fields of the event'),
  });
  const eventOfBlock = fields(
    { txId: txId(), contractAddress: emitter(), ...parts() },
    { description: 'Event in a block', id: 'ContractEventByBlockHash' },
  );
  const eventOfTransaction = fields(
    { blockHash: blockHash(), contractAddress: emitter(), ...parts() },
    { description: 'Event of a transaction', id: 'ContractEventByTxId' },
  );
  return {
    value,
    eventOfBlock,
    eventOfTransaction,
    contractEvents: fields(
      {
        events: list(
          fields(
            { blockHash: blockHash(), txId: txId(), ...parts() },
            { description: 'Event of a contract', id: 'ContractEvent' },
          ),
          'events',
        ),
        nextStart: number(count('Start of the next page', 0)),
      },
      { description: 'Events of a contract', id: 'ContractEvents' },
    ),
    transactionEvents: fields(
      { events: list(eventOfTransaction, 'events') },
      { description: 'Events of a transaction', id: 'ContractEventsByTxId' },
    ),
    blockEvents: fields(
      { events: list(eventOfBlock, 'events') },
      { description: 'Events of a block', id: 'ContractEventsByBlockHash' },
    ),
    eventCount: number(count('Number of entries: an entry holds the events of a contract in one block', 3)),
  };
};
