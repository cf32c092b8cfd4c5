import { z } from 'zod';
import { attoAmountField, type Brand } from '../../brand/brand.js';
import { hash, hexText } from '../bytes.js';
import { fields, list } from '../leaf.js';
import { address } from '../texts.js';
import { attoCoins, text } from './answer-leaves.js';
import { valueAnswer } from './events.js';
import { transactionObjects } from './transactions.js';

/** State of a contract (protocol 07 §2.8, §10.1). */
export const contractAnswers = (brand: Brand) => {
  const value = valueAnswer();
  const { tokens } = transactionObjects(brand);
  const amount = { [attoAmountField(brand)]: attoCoins('Amount in the smallest unit') } as {
    attoCoinAmount: z.ZodString;
  };
  return {
    contractState: fields(
      {
        address: text(address, { description: 'Address of the contract' }),
        bytecode: text(hexText, { description: 'Serialized contract' }),
        codeHash: text(hash, { description: 'Hash of the serialized contract' }),
        initialStateHash: text(hash, { description: 'Hash of the code and the first state' }).optional(),
        immFields: list(value, 'fields that cannot change'),
        mutFields: list(value, 'fields that can change'),
        asset: fields({ ...amount, tokens: tokens().optional() }, { description: 'What it owns', id: 'AssetState' }),
      },
      { description: 'State of a contract', id: 'ContractState' },
    ),
  };
};
