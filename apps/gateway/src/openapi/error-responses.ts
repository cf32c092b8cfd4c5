import { errorHeaders, type ErrorHeaderKey } from '@shardnode/core/http-server';
import {
  developmentValues,
  errorCodes,
  fields,
  type Json,
  plainText,
  statusOfCode,
  type ErrorCode,
  type ErrorTexts,
} from '@shardnode/http';
import { type Role } from '../access/roles.js';
import { errorExamples } from './error-examples.js';

export const ErrorBody = fields(
  {
    detail: plainText(
      'What is wrong, and what to do',
      'Wallet exchange-hot-1 is locked: unlock it with its password first',
    ),
  },
  { description: 'Error', id: 'Error' },
);
export const NotFoundBody = fields(
  {
    resource: plainText('What was asked for', 'exchange-hot-1'),
    detail: plainText('Sentence', 'exchange-hot-1 not found'),
  },
  { description: 'Nothing of that name', id: 'NotFound' },
);

/** Facts from which the errors of an operation follow. */
export interface OperationErrors {
  /** `get`, `post`, ... */
  readonly method: string;
  /** Whether it takes parameters or a body. */
  readonly takesInput: boolean;
  readonly synced: boolean;
  readonly role: Role;
  /** Errors of the operation itself. */
  readonly codes: readonly ErrorCode[];
  /** Whether a key is required in `X-API-KEY`. */
  readonly hasApiKey: boolean;
  readonly texts: ErrorTexts;
}

const statusMeanings: Readonly<Record<number, string>> = {
  400: 'The request cannot be read, or what it asks for is refused',
  401: 'A key, a password or an unlocked wallet is needed',
  403: 'A web page asks that is not allowed to, the header Host has a foreign name, or the key is for less',
  404: 'There is no such thing',
  409: 'There is such a thing already',
  413: 'The body is larger than 10485760 bytes',
  429: 'Too many requests, or wrong passwords: wait as long as Retry-After says',
  500: 'A fault of the node',
  503: 'A group-node that is needed does not answer, or has not caught up',
};

/** Statuses that every operation may return. */
const commonStatuses = [400, 401, 403, 429, 500, 503];

const commonCodes = ({ method, takesInput, synced, role, hasApiKey }: OperationErrors): ErrorCode[] => [
  ...(takesInput ? (['InvalidRequest'] as const) : []),
  // A body is read wherever one may arrive, also where none is expected.
  ...(method === 'get' ? [] : (['InvalidBody', 'BodyTooLarge', 'ServerBusy'] as const)),
  'InvalidApiKey',
  ...(hasApiKey ? (['MissingApiKey', 'WrongApiKey'] as const) : (['ApiKeyNotConfigured'] as const)),
  // Every key may read.
  ...(hasApiKey && role !== 'read' ? (['KeyNotPermitted'] as const) : []),
  ...(synced ? (['NotSynced', 'ClockOff', 'ChainSplit'] as const) : []),
  'ForeignOrigin',
  'ForeignHost',
  'TooManyRequests',
  'NoResponder',
  'DeadlineExceeded',
  'InternalServerError',
];

const headerSchemas: Readonly<Record<ErrorHeaderKey, Json>> = {
  code: { type: 'string', pattern: '^[A-Za-z0-9]+$', example: 'WalletLocked' },
  field: { type: 'string', format: 'text', example: 'destinations[0].address' },
  next: { type: 'string', format: 'text', example: 'POST /wallets/exchange-hot-1/unlock' },
  conflictingTxId: {
    type: 'string',
    format: 'hex',
    pattern: '^[0-9a-f]{64}$',
    example: developmentValues.payment.txId,
  },
  spendableAt: { type: 'integer', format: 'int64', example: 1_611_041_396_892, 'x-unit': 'ms' },
  failure: { type: 'string', pattern: '^[A-Za-z0-9]+$', example: 'AssertionFailedWithErrorCode' },
  failedContract: {
    type: 'string',
    format: 'base58',
    pattern: '^[1-9A-HJ-NP-Za-km-z]+$',
    example: developmentValues.contract.address,
  },
  failedInstruction: { type: 'string', format: 'text', example: 'AssertWithErrorCode, method 2, instruction 3' },
  assertionCode: { type: 'string', format: 'decimal-integer', pattern: '^[0-9]+$', example: '0' },
  failedFunction: { type: 'string', format: 'text', example: 'TokenFaucet.withdraw' },
  assertionName: { type: 'string', format: 'text', example: 'FaucetError.InvalidWithdrawAmount' },
  contractGroup: { type: 'string', format: 'decimal-integer', pattern: '^[0-9]+$', example: '1' },
  signatureAdvice: {
    type: 'string',
    format: 'text',
    example: 'its s is above half the order n of the curve secp256k1, and with n - s it verifies',
  },
  walletAdvice: {
    type: 'string',
    format: 'text',
    example: `The address asked is ${developmentValues.accounts[0].address}, the active one of wallet exchange-hot-1; no other one has coins that can be spent.`,
  },
  sweepAdvice: {
    type: 'string',
    format: 'text',
    example: 'The address has no outputs.',
  },
  retryAfterSeconds: { type: 'integer', format: 'int32', minimum: 1, example: 5, 'x-unit': 's' },
};

