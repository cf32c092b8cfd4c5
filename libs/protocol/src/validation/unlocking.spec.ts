import { describe, expect, it } from '@jest/globals';
import { assetOutput, inventedOutput, outputViewOf } from '@shardnode/testing/builders';
import { executorWithoutContracts } from '@shardnode/testing/contract-state';
import { testKeysOfGroup, type TestKey } from '@shardnode/testing/keys';
import { withNegatedS } from '@shardnode/testing/signatures';
import { multisigOf } from '../address/index.js';
import { sign, verifySignature } from '../crypto/index.js';
import { encode, hexToBytes } from '../encoding/index.js';
import { settingsOfKind } from '../network/index.js';
import { type AssetLockupScript, groupOfLockupScript } from '../primitives/index.js';
import {
  constantInstruction,
  type Instruction,
  instructionNamed,
  type StatelessScript,
  statelessScriptCodec,
  statelessScriptHash,
  u256Constant,
} from '../script/index.js';
import { type Transaction, transactionId, type UnlockScript } from '../transaction/index.js';
import {
  examineTransaction,
  refuse,
  type ScriptExecutor,
  signatureJobs,
  preparedVerifier,
  type UnlockScriptOutcome,
  type UnlockScriptRun,
  verdictText,
} from './index.js';

const settings = settingsOfKind('main');
const [first, second, third] = testKeysOfGroup(2, 3) as [TestKey, TestKey, TestKey];
const coin = 10n ** 18n;

interface Spend {
  readonly lockup: AssetLockupScript;
  readonly unlock: UnlockScript;
}
const single = (key: TestKey): Spend => ({
  lockup: key.lockupScript,
  unlock: { kind: 'p2pkh', publicKey: key.publicKey },
});

const transactionOf = (spends: readonly Spend[], signers: readonly TestKey[], gasAmount = 40_000) => {
  const funds = spends.map(({ lockup }, i) => inventedOutput(assetOutput(lockup, coin), `funds ${i}`));
  const gasPrice = 10n ** 11n;
  const unsigned = {
    version: 0,
    networkId: 0,
    script: undefined,
    gasAmount,
    gasPrice,
    inputs: spends.map(({ unlock }, i) => ({ outputReference: funds[i]!.reference, unlockScript: unlock })),
    fixedOutputs: [assetOutput(first.lockupScript, coin * BigInt(spends.length) - BigInt(gasAmount) * gasPrice)],
  };
  const transaction: Transaction = {
    unsigned,
    scriptExecutionOk: true,
    contractInputs: [],
    generatedOutputs: [],
    inputSignatures: signers.map((key) => sign(hexToBytes(transactionId(unsigned)), key.privateKey)),
    scriptSignatures: [],
  };
  return { transaction, view: outputViewOf(funds) };
};

const examine = (
  { transaction, view }: ReturnType<typeof transactionOf>,
  executor = executorWithoutContracts(settings, 2),
): { verdict: string; gasLeft: number } => {
  const from = 2;
  const { verdict, gasLeft } = examineTransaction({
    settings,
    transaction,
    chainIndex: { from, to: from },
    timestamp: 1_700_000_000_000n,
    view,
    verifySignature,
    kind: 'block',
    executor,
  });
  return { verdict: verdictText(verdict), gasLeft };
};

describe('unlock scripts of keys', () => {
  it('an unlock script of the reserved kind opens nothing, nor does one of another kind', () => {
    const reserved: UnlockScript = { kind: 'reserved', publicKey: first.publicKey };
    const multisig: UnlockScript = { kind: 'p2mpkh', keys: [{ publicKey: first.publicKey, index: 0 }] };
    for (const unlock of [reserved, multisig]) {
      const result = examine(transactionOf([{ lockup: first.lockupScript, unlock }], [first]));
      expect(result.verdict).toBe('InvalidUnlockScriptType');
    }
  });

  it('a repeated unlock script of the reserved kind is opened by nothing before it', () => {
    const reserved: Spend = {
      lockup: first.lockupScript,
      unlock: { kind: 'reserved', publicKey: first.publicKey },
    };
    expect(examine(transactionOf([single(first), reserved], [first])).verdict).toBe('InvalidUnlockScriptType');
  });

  it('indexes of a multisig: negative ones are outside, whatever their place', () => {
    const lockup = multisigOf([first.publicKey, second.publicKey, third.publicKey], 2);
    expect(groupOfLockupScript(lockup, 4)).toBe(2);
    const verdict = (indexes: readonly number[]): string => {
      const keys = indexes.map((index, i) => ({ publicKey: [first, second][i]!.publicKey, index }));
      return examine(transactionOf([{ lockup, unlock: { kind: 'p2mpkh', keys } }], [first, second])).verdict;
    };
    expect(verdict([0, 1])).toBe('valid');
    expect(verdict([-1, 1])).toBe('InvalidP2mpkhUnlockScript');
    expect(verdict([-2, -1])).toBe('InvalidP2mpkhUnlockScript');
    expect(verdict([0, 3])).toBe('InvalidP2mpkhUnlockScript');
    expect(verdict([0, -1])).toBe('InvalidP2mpkhUnlockScript');
    const alone = multisigOf([first.publicKey, second.publicKey], 1);
    const negative: UnlockScript = { kind: 'p2mpkh', keys: [{ publicKey: first.publicKey, index: -1 }] };
    expect(examine(transactionOf([{ lockup: alone, unlock: negative }], [first])).verdict).toBe(
      'InvalidP2mpkhUnlockScript',
    );
  });
});

