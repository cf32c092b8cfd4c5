import { describe, expect, it } from '@jest/globals';
import { transactionId, type Transaction } from '@shardnode/protocol/transaction';
import { jsonTextWithIntegers, timestampForm } from '@shardnode/http';
import { transactionForm } from './transaction-forms.js';

const hash = 'ab'.repeat(32);
const transaction: Transaction = {
  unsigned: {
    version: 0,
    networkId: -4,
    script: undefined,
    gasAmount: 20_000,
    gasPrice: 2n ** 200n,
    inputs: [{ outputReference: { hint: -5, key: hash }, unlockScript: { kind: 'sameAsPrevious' } }],
    fixedOutputs: [
      {
        kind: 'asset',
        amount: 2n ** 255n,
        lockupScript: { kind: 'p2pkh', publicKeyHash: hash },
        lockTime: 2n ** 62n,
        tokens: [{ id: hash, amount: 7n }],
        additionalData: Uint8Array.of(0xc0, 0xff),
      },
    ],
  },
  scriptExecutionOk: false,
  contractInputs: [{ hint: 2, key: hash }],
  generatedOutputs: [{ kind: 'contract', amount: 1n, contractId: hash, tokens: [] }],
  inputSignatures: [new Uint8Array(64)],
  scriptSignatures: [],
};

describe('JSON forms', () => {
  it('of a transaction preserve every digit and number the outputs across both lists', () => {
    const form = transactionForm(transaction);
    expect(form.unsigned.txId).toBe(transactionId(transaction.unsigned));
    expect(form).toMatchObject({
      unsigned: {
        networkId: -4,
        gasPrice: (2n ** 200n).toString(),
        inputs: [{ outputRef: { hint: -5, key: hash } }],
        fixedOutputs: [
          {
            attoCoinAmount: (2n ** 255n).toString(),
            lockTime: (2n ** 62n).toString(),
            tokens: [{ id: hash, amount: '7' }],
            message: 'c0ff',
          },
        ],
      },
      scriptExecutionOk: false,
      contractInputs: [{ hint: 2, key: hash }],
      generatedOutputs: [{ type: 'ContractOutput', attoCoinAmount: '1', tokens: [] }],
      inputSignatures: ['00'.repeat(64)],
      scriptSignatures: [],
    });
    expect(form.unsigned).not.toHaveProperty('scriptOpt');
    expect(form.generatedOutputs[0]!.key).not.toBe(form.unsigned.fixedOutputs[0]!.key);
    expect(() => JSON.stringify(form)).not.toThrow();
  });

  it('of timestamps change to text where a double ends', () => {
    expect(timestampForm(2n ** 53n - 1n)).toBe(9_007_199_254_740_991);
    expect(timestampForm(2n ** 53n)).toBe('9007199254740992');
  });

  it('of integers never pass through a double', () => {
    const value = { total: 10n ** 27n + 1n, list: [0n, -5n], text: '5', none: undefined };
    expect(jsonTextWithIntegers(value)).toBe('{"total":1000000000000000000000000001,"list":[0,-5],"text":"5"}');
  });
});
