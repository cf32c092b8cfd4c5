import { attoCoins, textOf } from './answer-leaves.js';
import { hash, hexText } from './bytes.js';
import { developmentValues } from './development-values.js';
import { fields, list } from './leaf.js';
import { contractAddress } from './texts.js';
import { Tokens } from './tokens.js';
import { Val } from './val.js';

const { contract } = developmentValues;

export const codeHash = textOf(hash, {
  description: 'Hash of the serialized contract',
  example: contract.codeHash,
});

/** Protocol 07 §2.8, 08 §5.8. */
export const ContractState = fields(
  {
    address: textOf(contractAddress, { description: 'Address of the contract' }),
    bytecode: textOf(hexText, { description: 'Serialized contract', example: contract.code }),
    codeHash,
    initialStateHash: textOf(hash, {
      description: 'Hash of the code and the first state',
      example: contract.initialStateHash,
    }).optional(),
    immFields: list(Val, 'fields that cannot change'),
    mutFields: list(Val, 'fields that can change'),
    asset: fields(
      { attoCoinAmount: attoCoins('Amount in the smallest unit'), tokens: Tokens.optional() },
      { description: 'What it owns', id: 'AssetState' },
    ),
  },
  { description: 'State of a contract', id: 'ContractState' },
);
