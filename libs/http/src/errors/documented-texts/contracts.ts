import { type ErrorCode } from '../error-codes.js';
import { type DocumentedText, type ErrorFacts, textOf } from './documented-text.js';

/** `messages`: a line for each debug message. */
const executionFailed = textOf('{messages}VM execution error: {why}');
const wrongArguments = textOf('The number of parameters is different from the number specified by the target method');

/** Compiling and running a contract (protocol 07 §10). */
export const contractsTexts: Partial<Record<ErrorCode, DocumentedText>> = {
  /** `bareText`: without the hint. */
  CompileError: textOf('{bareText}'),
  ContractTestFailed: executionFailed,
  InvalidMethodIndex: textOf('Invalid method index {methodIndex}'),
  InvalidArguments: wrongArguments,
  InvalidFieldLength: textOf(
    'Invalid field length, expect {expected}, have {immutable} immutable fields and {mutable} mutable fields',
  ),
  InvalidGroup: ({ group }) => (group === undefined ? undefined : 'Invalid group index'),
  TooManyCalls: textOf('The number of contract calls exceeds the maximum limit({most})'),
};

/**
 * Failures of `call-contract`, which are successful responses (protocol 07 §10.6). Clients look for the word
 * `KeyNotFound`.
 */
const failedCallTexts: Partial<Record<ErrorCode, DocumentedText>> = {
  InvalidGroup: textOf('Invalid group {group}'),
  NoState: textOf('Invalid block hash Some(BlockHash(hex"{blockHash}"))'),
  BlockNotFound: textOf('Failed in IO: KeyNotFound: Key {blockHash} not found'),
  ContractNotFound: textOf('Failed in IO: KeyNotFound: Key {contractId} not found'),
  InvalidMethodIndex: textOf('VM execution error: Invalid method index {methodIndex}, method length: {methods}'),
  InvalidArguments: wrongArguments,
  ContractTestFailed: executionFailed,
};

/** The text of a failed call that existing clients match (profile `reference`); undefined if it equals our own. */
export const documentedCallText = (code: string, facts: ErrorFacts): string | undefined =>
  Object.hasOwn(failedCallTexts, code) ? failedCallTexts[code as ErrorCode]?.(facts) : undefined;
