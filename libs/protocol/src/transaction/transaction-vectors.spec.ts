import { describe, expect, it } from '@jest/globals';
import { shownTemplate, shownTransaction } from '@shardnode/testing/vector-forms';
import { readVectors, sectionsClaimedBy } from '@shardnode/testing/vectors';
import { addressOf } from '../address/index.js';
import { publicKeyOf, verifySignature } from '../crypto/index.js';
import { type Codec, bytesToHex, decode, encode, hexToBytes } from '../encoding/index.js';
import { lockupScriptCodec } from '../primitives/index.js';
import {
  type Transaction,
  merkleLeaf,
  transactionCodec,
  transactionId,
  transactionTemplateCodec,
  unsignedTransactionCodec,
} from './index.js';

interface Shown {
  lockupScript: string;
  address?: string;
}
interface TransactionVector {
  name: string;
  bytes: number;
  hex: string;
  transactionId: string;
  unsignedTransaction: string;
  merkleLeafHash: string;
  template?: string;
  decoded: { fixedOutputs: Shown[]; generatedOutputs?: Shown[] };
  inputSigners?: string[];
  scriptSigners?: string[];
  inputSignaturePublicKeys?: string[];
}
interface TransactionVectors {
  signerKeys: Record<string, { privateKey: string; publicKey: string }>;
  transactions: TransactionVector[];
  templates: TransactionVector[];
  nonCanonicalAccepted: {
    note: string;
    hex: string;
    transactionId: string;
    merkleLeafHash: string;
    canonicalHex: string;
  }[];
  decodeErrors: { decode: string; note: string; hex: string; error: string; message: string }[];
}

const file = 'transactions.json';
const vectors = readVectors<TransactionVectors>(file);
const groups = 4;

/** The vectors name addresses too; here they are checked against the lockup script and left out. */
const withoutAddresses = (vector: TransactionVector): object => {
  const plain = (output: Shown): object => {
    const { address, ...rest } = output;
    if (address !== undefined) {
      expect(addressOf(decode(lockupScriptCodec, hexToBytes(output.lockupScript)))).toBe(address);
    }
    return rest;
  };
  const { fixedOutputs, generatedOutputs, ...rest } = vector.decoded;
  return {
    ...rest,
    fixedOutputs: fixedOutputs.map(plain),
    ...(generatedOutputs ? { generatedOutputs: generatedOutputs.map(plain) } : {}),
  };
};

const checkSignatures = (signatures: readonly Uint8Array[], id: string, publicKeys: readonly string[]): void => {
  const valid = signatures.map((signature, i) =>
    verifySignature(hexToBytes(id), signature, hexToBytes(publicKeys[i] ?? '')),
  );
  expect(valid).toEqual(publicKeys.map(() => true));
};

const keysOf = (names: readonly string[]): string[] => names.map((name) => vectors.signerKeys[name]!.publicKey);

const checkSigners = (transaction: Transaction, vector: TransactionVector): void => {
  const inputKeys = vector.inputSignaturePublicKeys ?? keysOf(vector.inputSigners ?? []);
  checkSignatures(transaction.inputSignatures, vector.transactionId, inputKeys);
  checkSignatures(transaction.scriptSignatures, vector.transactionId, keysOf(vector.scriptSigners ?? []));
};

const codecs: Record<string, Codec<unknown>> = {
  transaction: transactionCodec as Codec<unknown>,
  'unsigned transaction': unsignedTransactionCodec as Codec<unknown>,
};

/** One walker for each section; a section that is claimed but missing here fails. */
const walkers: Record<string, (section: string) => void> = {
  signerKeys: () => {
    for (const [name, key] of Object.entries(vectors.signerKeys)) {
      it(`signer ${name}`, () => expect(bytesToHex(publicKeyOf(hexToBytes(key.privateKey)))).toBe(key.publicKey));
    }
  },
  transactions: () => {
    for (const vector of vectors.transactions) {
      it(`transaction ${vector.name}`, () => {
        const transaction = decode(transactionCodec, hexToBytes(vector.hex));
        expect(bytesToHex(encode(transactionCodec, transaction))).toBe(vector.hex);
        expect(vector.hex).toHaveLength(2 * vector.bytes);
        expect(bytesToHex(encode(unsignedTransactionCodec, transaction.unsigned))).toBe(vector.unsignedTransaction);
        expect(transactionId(transaction.unsigned)).toBe(vector.transactionId);
        expect(merkleLeaf(transaction)).toBe(vector.merkleLeafHash);
        expect(bytesToHex(encode(transactionTemplateCodec, transaction))).toBe(vector.template);
        expect(shownTransaction(transaction, groups)).toEqual(withoutAddresses(vector));
        checkSigners(transaction, vector);
      });
    }
  },
  templates: () => {
    for (const vector of vectors.templates) {
      it(`template ${vector.name}`, () => {
        const template = decode(transactionTemplateCodec, hexToBytes(vector.hex));
        expect(bytesToHex(encode(transactionTemplateCodec, template))).toBe(vector.hex);
        expect(bytesToHex(encode(unsignedTransactionCodec, template.unsigned))).toBe(vector.unsignedTransaction);
        expect(transactionId(template.unsigned)).toBe(vector.transactionId);
        expect(shownTemplate(template, groups)).toEqual(withoutAddresses(vector));
      });
    }
  },
  nonCanonicalAccepted: () => {
    for (const vector of vectors.nonCanonicalAccepted) {
      it(`accepts ${vector.note}; ids are those of the canonical form`, () => {
        const transaction = decode(transactionCodec, hexToBytes(vector.hex));
        expect(transactionId(transaction.unsigned)).toBe(vector.transactionId);
        expect(merkleLeaf(transaction)).toBe(vector.merkleLeafHash);
        expect(bytesToHex(encode(transactionCodec, transaction))).toBe(vector.canonicalHex);
      });
    }
  },
  decodeErrors: () => {
    for (const vector of vectors.decodeErrors) {
      it(`refuses ${vector.decode}: ${vector.note}`, () => {
        const codec = codecs[vector.decode];
        if (!codec) throw new Error(`no codec for vectors of ${vector.decode}`);
        expect(() => decode(codec, hexToBytes(vector.hex))).toThrow(
          expect.objectContaining({ name: 'DecodeError', kind: vector.error, message: vector.message }),
        );
      });
    }
  },
};

describe(file, () => {
  for (const section of sectionsClaimedBy(file, 'transaction')) {
    const walk = walkers[section];
    if (walk) walk(section);
    else it(`has a walker for ${section}`, () => expect(Object.keys(walkers)).toContain(section));
  }
});
