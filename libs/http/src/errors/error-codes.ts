import { httpStatusOfKind, ServiceError, type ErrorData } from '@shardnode/core/errors';
import { type ErrorRow } from './error-row.js';

/**
 * The errors that the HTTP edge itself gives, and those of services that clients tell apart by name: kind (hence status) and
 * meaning. Refusals of builders and of the validation are named in protocol 07 §16.11 and Appendix C; all are `refused`.
 */
export const errorCodes = {
  InvalidRequest: { kind: 'invalid-request', meaning: 'the request does not fit its schema' },
  InvalidBody: { kind: 'invalid-request', meaning: 'the body is not JSON' },
  InvalidHex: { kind: 'invalid-request', meaning: 'the transaction is not hexadecimal' },
  InvalidTransaction: { kind: 'invalid-request', meaning: 'the bytes are no transaction' },
  InvalidPublicKey: { kind: 'invalid-request', meaning: 'the key has another length than its kind' },
  InvalidMultisig: { kind: 'invalid-request', meaning: 'm is not between 1 and the number of keys' },
  InvalidInterval: { kind: 'invalid-request', meaning: 'the interval is reversed or too long' },
  InvalidApiKey: { kind: 'invalid-request', meaning: 'the key has fewer than 32 characters' },
  MissingApiKey: { kind: 'unauthorized', meaning: 'the interface wants a key' },
  WrongApiKey: { kind: 'unauthorized', meaning: 'the key is another one' },
  ApiKeyNotConfigured: { kind: 'unauthorized', meaning: 'a key was sent, but none is configured' },
  WalletLocked: { kind: 'unauthorized', meaning: 'unlock the wallet first' },
  InvalidPassword: { kind: 'unauthorized', meaning: 'the password is wrong' },
  TooManyRequests: {
    kind: 'throttled',
    meaning: 'the client sends more than its limit: wait as long as Retry-After says',
  },
  TooManyWrongPasswords: { kind: 'throttled', meaning: 'wait as long as Retry-After says' },
  BlockNotFound: { kind: 'not-found', meaning: 'no such block is known' },
  TransactionNotFound: { kind: 'not-found', meaning: 'no block of the main chain has it' },
  ContractNotFound: { kind: 'not-found', meaning: 'no such contract' },
  WalletNotFound: { kind: 'not-found', meaning: 'no such wallet' },
  WalletExists: { kind: 'conflict', meaning: 'the name is in use' },
  NotSynced: { kind: 'unavailable', meaning: 'group-nodes are catching up' },
  ClockOff: {
    kind: 'unavailable',
    meaning: 'the clock of a group-node is more than 5 s away from those of two others',
  },
  NoResponder: { kind: 'unavailable', meaning: 'a service that is needed is not there' },
  DeadlineExceeded: { kind: 'unavailable', meaning: 'a service that is needed is slow' },
  MempoolFull: { kind: 'unavailable', meaning: 'the mempool is full and kept nothing' },
  InternalServerError: { kind: 'broken', meaning: 'a fault of ours; the log has it under the request id' },
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof errorCodes;

/** The HTTP status of an error of the table. */
export const statusOfCode = (code: ErrorCode): number => {
  const { kind, status }: ErrorRow = errorCodes[code];
  return status ?? httpStatusOfKind[kind];
};

/** An error of the table. */
export const errorOf = (code: ErrorCode, detail: string, data: ErrorData = {}): ServiceError =>
  new ServiceError(errorCodes[code].kind, code, detail, data);