describe('a signature with s of the upper half', () => {
  const { transaction, view } = transactionOf([single(first)], []);
  const signature = withNegatedS(sign(hexToBytes(transactionId(transaction.unsigned)), first.privateKey));
  const verdictOf = (kind: 'block' | 'mempool') =>
    examineTransaction({
      settings,
      transaction: { ...transaction, inputSignatures: [signature] },
      chainIndex: { from: 2, to: 2 },
      timestamp: 1_700_000_000_000n,
      view,
      verifySignature,
      kind,
      executor: executorWithoutContracts(settings, 2),
    }).verdict;

  it('has its mistake as a fact at admission, which is part of the detail', () => {
    const { code, detail, facts } = verdictOf('mempool')!;
    expect(code).toBe('InvalidSignature');
    expect(facts).toEqual({ signatureAdvice: expect.stringContaining('with n - s it verifies') });
    expect(detail).toContain(`: ${facts!['signatureAdvice']}`);
  });

  it('is not examined further in a block', () => {
    const { code, detail, facts } = verdictOf('block')!;
    expect([code, facts]).toEqual(['InvalidSignature', undefined]);
    expect(detail).toContain('without hashing them');
  });
});

/** Ends with as many returns. */
const scriptOf = (returns: number, instructions: readonly Instruction[] = []): StatelessScript => ({
  methods: [
    {
      isPublic: true,
      assetModifier: 0,
      argsLength: 0,
      localsLength: 0,
      returnLength: 0,
      instructions: [...instructions, ...Array.from({ length: returns }, () => ({ code: 2 }))],
    },
  ],
});

/** A script whose hash falls in group 2, found by its length. */
const scriptInGroup = (from: number, instructions: readonly Instruction[] = []): StatelessScript => {
  for (let returns = from; ; returns++) {
    const script = scriptOf(returns, instructions);
    if (groupOfLockupScript({ kind: 'p2sh', scriptHash: statelessScriptHash(script) }, 4) === 2) return script;
  }
};

const scriptSpend = (script: StatelessScript): Spend => ({
  lockup: { kind: 'p2sh', scriptHash: statelessScriptHash(script) },
  unlock: { kind: 'p2sh', script, parameters: [] },
});

const executorOf = (runUnlockScript: (run: UnlockScriptRun) => UnlockScriptOutcome): ScriptExecutor => ({
  runUnlockScript,
  runTransactionScript: () => {
    throw new Error('no transaction script here');
  },
});

