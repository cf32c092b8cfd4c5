import { type contractErrorKinds } from '@shardnode/messages';
import { type OwnRows, type RowsOf } from './error-row.js';

/** Errors of dry runs of contracts (protocol 07 §10.5 to §10.7, §17). */
export const contractCodes = {
  ContractTestFailed: {
    kind: 'refused',
    meaning:
      'the run of the method fails: `X-Failure` names how, `X-Failed-Contract`, `X-Failed-Instruction` and `X-Assertion-Code` say where',
  },
  InvalidMethodIndex: { kind: 'refused', meaning: 'the contract has no such method', fields: ['methodIndex'] },
  InvalidArguments: {
    kind: 'refused',
    meaning: 'the method takes another number of arguments; the values of an array count one by one',
    fields: ['args'],
  },
  InvalidFieldLength: {
    kind: 'refused',
    meaning: 'the contract has another number of fields',
    fields: ['initialMutFields', 'existingContracts', 'bytecode'],
  },
  TestFeeNotCovered: {
    kind: 'refused',
    meaning: 'the first input asset has fewer coins than the run costs, half a coin',
    fields: ['inputAssets'],
  },
  RunTooLong: {
    kind: 'refused',
    meaning: 'the run reads more contracts that were not in memory than it is given time for: let it read fewer',
  },
  TooManyCalls: { kind: 'refused', meaning: 'a request makes at most 20 calls', fields: ['calls'] },
  TooManyRuns: {
    kind: 'throttled',
    meaning: 'the group-node runs as many contracts for others as it can: wait as long as `Retry-After` says',
  },
} as const satisfies RowsOf<typeof contractErrorKinds> & OwnRows;
