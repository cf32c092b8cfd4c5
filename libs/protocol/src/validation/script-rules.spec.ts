import { describe, expect, it } from '@jest/globals';
import { assetOutput, inventedOutput, outputViewOf, signTransaction } from '@shardnode/testing/builders';
import { executorWithoutContracts } from '@shardnode/testing/contract-state';
import { testKeyOfGroup, testKeysOfGroup } from '@shardnode/testing/keys';
import { verifySignature } from '../crypto/index.js';
import { settingsOfKind } from '../network/index.js';
import { type AssetLockupScript, minimalContractDeposit, outputHint } from '../primitives/index.js';
import { instructionNamed, type StatefulScript, u256Constant } from '../script/index.js';
import { type Output, type Transaction } from '../transaction/index.js';
import { checkTransaction, refuse, type ScriptExecutor, type TransactionScriptOutcome, verdictText } from './index.js';

const settings = settingsOfKind('main');
const key = testKeyOfGroup(2);
const other = testKeysOfGroup(2, 2)[1]!.lockupScript;
const token = '77'.repeat(32);
const script = (assetModifier: number, codes = 1): StatefulScript => ({
  methods: [
    {
      isPublic: true,
      assetModifier,
      argsLength: 0,
      localsLength: 0,
      returnLength: 0,
      instructions: Array.from({ length: codes }, () => ({ code: 2 })),
    },
  ],
});
const coin = 10n ** 18n;
const fee = 2n * 10n ** 15n;
const funds = inventedOutput(assetOutput(key.lockupScript, 10n * coin), 'funds');
const contractId = `${'ab'.repeat(31)}02`;
const contractOutput: Output = { kind: 'contract', amount: 5n * coin, contractId, tokens: [] };
const contractFunds = {
  reference: { hint: outputHint({ kind: 'p2c', contractId }), key: 'cd'.repeat(32) },
  output: contractOutput,
};
const view = outputViewOf([funds, contractFunds]);

interface Written extends Partial<Pick<Transaction, 'scriptExecutionOk' | 'contractInputs' | 'generatedOutputs'>> {
  readonly script?: StatefulScript;
  /** Coin of the fixed output, if there is one, and its owner. */
  readonly fixed?: bigint;
  readonly owner?: AssetLockupScript;
}

const transactionOf = ({ script: code, fixed, owner = key.lockupScript, ...rest }: Written): Transaction => {
  const unsigned = {
    version: 0,
    networkId: 0,
    script: code,
    gasAmount: 20_000,
    gasPrice: 10n ** 11n,
    inputs: [{ outputReference: funds.reference, unlockScript: { kind: 'p2pkh' as const, publicKey: key.publicKey } }],
    fixedOutputs: fixed ? [assetOutput(owner, fixed)] : [],
  };
  return { ...signTransaction(unsigned, [key]), ...rest };
};

const executorOf = (outcome: TransactionScriptOutcome): ScriptExecutor => ({
  runUnlockScript: () => {
    throw new Error('no unlock script here');
  },
  runTransactionScript: () => outcome,
});

const verdictOf = (written: Written, outcome?: TransactionScriptOutcome): string =>
  verdictText(
    checkTransaction({
      settings,
      transaction: transactionOf(written),
      chainIndex: { from: 2, to: 2 },
      timestamp: 1_700_000_000_000n,
      view,
      verifySignature,
      kind: 'block',
      executor: outcome ? executorOf(outcome) : executorWithoutContracts(settings, 2),
    }),
  );

const rest = 10n * coin - fee;
const back = [assetOutput(key.lockupScript, rest)];
const succeeded = (
  contractInputs: Transaction['contractInputs'],
  generatedOutputs: Transaction['generatedOutputs'],
  keep = (): void => undefined,
): TransactionScriptOutcome => ({ kind: 'succeeded', contractInputs, generatedOutputs, gasLeft: 0, keep });
const failed: TransactionScriptOutcome = { kind: 'failed', failure: refuse('AssertionFailed') };

describe('scripts that run', () => {
  it('after every other rule', () => {
    expect(verdictOf({ script: script(0), fixed: rest })).toBe('valid');
    expect(verdictOf({ script: script(0), fixed: rest - 1n })).toBe('InvalidCoinBalance');
    expect(verdictOf({ script: script(0), fixed: rest, scriptExecutionOk: false })).toBe('InvalidScriptExecutionFlag');
  });

  it('knows that a script fails whose code charge fails', () => {
    const big = script(0, 5_000);
    expect(verdictOf({ script: big, fixed: rest, scriptExecutionOk: false })).toBe('valid');
    expect(verdictOf({ script: big, fixed: rest })).toBe('InvalidScriptExecutionFlag');
    // 20000 - 1000 - 2000 - 4500 - 2060 leaves 10440, enough for any allowed code: the size alone decides.
    expect(verdictOf({ script: script(0, 4_000), fixed: rest })).toBe('valid');
  });
});

