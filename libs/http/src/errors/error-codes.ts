import { httpStatusOfKind, ServiceError, type ErrorData } from '@shardnode/core/errors';
import { buildingCodes } from './building-codes.js';
import { compilerCodes } from './compiler-codes.js';
import { contractCodes } from './contract-codes.js';
import { edgeCodes } from './edge-codes.js';
import { type ErrorRow } from './error-row.js';
import { serviceCodes } from './service-codes.js';
import { validationCodes } from './validation-codes.js';
import { walletCodes } from './wallet-codes.js';

/** Every error that a client can receive, by source. The compiler compares each table with the names that its source gives. */
export const errorTables = {
  'The interface': edgeCodes,
  Wallets: walletCodes,
  'Building a transaction': buildingCodes,
  'Submitting a transaction': validationCodes,
  'Compiling a source': compilerCodes,
  'Running a contract': contractCodes,
  'The services behind the interface': serviceCodes,
} as const;

export const errorCodes = {
  ...edgeCodes,
  ...walletCodes,
  ...buildingCodes,
  ...validationCodes,
  ...compilerCodes,
  ...contractCodes,
  ...serviceCodes,
};

export type ErrorCode = keyof typeof errorCodes;

const namesOf = (table: Readonly<Record<string, ErrorRow>>): readonly ErrorCode[] => Object.keys(table) as ErrorCode[];

/** Refusals of building: its own, and those of validation that it predicts (00-decisions, 26). */
export const buildingRefusals: readonly ErrorCode[] = [
  ...namesOf(buildingCodes),
  'OutputDataSizeExceeded',
  'TooManyOutputs',
];
/** Refusals of signed transactions. */
export const validationRefusals = namesOf(validationCodes);
/** A group-node accepts no more transactions for now. */
export const intakeRefusals: readonly ErrorCode[] = ['QueueFull', 'MempoolFull', 'TooManyUnminedAncestors'];
/** Refusals of submitting signed transactions. */
export const submitRefusals: readonly ErrorCode[] = [
  'InvalidHex',
  'InvalidTransaction',
  ...validationRefusals,
  ...intakeRefusals,
  'TooManyRuns',
];

/** Refusals of the compiler. */
export const compilerRefusals = namesOf(compilerCodes);

/** Refusals and failures of a contract run. */
export const contractRefusals = namesOf(contractCodes);

/** The row of a code; undefined for an unknown code of a newer service. */
export const rowOfCode = (code: string): ErrorRow | undefined =>
  Object.hasOwn(errorCodes, code) ? errorCodes[code as ErrorCode] : undefined;

export const statusOfRow = ({ kind, status }: ErrorRow): number => status ?? httpStatusOfKind[kind];

/** The HTTP status of an error. */
export const statusOfCode = (code: ErrorCode): number => statusOfRow(errorCodes[code]);

/** An error of the table. */
export const errorOf = (code: ErrorCode, detail: string, data: ErrorData = {}): ServiceError =>
  new ServiceError(errorCodes[code].kind, code, detail, data);
