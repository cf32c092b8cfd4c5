import { describe, expect, it } from '@jest/globals';
import { assetOutput, buildSignedTransfer, inventedOutput, outputViewOf } from '@shardnode/testing/builders';
import { executorWithoutContracts } from '@shardnode/testing/contract-state';
import { testKeyOfGroup } from '@shardnode/testing/keys';
import { fc } from '@shardnode/testing/properties';
import { multisigOf } from '../address/index.js';
import { sign, verifySignature } from '../crypto/index.js';
import { decode, DecodeError, encode, hexToBytes } from '../encoding/index.js';
import { developmentNetwork } from '../network/index.js';
import { u256Max } from '../primitives/index.js';
import { type Transaction, transactionCodec, transactionId } from '../transaction/index.js';
import { checkAdmission } from '../policy/index.js';
import { checkTransaction, failedScriptOutputs, signatureJobs, verdictText } from './index.js';

const settings = developmentNetwork;
const key = testKeyOfGroup(0);
const coin = 10n ** 18n;
const funds = inventedOutput(assetOutput(key.lockupScript, 10n * coin), 'single');
const multisigFunds = inventedOutput(assetOutput(multisigOf([key.publicKey, key.publicKey], 2), coin), 'multisig');
const view = outputViewOf([funds, multisigFunds]);
const transfer = buildSignedTransfer({
  settings,
  from: key,
  spend: [funds],
  outputs: [assetOutput(testKeyOfGroup(3).lockupScript, coin)],
});
const timestamp = 1_700_000_000_000n;
const executor = executorWithoutContracts(settings, 0, timestamp);
const common = { settings, chainIndex: { from: 0, to: 3 }, timestamp, view, verifySignature, executor };

/** Runs everything that looks at a transaction; any throw fails the property. */
const lookAt = (transaction: Transaction): string => {
  signatureJobs([transaction], view);
  failedScriptOutputs(transaction.unsigned, [funds.output]);
  checkAdmission(transaction, { settings, view, now: timestamp, verifySignature, executor });
  checkTransaction({ ...common, transaction, kind: 'coinbase', coinbaseExtra: coin });
  return verdictText(checkTransaction({ ...common, transaction, kind: 'block' }));
};

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });

describe('whatever a client sends gets a verdict', () => {
  it('any signature and any public key', () => {
    fc.assert(
      fc.property(fc.array(bytes(64), { maxLength: 3 }), bytes(33), fc.boolean(), (signatures, publicKey, right) => {
        const unlockScript = { kind: 'p2pkh' as const, publicKey: right ? key.publicKey : publicKey };
        const unsigned = { ...transfer.unsigned, inputs: [{ outputReference: funds.reference, unlockScript }] };
        const verdict = lookAt({ ...transfer, unsigned, inputSignatures: signatures });
        const expected = right ? ['NotEnoughSignature', 'InvalidSignature'] : ['InvalidPublicKeyHash'];
        expect(expected).toContain(verdict);
      }),
    );
  });

  it('a valid signature with one bit changed', () => {
    expect(lookAt(transfer)).toBe('valid');
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 511 }), (bit) => {
        const signature = transfer.inputSignatures[0]!.slice();
        signature[bit >> 3]! ^= 1 << (bit & 7);
        expect(lookAt({ ...transfer, inputSignatures: [signature] })).toBe('InvalidSignature');
      }),
    );
  });

  it('any multisig keys and indexes', () => {
    const entry = fc.record({ publicKey: fc.oneof(fc.constant(key.publicKey), bytes(33)), index: fc.integer() });
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 4 }), fc.integer({ min: 0, max: 4 }), (keys, signatures) => {
        const unsigned = {
          ...transfer.unsigned,
          inputs: [{ outputReference: multisigFunds.reference, unlockScript: { kind: 'p2mpkh' as const, keys } }],
          fixedOutputs: [assetOutput(testKeyOfGroup(3).lockupScript, coin - 2n * 10n ** 15n)],
        };
        const signature = sign(hexToBytes(transactionId(unsigned)), key.privateKey);
        lookAt({ ...transfer, unsigned, inputSignatures: Array.from({ length: signatures }, () => signature) });
      }),
    );
  });

  it('the bytes of a valid transaction with some of them changed, as far as they decode', () => {
    const original = encode(transactionCodec, transfer);
    const change = fc.record({ at: fc.nat(original.length - 1), to: fc.nat(255) });
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 3 }), (changes) => {
        const mutated = original.slice();
        for (const { at, to } of changes) mutated[at] = to;
        let transaction: Transaction;
        try {
          transaction = decode(transactionCodec, mutated);
        } catch (error) {
          expect(error).toBeInstanceOf(DecodeError);
          return;
        }
        lookAt(transaction);
      }),
      { numRuns: 1_000 },
    );
  });

  it('inputs whose sum leaves 256 bits (no chain holds so much): BalanceOverFlow', () => {
    const rich = [1, 2].map((i) => inventedOutput(assetOutput(key.lockupScript, u256Max), `rich ${i}`));
    const unlockScript = { kind: 'p2pkh' as const, publicKey: key.publicKey };
    const unsigned = {
      ...transfer.unsigned,
      inputs: rich.map(({ reference }) => ({ outputReference: reference, unlockScript })),
    };
    const context = { ...common, view: outputViewOf(rich), transaction: { ...transfer, unsigned } };
    expect(verdictText(checkTransaction({ ...context, kind: 'block' }))).toBe('BalanceOverFlow');
  });
});