describe('what a script sees of its transaction', () => {
  it('is the asset inputs, not the contract inputs (protocol 05 §6.6)', () => {
    const [{ instructions, ...method }] = script(0).methods as [StatefulScript['methods'][0]];
    const counts = [instructionNamed('TxInputsSize'), u256Constant(1n), instructionNamed('U256Eq')];
    const code = { methods: [{ ...method, instructions: [...counts, instructionNamed('Assert'), ...instructions] }] };
    expect(verdictOf({ script: code, fixed: rest })).toBe('valid');
    // The run succeeds, too, and uses no output of a contract.
    const taking = { contractInputs: [contractFunds.reference], fixed: rest + 5n * coin };
    expect(verdictOf({ script: code, ...taking })).toBe('InvalidContractInputs');
  });
});

describe('script rules, order (protocol 02 §9.6)', () => {
  it('UnexpectedTxScript on an inter-group chain, before the flag', () => {
    const unsigned = { ...transactionOf({ script: script(0) }).unsigned };
    const transaction = signTransaction(
      { ...unsigned, fixedOutputs: [assetOutput(testKeyOfGroup(0).lockupScript, rest)] },
      [key],
    );
    const executor = executorWithoutContracts(settings, 2);
    const timestamp = 1_700_000_000_000n;
    const context = { settings, chainIndex: { from: 2, to: 0 }, timestamp, view, verifySignature, executor };
    const verdict = checkTransaction({
      ...context,
      transaction: { ...transaction, scriptExecutionOk: false },
      kind: 'block',
    });
    expect(verdictText(verdict)).toBe('UnexpectedTxScript');
  });

  it('a run without result before all others, whatever the flag', () => {
    const outcome: TransactionScriptOutcome = { kind: 'aborted', failure: refuse('ExecutionAborted') };
    for (const scriptExecutionOk of [true, false]) {
      expect(verdictOf({ script: script(0), fixed: rest, scriptExecutionOk }, outcome)).toBe('ExecutionAborted');
    }
  });

  it('UsingBreakingInstrs before all others', () => {
    const outcome: TransactionScriptOutcome = { kind: 'inactiveInstruction', failure: refuse('InactiveInstr') };
    for (const scriptExecutionOk of [true, false]) {
      expect(verdictOf({ script: script(0), fixed: rest, scriptExecutionOk }, outcome)).toBe('UsingBreakingInstrs');
    }
  });

  it('after success: contract inputs, generated outputs, flag', () => {
    const written = { script: script(1), generatedOutputs: back };
    const wrongInputs = [contractFunds.reference];
    expect(verdictOf(written, succeeded([], back))).toBe('valid');
    expect(verdictOf({ ...written, scriptExecutionOk: false }, succeeded(wrongInputs, []))).toBe(
      'InvalidContractInputs',
    );
    expect(verdictOf({ ...written, scriptExecutionOk: false }, succeeded([], []))).toBe('InvalidGeneratedOutputs');
    expect(verdictOf({ ...written, scriptExecutionOk: false }, succeeded([], back))).toBe('InvalidScriptExecutionFlag');
  });

  it('after success: every field of a generated output counts', () => {
    const written = { script: script(1), generatedOutputs: back };
    const changed: Output[] = [
      { ...back[0]!, lockTime: 1n },
      { ...back[0]!, additionalData: new Uint8Array(1) },
      { ...back[0]!, lockupScript: testKeyOfGroup(0).lockupScript },
      { ...back[0]!, amount: rest - 1n },
    ];
    for (const output of changed) {
      expect(verdictOf(written, succeeded([], [output]))).toBe('InvalidGeneratedOutputs');
    }
  });

  it('after failure: flag, then no contract inputs, then the outputs of the failed form (decision 4)', () => {
    const written = { script: script(1), scriptExecutionOk: false };
    const takes = { contractInputs: [contractFunds.reference] };
    const takenCoin = [assetOutput(key.lockupScript, rest + 5n * coin)];
    expect(verdictOf({ ...written, generatedOutputs: back }, failed)).toBe('valid');
    expect(verdictOf({ ...written, ...takes, generatedOutputs: takenCoin, scriptExecutionOk: true }, failed)).toBe(
      'InvalidScriptExecutionFlag',
    );
    expect(verdictOf({ ...written, ...takes, generatedOutputs: takenCoin }, failed)).toBe('InvalidContractInputs');
    const split = [assetOutput(key.lockupScript, coin), assetOutput(other, rest - coin)];
    expect(verdictOf({ ...written, generatedOutputs: split }, failed)).toBe('InvalidGeneratedOutputs');
    expect(verdictOf({ script: script(0), scriptExecutionOk: false, generatedOutputs: back }, failed)).toBe(
      'InvalidGeneratedOutputs',
    );
  });

  it('after failure: a transaction that has no failed form is refused', () => {
    const written = { script: script(1), scriptExecutionOk: false };
    expect(verdictOf({ ...written, fixed: rest }, failed)).toBe('valid');
    // All approved assets go to somebody who owns no input: nothing can be given back.
    expect(verdictOf({ ...written, fixed: rest, owner: other }, failed)).toBe('InvalidGeneratedOutputs');
    expect(verdictOf({ ...written, script: script(0), fixed: rest, owner: other }, failed)).toBe('valid');
  });

  it('without script: flag, contract inputs, generated outputs, all after the balances (decision 4)', () => {
    const takes = { contractInputs: [contractFunds.reference], generatedOutputs: back };
    expect(verdictOf({ ...takes, fixed: 5n * coin, scriptExecutionOk: false })).toBe('InvalidScriptExecutionFlag');
    expect(verdictOf({ ...takes, fixed: 5n * coin })).toBe('InvalidContractInputs');
    expect(verdictOf({ generatedOutputs: back })).toBe('InvalidGeneratedOutputs');
    expect(verdictOf({ generatedOutputs: back, fixed: coin })).toBe('InvalidCoinBalance');
    const absent = [{ ...contractFunds.reference, key: '00'.repeat(32) }];
    expect(verdictOf({ contractInputs: absent, fixed: rest })).toBe('NonExistInput');
  });

  it('keeps the state of a successful script only when the transaction is valid', () => {
    let kept = 0;
    const keep = (): void => {
      kept += 1;
    };
    verdictOf({ script: script(1), generatedOutputs: back, scriptExecutionOk: false }, succeeded([], back, keep));
    expect(kept).toBe(0);
    verdictOf({ script: script(1), generatedOutputs: back }, succeeded([], back, keep));
    expect(kept).toBe(1);
  });
});

