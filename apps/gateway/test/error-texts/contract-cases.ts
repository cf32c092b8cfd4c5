import { ServiceError, type ErrorData } from '@shardnode/core/errors';
import { errorCodes, type ErrorCode } from '@shardnode/http';
import { addressOf } from '@shardnode/protocol/address';
import { buildOutcome, decodeContractToDeploy } from '@shardnode/protocol/building';
import { bytesToHex, encode } from '@shardnode/protocol/encoding';
import { contractCodec } from '@shardnode/protocol/script';
import { methodOf } from '@shardnode/testing/builders';
import { type Call, type ErrorCase } from './error-case.js';

const contract = addressOf({ kind: 'p2c', contractId: `${'ab'.repeat(31)}02` });
const bytecode = bytesToHex(encode(contractCodec, { fieldLength: 0, methods: [methodOf([])] }));
/** A contract without fields, then one immutable field. */
const oneField = `${bytecode}01020500`;
const tested: Call = ['POST', '/contracts/test-contract', { bytecode }];

const failing =
  (code: ErrorCode, detail: string, data: ErrorData): (() => never) =>
  () => {
    throw new ServiceError(errorCodes[code].kind, code, detail, data);
  };

/** What a group-node refuses to run, or what fails; that these are its texts and facts, its own tests say. */
const refused = (
  code: ErrorCode,
  detail: string,
  data: ErrorData,
  rest: Pick<ErrorCase, 'documented' | 'field' | 'next' | 'when'>,
): ErrorCase => ({
  code,
  call: tested,
  groups: { 'read.contract.test': failing(code, detail, data) },
  detail,
  ...rest,
});

const compileErrorText =
  '-- error (2:24): Compilation error\n' +
  '2 |  pub fn bar() -> () { assert(true, 0) }\n' +
  '  |                       ^^^^^^\n' +
  '  |                       Function assert does not exist\n';

export const cases: readonly ErrorCase[] = [
  {
    code: 'CompileError',
    call: [
      'POST',
      '/contracts/compile-contract',
      { code: 'Contract Foo() {\n  pub fn bar() -> () { assert(true, 0) }\n}' },
    ],
    detail: `${compileErrorText}  = hint: The names of built-in functions end with \`!\`: write \`assert!\`.\n`,
    documented: compileErrorText,
    field: 'code',
  },
  refused(
    'ContractTestFailed',
    'The method fails: out of gas',
    { messages: '> Contract @ x - debug\n', why: 'OutOfGas', failure: 'OutOfGas' },
    { documented: '> Contract @ x - debug\nVM execution error: OutOfGas' },
  ),
  refused(
    'InvalidMethodIndex',
    'There is no method 7: the contract has 1 method, counted from 0',
    { methodIndex: 7, methods: 1 },
    { documented: 'Invalid method index 7', field: 'methodIndex' },
  ),
  refused(
    'InvalidArguments',
    'Method 0 takes 1 argument, got 2; the values of an array count one by one',
    { given: 2, expected: 1 },
    {
      documented: 'The number of parameters is different from the number specified by the target method',
      field: 'args',
    },
  ),
  refused(
    'InvalidFieldLength',
    'The contract existingContracts[1] has 2 fields, got 1 immutable and 0 mutable ones; the values of an array count one by one',
    { expected: 2, immutable: 1, mutable: 0, field: 'existingContracts[1]' },
    {
      documented: 'Invalid field length, expect 2, have 1 immutable fields and 0 mutable fields',
      field: 'existingContracts[1]',
    },
  ),
  refused(
    'TestFeeNotCovered',
    'The first input asset pays for the run: it has 0.1 COIN (100000000000000000 attoCoin), expected at least 0.5 COIN (500000000000000000 attoCoin)',
    { field: 'inputAssets[0]' },
    { field: 'inputAssets[0]' },
  ),
  refused('RunTooLong', 'The run was given up. Read fewer in one run', {}, {}),
  refused(
    'TooManyRuns',
    'The group-node runs as many contracts for others as it can: ask again in 1 s',
    { retryAfterSeconds: 1 },
    {},
  ),
  {
    code: 'InvalidGroup',
    call: ['POST', '/contracts/test-contract', { bytecode, group: 7 }],
    detail: 'There is no group 7: expected 0 to 3',
    documented: 'Invalid group index',
    field: 'group',
  },
  {
    code: 'TooManyCalls',
    call: [
      'POST',
      '/contracts/multicall-contract',
      { calls: Array.from({ length: 21 }, () => ({ group: 2, address: contract, methodIndex: 0 })) },
    ],
    detail: 'A request makes at most 20 calls, got 21: make several requests',
    documented: 'The number of contract calls exceeds the maximum limit(20)',
    field: 'calls',
  },
  {
    code: 'InvalidFieldLength',
    when: 'of a deployment',
    call: [
      'POST',
      '/contracts/unsigned-tx/deploy-contract',
      { fromPublicKey: `02${'79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798'}`, bytecode: oneField },
    ],
    groups: {
      'read.building.deploy-contract': ({ bytecode: sent }) => {
        const outcome = buildOutcome(() => decodeContractToDeploy(sent));
        if (outcome.ok) throw new Error('it has its fields');
        const { code, detail = '', facts = {} } = outcome.refusal;
        throw new ServiceError('refused', code, detail, facts);
      },
    },
    detail:
      'The contract has 0 fields, and the bytecode brings 1 immutable and 0 mutable ones; the values of an array count one by one.',
    documented: 'Invalid field length, expect 0, have 1 immutable fields and 0 mutable fields',
    field: 'bytecode',
  },
];
