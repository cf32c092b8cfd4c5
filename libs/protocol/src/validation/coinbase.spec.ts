import { describe, expect, it } from '@jest/globals';
import { assetOutput, inventedOutput, outputViewOf } from '@shardnode/testing/builders';
import { executorWithoutContracts } from '@shardnode/testing/contract-state';
import { testKeyOfGroup } from '@shardnode/testing/keys';
import { buildCoinbase, compactTarget, rewardLimitTarget, targetValue } from '../block/index.js';
import { verifySignature } from '../crypto/index.js';
import { developmentNetwork, maxTarget, settingsOfKind } from '../network/index.js';
import { groupOfLockupScript } from '../primitives/index.js';
import { type StatelessScript, statelessScriptHash } from '../script/index.js';
import { type AssetOutput, type Transaction } from '../transaction/index.js';
import { checkCoinbase, type CoinbaseContext, verdictText } from './index.js';

const settings = settingsOfKind('main');
const chainIndex = { from: 2, to: 0 };
const timestamp = 1_700_000_000_000n;
const target = 0x1b01ffff;
const miner = testKeyOfGroup(0).lockupScript;
const coinbase = buildCoinbase(settings, chainIndex, timestamp, target, miner);
const output = coinbase.unsigned.fixedOutputs[0]!;

const verdictOf = (transaction: Transaction, rest: Partial<CoinbaseContext> = {}): string =>
  verdictText(
    checkCoinbase({
      settings,
      transaction,
      chainIndex,
      timestamp,
      target,
      view: outputViewOf([]),
      verifySignature,
      executor: executorWithoutContracts(settings, chainIndex.from, timestamp),
      ...rest,
    }),
  );
const changed = (unsigned: Partial<Transaction['unsigned']>, rest: Partial<Transaction> = {}): Transaction => ({
  ...coinbase,
  ...rest,
  unsigned: { ...coinbase.unsigned, ...unsigned },
});
const withOutput = (fields: Partial<AssetOutput>): Transaction => changed({ fixedOutputs: [{ ...output, ...fields }] });

describe('coinbase rules that no vector reaches (protocol 02 §12.4, 19)', () => {
  it('TargetBelowRewardLimit comes before the rest, on every block target time', () => {
    expect(rewardLimitTarget(settings)).toBe(0x19400000);
    expect(rewardLimitTarget(developmentNetwork)).toBe(0x1b064000);
    const below = compactTarget(targetValue(0x19400000) - (1n << 180n));
    expect(below).toBeLessThan(0x19400000);
    for (const transaction of [
      changed({ fixedOutputs: [] }),
      withOutput({ additionalData: new Uint8Array(0) }),
      changed({ gasAmount: 19_999 }),
      changed({ networkId: 5 }),
      withOutput({ amount: 1n }),
      withOutput({ lockTime: 0n }),
    ]) {
      expect(verdictOf(transaction, { target: below })).toBe('TargetBelowRewardLimit');
    }
    const atLimit = buildCoinbase(settings, chainIndex, timestamp, 0x19400000, miner);
    expect(verdictOf(atLimit, { target: 0x19400000 })).toBe('valid');
    expect(verdictOf(coinbase, { target: 0 })).toBe('TargetBelowRewardLimit');
  });

  it('InvalidCoinbaseLockedAmount comes before InvalidCoinbaseLockupPeriod: with an input whose script runs', () => {
    const scriptOf = (codes: number): StatelessScript => ({
      methods: [
        {
          isPublic: true,
          assetModifier: 0,
          argsLength: 0,
          localsLength: 0,
          returnLength: 0,
          instructions: Array.from({ length: codes }, () => ({ code: 2 })),
        },
      ],
    });
    const lockupOf = (script: StatelessScript) => ({ kind: 'p2sh' as const, scriptHash: statelessScriptHash(script) });
    const script = Array.from({ length: 50 }, (_, codes) => scriptOf(codes)).find(
      (candidate) => groupOfLockupScript(lockupOf(candidate), 4) === chainIndex.from,
    )!;
    const funds = inventedOutput(assetOutput(lockupOf(script), 7n), 'anybody may take it');
    const transaction = changed({
      inputs: [{ outputReference: funds.reference, unlockScript: { kind: 'p2sh', script, parameters: [] } }],
      fixedOutputs: [{ ...output, amount: output.amount + 7n, lockTime: 0n }],
    });
    const view = outputViewOf([funds]);
    expect(verdictOf(transaction, { view })).toBe('InvalidCoinbaseLockedAmount');
  });

  it('names the coinbase in the refusal of its transaction', () => {
    const refusal = checkCoinbase({
      settings,
      transaction: changed({ networkId: 5 }),
      chainIndex,
      timestamp,
      target,
      view: outputViewOf([]),
      verifySignature,
      executor: executorWithoutContracts(settings, chainIndex.from, timestamp),
    });
    expect(refusal).toMatchObject({ code: 'ExistInvalidTx', reason: { code: 'InvalidNetworkId' } });
    expect(refusal?.transactionId).toMatch(/^[0-9a-f]{64}$/);
  });

  it('pays in the target group, with the data limit of any output', () => {
    const elsewhere = buildCoinbase(settings, chainIndex, timestamp, target, testKeyOfGroup(2).lockupScript);
    expect(verdictOf(elsewhere)).toBe('ExistInvalidTx(InvalidOutputGroupIndex)');
    const data = (length: number): Uint8Array => {
      const bytes = new Uint8Array(length);
      bytes.set(output.additionalData);
      return bytes;
    };
    expect(verdictOf(withOutput({ additionalData: data(256) }))).toBe('valid');
    expect(verdictOf(withOutput({ additionalData: data(257) }))).toBe('ExistInvalidTx(OutputDataSizeExceeded)');
  });

  it('is valid as built on the development network', () => {
    const easiest = maxTarget(developmentNetwork);
    const transaction = buildCoinbase(developmentNetwork, chainIndex, timestamp, easiest, miner);
    expect(verdictOf(transaction, { settings: developmentNetwork, target: easiest })).toBe('valid');
  });
});