describe('tokens of a script that succeeded (protocol 02 §9.4 step 4)', () => {
  const minted = [
    assetOutput(key.lockupScript, 10n ** 15n, { tokens: [{ id: token, amount: 5n }] }),
    assetOutput(key.lockupScript, rest - 10n ** 15n),
  ];

  it('may be new only with approved assets and flag true', () => {
    for (const [assetModifier, expected] of [
      [0, 'InvalidTokenBalance'],
      [1, 'valid'],
      [2, 'InvalidTokenBalance'],
      [3, 'valid'],
    ] as const) {
      const written = { script: script(assetModifier), generatedOutputs: minted };
      expect(verdictOf(written, succeeded([], minted))).toBe(expected);
      expect(verdictOf({ ...written, scriptExecutionOk: false }, failed)).toBe('InvalidTokenBalance');
    }
  });

  it('are limited to eight in a contract output, with any coin, and none of amount 0', () => {
    const tokens = Array.from({ length: 9 }, (_, i) => ({ id: `0${i}`.repeat(32), amount: 1n }));
    const holding = (amount: bigint, held: typeof tokens): Output[] => [
      { kind: 'contract', amount, contractId, tokens: held },
      assetOutput(key.lockupScript, rest - amount),
    ];
    const verdict = (outputs: Output[]): string =>
      verdictOf({ script: script(1), generatedOutputs: outputs }, succeeded([], outputs));
    expect(verdict(holding(minimalContractDeposit, tokens.slice(0, 8)))).toBe('valid');
    expect(verdict(holding(minimalContractDeposit, tokens))).toBe('InvalidOutputStats');
    expect(verdict(holding(minimalContractDeposit, [{ id: token, amount: 0n }]))).toBe('InvalidOutputStats');
    expect(verdict(holding(10n ** 15n - 1n, []))).toBe('InvalidOutputStats');
  });
});
