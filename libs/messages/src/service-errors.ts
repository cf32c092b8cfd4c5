import { busErrorKinds, type ErrorKinds, errorsOf } from '@shardnode/core/errors';

/** Why a group-node does not do its work. */
export const groupErrorKinds = {
  NotSynced: 'unavailable',
  ClockOff: 'unavailable',
  ChainSplit: 'unavailable',
  QueueFull: 'unavailable',
  TooManyWaiting: 'unavailable',
  StoreUnavailable: 'unavailable',
  MempoolFull: 'unavailable',
  TooManyUnminedAncestors: 'unavailable',
  NotThisGroup: 'invalid-request',
  InvalidGroup: 'invalid-request',
  StateNotAvailable: 'not-found',
  NoState: 'invalid-request',
} as const satisfies ErrorKinds;

/** Things that a request to a group-node names and the node does not have or take. */
export const lookupErrorKinds = {
  BlockNotFound: 'not-found',
  TransactionNotFound: 'not-found',
  ContractNotFound: 'not-found',
  InvalidMinerAddresses: 'invalid-request',
} as const satisfies ErrorKinds;

/** Runs of contracts that change nothing (protocol 07 §10.5 to §10.7). */
export const contractErrorKinds = {
  ContractTestFailed: 'refused',
  InvalidMethodIndex: 'refused',
  InvalidArguments: 'refused',
  InvalidFieldLength: 'refused',
  TestFeeNotCovered: 'refused',
  RunTooLong: 'refused',
  TooManyRuns: 'throttled',
} as const satisfies ErrorKinds;

/** Refusals of the wallet-service (protocol 07 §3.4). */
export const walletErrorKinds = {
  WalletLocked: 'unauthorized',
  WalletNotFound: 'not-found',
  WalletExists: 'conflict',
  InvalidWalletName: 'invalid-request',
  InvalidPassword: 'unauthorized',
  InvalidPassphrase: 'unauthorized',
  TooManyWrongPasswords: 'throttled',
  TooManyPasswordChecks: 'throttled',
  MinerWalletNeeded: 'unauthorized',
  UnknownAddress: 'invalid-request',
  InvalidMnemonic: 'invalid-request',
  InvalidMnemonicSize: 'invalid-request',
  InvalidData: 'invalid-request',
  InvalidWalletRecord: 'broken',
  BuiltTransactionDiffers: 'broken',
} as const satisfies ErrorKinds;

/**
 * An error that a service answers with: its name has the kind of the tables. Refusals of the rules have names of their own
 * (`RefusalName`, `BuildRefusalName`) and the kind `refused`.
 */
export const serviceError = errorsOf({
  ...busErrorKinds,
  ...groupErrorKinds,
  ...lookupErrorKinds,
  ...contractErrorKinds,
  ...walletErrorKinds,
  // Of bytes that a request has; as a refusal of a block or transaction it is `refused`.
  Undecodable: 'invalid-request',
  InvalidTargetBlock: 'refused',
  DoubleSpending: 'refused',
});
