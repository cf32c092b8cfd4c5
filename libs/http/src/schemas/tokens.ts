import { digits, textOf } from './answer-leaves.js';
import { tokenIdText } from './bytes.js';
import { fields, list } from './leaf.js';

/** Amounts of tokens in an answer (protocol 07 §2.2, 08 §5.4). */
export const Tokens = list(
  fields(
    { id: textOf(tokenIdText), amount: digits("Count of the token's smallest unit") },
    { description: 'Amount of a token', id: 'Token' },
  ),
  'tokens',
);
