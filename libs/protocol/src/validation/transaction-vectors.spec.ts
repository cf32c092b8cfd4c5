import { describe, expect, it } from '@jest/globals';
import { outputViewOf } from '@shardnode/testing/builders';
import { executorWithoutContracts } from '@shardnode/testing/contract-state';
import { readVectors, sectionsClaimedBy, vectorOrigin } from '@shardnode/testing/vectors';
import { buildCoinbase } from '../block/index.js';
import { verifySignature } from '../crypto/index.js';
import { bytesToHex, decode, encode, hexToBytes } from '../encoding/index.js';
import { coinbaseLockPeriodOf, type NetworkSettings, settingsOfKind } from '../network/index.js';
import { lockupScriptCodec, type AssetLockupScript, type ChainIndex } from '../primitives/index.js';
import { statefulScriptCodec } from '../script/index.js';
import {
  assetOutputCodec,
  chainIndexOf,
  outputCodec,
  type Transaction,
  transactionCodec,
  transactionId,
  type UnsignedTransaction,
} from '../transaction/index.js';
import { admissionChainIndex, checkAdmission, completeTemplate } from '../policy/index.js';
import {
  checkCoinbase,
  checkTransaction,
  examineTransaction,
  failedScriptOutputs,
  signatureJobs,
  type TransactionContext,
  verdictText,
} from './index.js';

interface TransactionVector {
  readonly name: string;
  readonly mode: 'block' | 'mempool';
  readonly networkId: number;
  readonly blockTimestamp: number;
  readonly chainIndex: readonly [number, number] | null;
  readonly transaction: string;
  readonly previousOutputs: readonly string[] | null;
  readonly expected: string;
  readonly gasRemainingAfterWitnesses?: number;
}
interface ConversionVector {
  readonly name: string;
  readonly script: string;
  readonly gasAmount: number;
  readonly gasPrice: string;
  readonly previousOutputs: readonly string[];
  readonly fixedOutputs: readonly string[];
  readonly expected: string;
  readonly generatedOutputs?: readonly { readonly hex: string }[];
  readonly gasRemainingBeforeScript?: number;
  readonly transaction?: string;
}
interface CoinbaseVector {
  readonly name: string;
  readonly groups: number;
  readonly networkId: number;
  readonly chainIndex: readonly [number, number];
  readonly blockTimestamp: number;
  readonly target: string;
  readonly minerLockupScript: string;
  readonly minerData?: string;
  readonly transaction: string;
  readonly txId: string;
}
interface VectorFile {
  readonly transactions: readonly TransactionVector[];
  readonly failedScriptConversion: readonly ConversionVector[];
  readonly coinbase: readonly CoinbaseVector[];
}

const vectors = readVectors<VectorFile>('tx-validation.json');
const settingsOf = (networkId: number): NetworkSettings => ({
  ...settingsOfKind('main'),
  networkId,
  coinbaseLockPeriod: coinbaseLockPeriodOf(networkId),
});
const mainNetwork = settingsOf(0);

const asChain = (pair: readonly [number, number] | null | undefined): ChainIndex | undefined =>
  pair ? { from: pair[0], to: pair[1] } : undefined;

const viewOf = (unsigned: UnsignedTransaction, previousOutputs: readonly string[] | null) =>
  outputViewOf(
    (previousOutputs ?? []).map((hex, i) => ({
      reference: unsigned.inputs[i]!.outputReference,
      output: decode(assetOutputCodec, hexToBytes(hex)),
    })),
  );

const contextOf = (vector: TransactionVector, transaction: Transaction): TransactionContext => ({
  settings: settingsOf(vector.networkId),
  transaction,
  chainIndex: asChain(vector.chainIndex) ?? chainIndexOf(transaction.unsigned, 4)!,
  timestamp: BigInt(vector.blockTimestamp),
  view: viewOf(transaction.unsigned, vector.previousOutputs),
  verifySignature,
  executor: executorWithoutContracts(
    settingsOf(vector.networkId),
    asChain(vector.chainIndex)?.from,
    BigInt(vector.blockTimestamp),
  ),
  kind: vector.mode,
});

