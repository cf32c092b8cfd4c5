import { z } from 'zod';
import { fields, list, meanings, plainText } from '@shardnode/http';

const kinds = ['block', 'transaction', 'pending', 'token', 'address', 'contract'] as const;

/** protocol 08 §5.12 */
const Hit = fields(
  {
    kind: z.enum(kinds).register(meanings, { description: 'What it is', type: 'string', enum: kinds }),
    id: plainText('Hash, id or address', 'ab'.repeat(32)),
    label: plainText('Chain of a block, symbol of a token', '0 -> 1').optional(),
  },
  { description: 'Something that fits', id: 'Finding' },
);
export const SearchHits = list(Hit, 'findings, at most 10');

export type SearchHit = z.input<typeof Hit>;
