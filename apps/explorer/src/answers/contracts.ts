import { z } from 'zod';
import { blockHashText, contractAddress, fields, list, textOf, time, transactionIdText } from '@shardnode/http';
import { stdInterfaceId } from './tokens.js';

const moment = fields(
  { blockHash: textOf(blockHashText), txHash: textOf(transactionIdText), timestamp: time('Time of the block') },
  { description: 'Place in the chain', id: 'ContractMoment' },
);
const parent = textOf(contractAddress, { description: 'Contract that created it' });

/** protocol 08 §5.8 */
export const ContractLiveness = fields(
  { parent: parent.nullable(), creation: moment, destruction: moment.nullable(), interfaceId: stdInterfaceId },
  { description: 'Life of a contract', id: 'ContractLiveness' },
);
export const ContractLives = list(ContractLiveness, 'lives of a contract, newest first');
export const ContractParent = fields({ parent: parent.optional() }, { description: 'Parent', id: 'ContractParent' });
export const SubContracts = fields(
  { subContracts: list(textOf(contractAddress), 'contracts, newest creation first') },
  { description: 'Contracts that a contract created', id: 'SubContracts' },
);

export type ContractLivenessAnswer = z.input<typeof ContractLiveness>;