describe('tx-validation.json transactions', () => {
  it.each(vectors.transactions.map((vector) => [vector.name, vector] as const))('%s', (_, vector) => {
    const transaction = decode(transactionCodec, hexToBytes(vector.transaction));
    const context = contextOf(vector, transaction);
    const expected = vector.expected === 'ok' ? 'valid' : vector.expected;
    if (vector.mode === 'mempool') {
      const { settings, view, executor } = context;
      const verdict = checkAdmission(transaction, {
        settings,
        view,
        now: context.timestamp,
        verifySignature,
        executor,
      });
      expect(verdictText(verdict)).toBe(expected);
      const chain = admissionChainIndex(transaction, settings.groups);
      if (vector.chainIndex) expect(chain).toEqual(asChain(vector.chainIndex));
      if (verdict) return;
      expect(completeTemplate(transaction)).toEqual(transaction);
    }
    const { verdict, gasLeft } = examineTransaction(context);
    expect(verdictText(verdict)).toBe(expected);
    if (vector.gasRemainingAfterWitnesses !== undefined) expect(gasLeft).toBe(vector.gasRemainingAfterWitnesses);
  });

  it('asks for no signature that the jobs for workers lack', () => {
    for (const vector of vectors.transactions) {
      const transaction = decode(transactionCodec, hexToBytes(vector.transaction));
      const context = contextOf(vector, transaction);
      const jobs = signatureJobs([transaction], context.view);
      checkTransaction({
        ...context,
        verifySignature: (message, signature, publicKey) => {
          expect(jobs).toContainEqual({ message, signature, publicKey });
          return verifySignature(message, signature, publicKey);
        },
      });
    }
  });
});

const unsignedOf = (vector: ConversionVector, transaction: Transaction | undefined): UnsignedTransaction => ({
  version: 0,
  networkId: 0,
  script: decode(statefulScriptCodec, hexToBytes(vector.script)),
  gasAmount: vector.gasAmount,
  gasPrice: BigInt(vector.gasPrice),
  inputs: transaction?.unsigned.inputs ?? [],
  fixedOutputs: vector.fixedOutputs.map((hex) => decode(assetOutputCodec, hexToBytes(hex))),
});

describe('tx-validation.json failedScriptConversion', () => {
  it.each(vectors.failedScriptConversion.map((vector) => [vector.name, vector] as const))('%s', (_, vector) => {
    const transaction = vector.transaction && decode(transactionCodec, hexToBytes(vector.transaction));
    const unsigned = unsignedOf(vector, transaction || undefined);
    const previousOutputs = vector.previousOutputs.map((hex) => decode(assetOutputCodec, hexToBytes(hex)));
    const outputs = failedScriptOutputs(unsigned, previousOutputs);
    if (vector.expected !== 'ok') {
      expect(vector.expected).toBe('InvalidRemainingBalancesForFailedScriptTx');
      expect(outputs).toBeUndefined();
      return;
    }
    expect(outputs!.map((output) => bytesToHex(encode(outputCodec, output)))).toEqual(
      vector.generatedOutputs!.map(({ hex }) => hex),
    );
    if (!transaction) throw new Error('a conversion that succeeds has a transaction');
    expect(transaction.unsigned).toEqual(unsigned);
    expect(transaction.generatedOutputs).toEqual(outputs);
    const result = examineTransaction({
      settings: mainNetwork,
      transaction,
      chainIndex: chainIndexOf(unsigned, 4)!,
      timestamp: 1_700_000_000_000n,
      view: viewOf(unsigned, vector.previousOutputs),
      verifySignature,
      executor: executorWithoutContracts(mainNetwork),
      kind: 'block',
    });
    expect(verdictText(result.verdict)).toBe('valid');
    // A failed script leaves nothing.
    expect(result.gasUsed).toBe(unsigned.gasAmount);
    expect(result.gasLeft).toBe(vector.gasRemainingBeforeScript);
  });
});

describe('tx-validation.json coinbase', () => {
  it.each(vectors.coinbase.map((vector) => [vector.name, vector] as const))('%s', (_, vector) => {
    const settings = { ...settingsOf(vector.networkId), groups: vector.groups };
    const transaction = decode(transactionCodec, hexToBytes(vector.transaction));
    const chainIndex = asChain(vector.chainIndex)!;
    const timestamp = BigInt(vector.blockTimestamp);
    const target = parseInt(vector.target, 16);
    expect(transactionId(transaction.unsigned)).toBe(vector.txId);
    const miner = decode(lockupScriptCodec, hexToBytes(vector.minerLockupScript)) as AssetLockupScript;
    const minerData = hexToBytes(vector.minerData ?? '');
    expect(buildCoinbase(settings, chainIndex, timestamp, target, miner, minerData)).toEqual(transaction);
    const view = outputViewOf([]);
    const executor = executorWithoutContracts(settings);
    const context = { settings, transaction, chainIndex, timestamp, target, view, verifySignature, executor };
    expect(verdictText(checkCoinbase(context))).toBe('valid');
  });
});

it('the walk is complete: number of cases by origin', () => {
  expect(sectionsClaimedBy('tx-validation.json', 'validation')).toEqual(['transactions', 'failedScriptConversion']);
  expect(vectors.transactions.length).toBe(73);
  expect(vectors.failedScriptConversion.length).toBe(5);
  expect(vectors.coinbase.length).toBe(vectorOrigin === 'original' ? 3 : 2);
});