/** Statuses with a header; headers that are not named here: all errors. */
const statusesOfHeader: Partial<Record<ErrorHeaderKey, readonly number[]>> = {
  field: [400],
  conflictingTxId: [400],
  spendableAt: [400],
  failure: [400],
  failedContract: [400],
  failedInstruction: [400],
  assertionCode: [400],
  failedFunction: [400],
  assertionName: [400],
  contractGroup: [400],
  signatureAdvice: [400],
  walletAdvice: [400],
  sweepAdvice: [],
  retryAfterSeconds: [429, 503],
};

/** Components of the headers of responses. */
export const headerComponents = (): Json => ({
  'X-Request-Id': {
    description: 'Names the request in the logs; the one that the client sent, if it sent one',
    schema: { type: 'string', format: 'text', example: '1f0c2a4e-7f5d-4a53-9f0e-6f2c0f5d9a10' },
  },
  ...Object.fromEntries(
    Object.entries(errorHeaders).map(([key, { name, meaning }]) => [
      name,
      { description: meaning, schema: headerSchemas[key as ErrorHeaderKey] },
    ]),
  ),
});

const headerReferences = (names: readonly string[]): Json =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

const headersOfStatus = (status: number): Json =>
  headerReferences([
    'X-Request-Id',
    ...Object.entries(errorHeaders)
      .filter(([key]) => statusesOfHeader[key as ErrorHeaderKey]?.includes(status) ?? true)
      .map(([, { name }]) => name),
  ]);

/** A response with the first of these codes that has an example. */
const exampleOf = (status: number, codes: readonly ErrorCode[], texts: ErrorTexts): Json => {
  const { own, documented = own, resource } = codes.flatMap((code) => errorExamples[code] ?? [])[0]!;
  return { ...(status === 404 ? { resource } : {}), detail: texts === 'documented' ? documented : own };
};

const errorResponse = (status: number, codes: readonly ErrorCode[], texts: ErrorTexts): Json => ({
  description: [
    statusMeanings[status] ?? 'Error',
    ...codes.map((code) => `- \`${code}\`: ${errorCodes[code].meaning}`),
  ].join('\n\n'),
  headers: headersOfStatus(status),
  content: {
    'application/json': {
      schema: { $ref: `#/components/schemas/${status === 404 ? 'NotFound' : 'Error'}` },
      example: exampleOf(status, codes, texts),
    },
  },
  'x-error-codes': codes,
});

/** Each status of errors of an operation with its body, headers and codes. */
export const errorResponses = (operation: OperationErrors): Json => {
  // The most specific codes come first.
  const codes = [...new Set([...operation.codes, ...commonCodes(operation)])];
  const statuses = new Set([...commonStatuses, ...codes.map(statusOfCode)]);
  return Object.fromEntries(
    [...statuses]
      .sort((a, b) => a - b)
      .map((status) => [
        status,
        errorResponse(
          status,
          codes.filter((code) => statusOfCode(code) === status),
          operation.texts,
        ),
      ]),
  );
};

/** Headers of a 200: that of every response, and those of the operation. */
export const answerHeaders = (own: readonly ErrorHeaderKey[]): Json =>
  headerReferences(['X-Request-Id', ...own.map((key) => errorHeaders[key].name)]);
