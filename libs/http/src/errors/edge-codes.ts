import { type serverErrorKinds } from '@shardnode/core/errors';
import { type lookupErrorKinds } from '@shardnode/messages';
import { type OwnRows, type RowsOf } from './error-row.js';

/** Errors of the HTTP interface itself, before a request to a service. */
export const edgeCodes = {
  RouteNotFound: { kind: 'not-found', meaning: 'no such path', next: 'GET /docs/openapi.json' },
  MethodNotAllowed: {
    kind: 'invalid-request',
    status: 405,
    meaning: 'the path is known, but not with this method: the header `Allow` lists those that are',
  },
  MalformedPath: { kind: 'invalid-request', meaning: 'the path is not percent-encoded, or far too long' },
  MalformedRequest: { kind: 'invalid-request', meaning: 'the request as it was sent cannot be read' },
  RequestTimeout: { kind: 'invalid-request', status: 408, meaning: 'the request did not arrive in time' },
  HeadersTooLarge: { kind: 'invalid-request', status: 431, meaning: 'the headers are larger than the interface reads' },
  BodyTooLarge: { kind: 'invalid-request', status: 413, meaning: 'the body is larger than the interface reads' },
  ForeignOrigin: {
    kind: 'forbidden',
    meaning:
      'a web page asks whose origin is not in `CORS_ORIGINS`; `*` there counts only for what a key of the role `read` may call. Programs send no `Origin`',
  },
  ForeignHost: {
    kind: 'forbidden',
    meaning: 'the header `Host` has a name that is not in `HOST_NAMES`; addresses and `localhost` always pass',
  },
  InvalidRequest: {
    kind: 'invalid-request',
    meaning: 'the request does not fit its schema; the detail names every mistake, with what was expected',
  },
  InvalidBody: { kind: 'invalid-request', meaning: 'the body is not JSON, or nested too deeply' },
  InvalidHex: { kind: 'invalid-request', meaning: 'the transaction is not hexadecimal', fields: ['unsignedTx'] },
  InvalidTransaction: { kind: 'invalid-request', meaning: 'the bytes are no transaction', fields: ['unsignedTx'] },
  InvalidPublicKey: {
    kind: 'invalid-request',
    meaning: 'the key has another length than its kind, is no point of the curve, or is none of the address',
    fields: ['fromPublicKey', 'fromPublicKeys', 'keys', 'publicKey'],
  },
  InvalidMultisig: {
    kind: 'invalid-request',
    meaning: 'm is not between 1 and the number of keys, or the keys are too many or repeated',
    fields: ['mrequired'],
  },
  InvalidInterval: {
    kind: 'invalid-request',
    meaning:
      'the interval is reversed, too long or before the genesis (milliseconds are wanted), or the range of entries is out of bounds',
    fields: ['fromTs', 'toTs', 'timespan', 'start', 'limit'],
  },
  InvalidTarget: { kind: 'invalid-request', meaning: 'the target of work is not above zero', fields: ['target'] },
  InvalidMinerAddresses: {
    kind: 'invalid-request',
    meaning: 'there is one miner address for each group, in order',
    fields: ['addresses'],
    next: 'GET /miners/addresses',
  },
  NoMinerAddresses: {
    kind: 'broken',
    meaning: 'nobody is set to be paid for blocks',
    next: 'PUT /miners/addresses',
  },
  InvalidApiKey: {
    kind: 'invalid-request',
    meaning: 'the key has fewer than 32 characters',
    fields: ['X-API-KEY'],
  },
  MissingApiKey: { kind: 'unauthorized', meaning: 'the interface wants a key', fields: ['X-API-KEY'] },
  WrongApiKey: { kind: 'unauthorized', meaning: 'the key is another one', fields: ['X-API-KEY'] },
  KeyNotPermitted: {
    kind: 'forbidden',
    meaning:
      'the role of the key has fewer rights than the operation needs; the text names the settings whose keys have them',
    fields: ['X-API-KEY'],
  },
  ApiKeyNotConfigured: {
    kind: 'unauthorized',
    meaning: 'a key was sent, but none is configured: leave it out',
    fields: ['X-API-KEY'],
  },
  TooManyRequests: {
    kind: 'throttled',
    meaning:
      'the client sends more than its limit, asks for many large answers at once, or has many sources compiled at once: wait as long as `Retry-After` says',
  },
  ServerBusy: {
    kind: 'unavailable',
    meaning:
      'the requests that are being read, the large answers that are being made, the outputs of large addresses or the sources that are compiled are as many as there may be: wait as long as `Retry-After` says',
  },
  BlockNotFound: {
    kind: 'not-found',
    meaning: 'no such block is known',
    fields: ['block_hash', 'ghost_uncle_hash', 'blockHash', 'targetBlockHash'],
  },
  NoGhostUncle: {
    kind: 'refused',
    meaning: 'the block is of the main chain, and so no uncle of another',
    fields: ['ghost_uncle_hash'],
    next: 'GET /blockflow/blocks/{ghost_uncle_hash}',
  },
  TransactionNotFound: {
    kind: 'not-found',
    meaning: 'no block of the main chain, or no mempool, has it',
    fields: ['txId'],
    next: 'GET /transactions/status?txId={txId}',
  },
  ContractNotFound: { kind: 'not-found', meaning: 'no such contract', fields: ['address', 'contractAddress'] },
} as const satisfies RowsOf<typeof serverErrorKinds & typeof lookupErrorKinds> & OwnRows;
