import { z } from 'zod';
import { digits, flagAnswer, tagged, textOf } from './answer-leaves.js';
import { hexText } from './bytes.js';
import { fields, meanings } from './leaf.js';
import { address } from './texts.js';

/** A value of a contract's field (protocol 07 §2.8, 08 §5.4). */
export const Val = z
  .union([
    fields(
      { type: tagged('Bool'), value: flagAnswer('The value', true) },
      { description: 'Truth value', id: 'ValBool' },
    ),
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
      { type: tagged('ByteVec'), value: textOf(hexText, { description: 'The value' }) },
      { description: 'Bytes', id: 'ValByteVec' },
    ),
    fields({ type: tagged('Address'), value: textOf(address) }, { description: 'Address', id: 'ValAddress' }),
  ])
  .register(meanings, { description: 'Value of a field', id: 'Val' });
