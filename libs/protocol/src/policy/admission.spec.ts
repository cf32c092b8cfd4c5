import { describe, expect, it } from '@jest/globals';
import { assetOutput, inventedOutput, outputViewOf, signTransaction } from '@shardnode/testing/builders';
import { executorWithoutContracts } from '@shardnode/testing/contract-state';
import { testKeyOfGroup, testKeysOfGroup } from '@shardnode/testing/keys';
import { verifySignature } from '../crypto/index.js';
import { encode } from '../encoding/index.js';
import { settingsOfKind } from '../network/index.js';
import { type AssetLockupScript } from '../primitives/index.js';
import { type StatefulScript, statefulScriptCodec } from '../script/index.js';
import { type AssetOutput, type Transaction } from '../transaction/index.js';
import { admissionChainIndex, checkAdmission } from '../policy/index.js';
import { refuse, type ScriptExecutor, type TransactionScriptOutcome, verdictText } from '../validation/index.js';

const settings = settingsOfKind('main');
const now = 1_700_000_000_000n;
const key = testKeyOfGroup(2);
const coin = 10n ** 18n;
const funds = inventedOutput(assetOutput(key.lockupScript, 10n * coin), 'funds');
const view = outputViewOf([funds]);

const scriptOf = (assetModifier: number, codes = 1): StatefulScript => ({
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

const templateOf = (
  script: StatefulScript | undefined,
  fixedOutputs: readonly AssetOutput[],
  gasAmount = 20_000,
): Transaction =>
  signTransaction(
    {
      version: 0,
      networkId: 0,
      script,
      gasAmount,
      gasPrice: 10n ** 11n,
      inputs: [{ outputReference: funds.reference, unlockScript: { kind: 'p2pkh', publicKey: key.publicKey } }],
      fixedOutputs,
    },
    [key],
  );

const executorOf = (outcome: (gasLimit: number) => TransactionScriptOutcome): ScriptExecutor => ({
  runUnlockScript: () => {
    throw new Error('no unlock script here');
  },
  runTransactionScript: ({ gasLimit }) => outcome(gasLimit),
});

const verdictOf = (template: Transaction, executor = executorWithoutContracts(settings, 2)): string =>
  verdictText(checkAdmission(template, { settings, view, now, verifySignature, executor }));

describe('chain of a template (protocol 02 §9.7 step 1)', () => {
  const lockupOf = (group: number): AssetLockupScript => testKeyOfGroup(group).lockupScript;
  const chainOf = (...groups: readonly number[]) =>
    admissionChainIndex(
      templateOf(
        undefined,
        groups.map((group) => assetOutput(lockupOf(group), coin)),
      ),
      4,
    );

  it('takes the sender group mixed with one other', () => {
    expect(chainOf()).toEqual({ from: 2, to: 2 });
    expect(chainOf(2)).toEqual({ from: 2, to: 2 });
    expect(chainOf(2, 0, 0, 2)).toEqual({ from: 2, to: 0 });
    expect(chainOf(0, 1)).toMatchObject({ code: 'InvalidOutputGroupIndex' });
  });

  it('needs inputs, all of one group', () => {
    const template = templateOf(undefined, []);
    const inGroup = inventedOutput(assetOutput(lockupOf(1), coin), 'elsewhere').reference;
    const inputs = [...template.unsigned.inputs, { ...template.unsigned.inputs[0]!, outputReference: inGroup }];
    for (const wrong of [[], inputs]) {
      const chain = admissionChainIndex({ ...template, unsigned: { ...template.unsigned, inputs: wrong } }, 4);
      expect(chain).toMatchObject({ code: 'InvalidInputGroupIndex' });
    }
  });
});

describe('templates with a script (protocol 02 §9.7 step 3)', () => {
  const fee = 2n * 10n ** 15n;
  const rest = assetOutput(key.lockupScript, 10n * coin - fee);
  const succeeds = executorOf((gasLimit) => ({
    kind: 'succeeded',
    contractInputs: [],
    generatedOutputs: [],
    gasLeft: gasLimit - 5,
    keep: () => {
      throw new Error('a dry run keeps nothing');
    },
  }));

  it('a: inputs exist; b: the failed form is possible; c: it is valid', () => {
    const missing = templateOf(scriptOf(1), [rest]);
    const outside = { ...missing.unsigned.inputs[0]!, outputReference: { ...funds.reference, key: '00'.repeat(32) } };
    const unsigned = { ...missing.unsigned, inputs: [outside] };
    expect(verdictOf(signTransaction(unsigned, [key]))).toBe('NonExistInput');
    const foreign = templateOf(scriptOf(1), [assetOutput(testKeysOfGroup(2, 2)[1]!.lockupScript, coin)]);
    expect(verdictOf(foreign)).toBe('InvalidRemainingBalancesForFailedScriptTx');
    expect(verdictOf(templateOf(scriptOf(0), [assetOutput(key.lockupScript, coin)]))).toBe('InvalidCoinBalance');
    expect(verdictOf({ ...templateOf(scriptOf(1), [rest]), inputSignatures: [] })).toBe('NotEnoughSignature');
  });

  it('are of this network, before their inputs are looked for', () => {
    const { unsigned } = templateOf(scriptOf(1), [rest]);
    const outside = { ...unsigned.inputs[0]!, outputReference: { ...funds.reference, key: '00'.repeat(32) } };
    for (const script of [scriptOf(1), undefined]) {
      const of = (changes: Partial<typeof unsigned>): string =>
        verdictOf(signTransaction({ ...unsigned, script, inputs: [outside], ...changes }, [key]));
      expect(of({ networkId: 77 })).toBe('InvalidNetworkId');
      expect(of({ version: 1, networkId: 77 })).toBe('InvalidTxVersion');
      expect(of({})).toBe('NonExistInput');
    }
  });

  it('d: too large, out of gas, or failing', () => {
    expect(verdictOf(templateOf(scriptOf(1, 5_000), [rest]))).toBe('TxScriptExeFailed(CodeSizeTooLarge)');
    const fails = executorOf(() => ({ kind: 'failed', failure: refuse('AssertionFailed') }));
    expect(verdictOf(templateOf(scriptOf(1), [rest]), fails)).toBe('TxScriptExeFailed(AssertionFailed)');
    const aborts = executorOf(() => ({ kind: 'aborted', failure: refuse('ExecutionAborted') }));
    expect(verdictOf(templateOf(scriptOf(1), [rest]), aborts)).toBe('TxScriptExeFailed(ExecutionAborted)');
    const inactive = executorOf(() => ({ kind: 'inactiveInstruction', failure: refuse('InactiveInstr') }));
    expect(verdictOf(templateOf(scriptOf(1), [rest]), inactive)).toBe('TxScriptExeFailed(InactiveInstr)');
  });

  it('e: the successful form is valid', () => {
    expect(verdictOf(templateOf(scriptOf(1), [rest]), succeeds)).toBe('valid');
    // 1 coin is approved and not given back: the failed form balances, the successful one does not.
    const approved = templateOf(scriptOf(1), [assetOutput(key.lockupScript, 9n * coin - fee)]);
    expect(verdictOf(approved, succeeds)).toBe('InvalidCoinBalance');
  });

  it('f: the gas left by the unlocking suffices for code and run', () => {
    const script = scriptOf(0, 3_000);
    const codeGas = 200 + encode(statefulScriptCodec, script).length;
    const left = 20_000 - 1_000 - 2_000 - 4_500 - 2_060 - codeGas;
    const using = (gas: number): ScriptExecutor =>
      executorOf((gasLimit) => ({
        kind: 'succeeded',
        contractInputs: [],
        generatedOutputs: [],
        gasLeft: gasLimit - gas,
        keep: () => undefined,
      }));
    expect(verdictOf(templateOf(script, [rest]), using(left))).toBe('valid');
    expect(verdictOf(templateOf(script, [rest]), using(left + 1))).toBe('TxScriptExeFailed(OutOfGas)');
    // Three outputs leave 1440 gas after the signature.
    const outputs = [1n, 1n, 8n].map((n) => assetOutput(key.lockupScript, n * coin - (n === 8n ? fee : 0n)));
    expect(verdictOf(templateOf(script, outputs), using(0))).toBe('OutOfGas');
  });

  it('is refused on an inter-group chain, after everything else', () => {
    const outputs = [assetOutput(testKeyOfGroup(0).lockupScript, 10n * coin - fee)];
    expect(verdictOf(templateOf(scriptOf(0), outputs))).toBe('UnexpectedTxScript');
    expect(verdictOf(templateOf(scriptOf(0), outputs), succeeds)).toBe('UnexpectedTxScript');
    const fails = executorOf(() => ({ kind: 'failed', failure: refuse('AssertionFailed') }));
    expect(verdictOf(templateOf(scriptOf(0), outputs), fails)).toBe('TxScriptExeFailed(AssertionFailed)');
  });
});