describe('unlock scripts that run (protocol 02 §9.5)', () => {
  const small = scriptInGroup(1);
  const length = encode(statelessScriptCodec, small).length;
  const basic = 1_000 + 2_000 + 4_500;
  const codeGas = 200 + length;
  const hashGas = 30 + 6 * Math.ceil(length / 8);

  it('the hash, then the charges, then the run', () => {
    // Return takes no gas.
    expect(examine(transactionOf([scriptSpend(small)], []))).toEqual({
      verdict: 'valid',
      gasLeft: 40_000 - basic - codeGas - hashGas,
    });
    const spend = { ...scriptSpend(small), unlock: scriptSpend(scriptOf(100)).unlock };
    expect(examine(transactionOf([spend], [])).verdict).toBe('InvalidScriptHash');
    expect(examine(transactionOf([scriptSpend(scriptInGroup(4_100))], [])).verdict).toBe(
      'UnlockScriptExeFailed(CodeSizeTooLarge)',
    );
  });

  it('the size before the gas, the gas before the run', () => {
    const big = scriptSpend(scriptInGroup(4_100));
    // 20000 gas: a signature of each of 4 keys, then 260 gas are left.
    const keys = testKeysOfGroup(2, 4).map(single);
    const signers = testKeysOfGroup(2, 4);
    const gasAmount = 1_000 + 5 * 2_000 + 4_500 + 4 * 2_060 + 100;
    const verdict = (spend: Spend, gas: number): string =>
      examine(transactionOf([...keys, spend], signers, gas)).verdict;
    expect(verdict(big, gasAmount)).toBe('UnlockScriptExeFailed(CodeSizeTooLarge)');
    expect(verdict(scriptSpend(small), gasAmount)).toBe('UnlockScriptExeFailed(OutOfGas)');
    const enoughForCode = gasAmount - 100 + codeGas;
    expect(verdict(scriptSpend(small), enoughForCode)).toBe('UnlockScriptExeFailed(OutOfGas)');
    expect(verdict(scriptSpend(small), enoughForCode + hashGas - 1)).toBe('UnlockScriptExeFailed(OutOfGas)');
    expect(verdict(scriptSpend(small), enoughForCode + hashGas)).toBe('valid');
  });

  it('an executor gets what is left of signatures and gas, and takes from both', () => {
    const runs: UnlockScriptRun[] = [];
    const executor = executorOf((run) => {
      runs.push(run);
      return { kind: 'succeeded', gasLeft: run.gasLimit - 7, signaturesTaken: 2 };
    });
    const built = transactionOf([single(first), scriptSpend(small), single(second)], [first, third, third, second]);
    const result = examine(built, executor);
    expect(result).toEqual({
      verdict: 'valid',
      gasLeft: 40_000 - basic - 2 * 2_000 - 2 * 2_060 - codeGas - hashGas - 7,
    });
    expect(runs).toHaveLength(1);
    expect(runs[0]!.inputIndex).toBe(1);
    expect(runs[0]!.signatures).toEqual(built.transaction.inputSignatures.slice(1));
  });

  it('a failure is named with its reason, before anything of later inputs', () => {
    const executor = executorOf(() => ({ kind: 'failed', failure: refuse('AssertionFailed') }));
    const wrong = { lockup: first.lockupScript, unlock: scriptSpend(small).unlock };
    const built = transactionOf([scriptSpend(small), wrong], []);
    expect(examine(built, executor).verdict).toBe('UnlockScriptExeFailed(AssertionFailed)');
  });

  it('a run without a result unlocks nothing (protocol 05 §18 item 16)', () => {
    const power = [
      constantInstruction({ type: 'I256', value: -2n }),
      u256Constant(2n ** 31n - 1n),
      instructionNamed('I256Exp'),
      instructionNamed('Pop'),
    ];
    const verdict = examine(transactionOf([scriptSpend(scriptInGroup(1, power))], [])).verdict;
    expect(verdict).toBe('UnlockScriptExeFailed(ExecutionAborted)');
  });
});

describe('signature jobs', () => {
  it('answer for the verifier; anything else goes to the fallback', () => {
    const { transaction, view } = transactionOf([single(first), single(second)], [first, second]);
    const jobs = signatureJobs([transaction], view);
    expect(jobs).toHaveLength(2);
    let asked = 0;
    const fallback = (): boolean => {
      asked += 1;
      return false;
    };
    const verifier = preparedVerifier(
      jobs,
      jobs.map((job) => verifySignature(job.message, job.signature, job.publicKey)),
      fallback,
    );
    const executor = executorWithoutContracts(settings, 2);
    const context = { settings, chainIndex: { from: 2, to: 2 }, timestamp: 1_700_000_000_000n, view, executor };
    const result = examineTransaction({ ...context, transaction, verifySignature: verifier, kind: 'block' });
    expect(result.verdict).toBeUndefined();
    expect(asked).toBe(0);
    const job = jobs[0]!;
    expect(verifier(job.message, job.signature, second.publicKey)).toBe(false);
    expect(verifier(new Uint8Array(32), job.signature, job.publicKey)).toBe(false);
    expect(verifier(job.message, job.signature.slice(), job.publicKey)).toBe(false);
    expect(asked).toBe(3);
  });
});
