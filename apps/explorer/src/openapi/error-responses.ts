import { fields, type Json, plainText } from '@shardnode/http';

export const ErrorBody = fields(
  {
    detail: plainText(
      'What is wrong',
      'Invalid value for: query parameter page (expected a whole number of 32 bits: x)',
    ),
  },
  { description: 'Error', id: 'Error' },
);
export const NotFoundBody = fields(
  {
    resource: plainText('What was asked for: a hash, an address or a path', '/nothing'),
    detail: plainText('Sentence', '/nothing not found'),
  },
  { description: 'It is not there', id: 'NotFound' },
);

interface Refusal {
  readonly meaning: string;
  readonly example: Json;
}

const refusals = {
  400: {
    meaning: 'A parameter or the body cannot be read, or is out of bounds',
    example: {
      detail: 'Invalid value for: query parameter limit (expected value to be less than or equal to 100, but got 101)',
    },
  },
  403: {
    meaning: 'The header `Host` names another service',
    example: {
      detail:
        'The header Host has example.com, which is no address and no name of this service: list the name in HOST_NAMES.',
    },
  },
  404: { meaning: 'It is not there', example: { resource: 'ab'.repeat(32), detail: `${'ab'.repeat(32)} not found` } },
  413: { meaning: 'The body is larger than 64 KiB', example: { detail: 'The body is larger than 65536 bytes' } },
  429: {
    meaning:
      'The client has too many requests, or too many answers above 1 MiB that it has not read; `Retry-After` says when',
    example: { detail: 'Too many requests' },
  },
  500: { meaning: 'A fault of the explorer', example: { detail: 'Internal Server Error' } },
  503: {
    meaning: 'The database or a group-node does not answer, or all places are taken',
    example: { detail: 'Database unavailable' },
  },
  504: { meaning: 'The answer would take too long', example: { detail: 'Query timeout' } },
} as const satisfies Record<number, Refusal>;

const responseOf = (status: keyof typeof refusals): Json => {
  const { meaning, example } = refusals[status];
  const schema = { $ref: `#/components/schemas/${status === 404 ? 'NotFound' : 'Error'}` };
  return { description: meaning, content: { 'application/json': { schema, example } } };
};

/** Facts from which the errors of an operation follow. */
export interface OperationErrors {
  /** Whether it has parameters or a body. */
  readonly takesInput: boolean;
  readonly hasBody: boolean;
  readonly mayBeMissing: boolean;
}

/** Errors of an operation by their statuses (protocol 08 §5.3). */
export const errorResponses = ({ takesInput, hasBody, mayBeMissing }: OperationErrors): Json => {
  const statuses: (keyof typeof refusals)[] = [
    ...(takesInput ? ([400] as const) : []),
    403,
    ...(mayBeMissing ? ([404] as const) : []),
    ...(hasBody ? ([413] as const) : []),
    429,
    500,
    503,
    504,
  ];
  return Object.fromEntries(statuses.map((status) => [status, responseOf(status)]));
};
