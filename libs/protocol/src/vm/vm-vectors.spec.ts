import { describe, expect, it } from '@jest/globals';
import { readVectors, vectorOrigin } from '@shardnode/testing/vectors';
import { instructionText, readRunVectors, runInstruction, valueOfText, valueText } from '@shardnode/testing/vm';
import { addressOf, contractIdOf, subContractIdOf } from '../address/index.js';
import { blake2bHash } from '../crypto/index.js';
import { bytesToHex, decode, DecodeError, encode, hexToBytes } from '../encoding/index.js';
import { compareSignedBytes, type Hash, type LockupScript } from '../primitives/index.js';
import {
  type Contract,
  contractCodec,
  contractCodeHash,
  estimatedSize,
  instructionCodec,
  type Method,
  methodCodec,
  statefulScriptCodec,
  statelessScriptCodec,
  statelessScriptHash,
  type Val,
  valCodec,
  valsCodec,
} from '../script/index.js';
import { immutableStateCodec, immutableStateHashOf, initialStateHashOf } from '../state/index.js';
import { assetOutputsOf } from './balance-outputs.js';
import { ExecutionFailure } from './failure.js';
import { type FailureName } from './failure-texts.js';
import { creationEventsId, destructionEventsId } from './system-events.js';

const parts = readVectors('vm.json');
const { defaults } = readRunVectors('vm-instructions.json');

/** The cases of a part. The project's own copy lacks the parts that may not be copied: none there. */
const casesOf = <T>(part: string): readonly T[] => {
  const found = (parts[part] as { cases?: readonly T[] } | undefined)?.cases;
  if (!found && vectorOrigin === 'original') throw new Error(`no part ${part}`);
  return found ?? [];
};
/** The first part of that name, where it is one object. */
const partOf = <T>(part: string): T | undefined => {
  if (!(part in parts) && vectorOrigin === 'original') throw new Error(`no part ${part}`);
  return parts[part] as T | undefined;
};

const u256 = (value: string): Val => ({ type: 'U256', value: BigInt(value) });
const bytes = (hex: string): Val => ({ type: 'ByteVec', value: hexToBytes(hex) });

/** The one result of an instruction and its own gas, or the name of its failure, or `abort`. */
const answer = (instruction: string, operands: readonly Val[], returnLength = 1): [string, number?] => {
  const gasLimit = 625_000;
  const outcome = runInstruction(instruction, operands, defaults, { gasLimit, returnLength });
  if (outcome.kind === 'aborted') return ['abort'];
  if (outcome.kind !== 'succeeded') return [outcome.failure.failure];
  const value = outcome.results.map((val) => valueText(val).replace(/^\w+ /, '')).join();
  return [value, gasLimit - outcome.gasLeft - 2 * operands.length];
};

describe('values and instructions of vm.json', () => {
  it('values', () => {
    for (const vector of casesOf<{ type: string; value: unknown; hex: string; size: number }>('values')) {
      const val = valueOfText(`${vector.type} ${String(vector.value)}`);
      expect(bytesToHex(encode(valCodec, val))).toBe(vector.hex);
      expect(decode(valCodec, hexToBytes(vector.hex))).toEqual(val);
      expect(estimatedSize(val)).toBe(vector.size);
    }
  });

  it('valueVectors', () => {
    for (const { values, hex } of casesOf<{ values: string[]; hex: string }>('valueVectors')) {
      expect(bytesToHex(encode(valsCodec, values.map(valueOfText)))).toBe(hex);
      expect(decode(valsCodec, hexToBytes(hex)).map(valueText)).toEqual(values);
    }
  });

  it('instructionEncodings', () => {
    for (const { text, hex } of casesOf<{ text: string; hex: string }>('instructionEncodings')) {
      const instruction = decode(instructionCodec('stateful'), hexToBytes(hex));
      expect(instructionText(instruction)).toBe(text);
      expect(bytesToHex(encode(instructionCodec('stateful'), instruction))).toBe(hex);
    }
  });

  it('toByteVec', () => {
    for (const vector of casesOf<{ op: string; value: string; hex: string; gas: number }>('toByteVec')) {
      const operand = valueOfText(`${vector.op.slice(0, 4)} ${vector.value}`);
      expect([vector, answer(vector.op, [operand])]).toEqual([vector, [vector.hex, vector.gas]]);
    }
  });
});

const listing = ({ instructions, ...method }: Method): unknown => ({
  isPublic: method.isPublic,
  assetModifier: method.assetModifier,
  args: method.argsLength,
  locals: method.localsLength,
  returns: method.returnLength,
  instrs: instructions.map(instructionText),
});

const methodEnds = ({ methods }: Contract): number[] => {
  let end = 0;
  return methods.map((method) => (end += encode(methodCodec, method).length));
};

describe('code of vm.json', () => {
  it('methodHeaders', () => {
    const modifiers: Record<string, number> = { none: 0, 'preapproved+contract': 1, contract: 2, preapproved: 3 };
    for (const { flags, hex } of casesOf<{ flags: string; hex: string }>('methodHeaders')) {
      const method = decode(methodCodec, hexToBytes(hex));
      expect(method).toMatchObject({ argsLength: 3, localsLength: 4, returnLength: 5, instructions: [] });
      expect(method.assetModifier).toBe(modifiers[flags] ?? 4);
      expect(bytesToHex(encode(methodCodec, method))).toBe(hex);
    }
  });

  it('contracts', () => {
    interface ContractVector {
      bytecode: string;
      codeHash: string;
      fieldLength: number;
      methodEnds: number[];
      methods: unknown[];
    }
    for (const vector of casesOf<ContractVector>('contracts')) {
      const contract = decode(contractCodec, hexToBytes(vector.bytecode));
      expect(contract.fieldLength).toBe(vector.fieldLength);
      expect(methodEnds(contract)).toEqual(vector.methodEnds);
      expect(contract.methods.map(listing)).toEqual(vector.methods);
      expect(bytesToHex(encode(contractCodec, contract))).toBe(vector.bytecode);
      expect(contractCodeHash(contract)).toBe(vector.codeHash);
    }
  });

  it('contractDecoding', () => {
    interface DecodingVector {
      bytes: string;
      decodes: boolean;
      canonical?: string;
      codeHash?: string;
    }
    for (const vector of casesOf<DecodingVector>('contractDecoding')) {
      if (!vector.decodes) {
        expect(() => decode(contractCodec, hexToBytes(vector.bytes))).toThrow(DecodeError);
        continue;
      }
      const contract = decode(contractCodec, hexToBytes(vector.bytes));
      expect(bytesToHex(encode(contractCodec, contract))).toBe(vector.canonical);
      expect(contractCodeHash(contract)).toBe(vector.codeHash);
    }
  });

  it('stateHashes', () => {
    interface StateHashVector {
      bytecode: string;
      codeHash: string;
      immFields: string[];
      mutFields: string[];
      fieldsEncoded?: string;
      initialStateHash: string;
      immutableStateEncoded?: string;
      immutableStateHash?: string;
    }
    for (const vector of casesOf<StateHashVector>('stateHashes')) {
      const [immutableFields, mutableFields] = [vector.immFields, vector.mutFields].map((it) => it.map(valueOfText));
      const { codeHash, initialStateHash } = vector;
      expect(blake2bHash(hexToBytes(vector.bytecode))).toBe(codeHash);
      expect(initialStateHashOf(codeHash, immutableFields!, mutableFields!)).toBe(initialStateHash);
      if (vector.immutableStateEncoded === undefined) continue;
      expect(bytesToHex(encode(valsCodec, [...immutableFields!, ...mutableFields!]))).toBe(vector.fieldsEncoded);
      const state = { codeHash, initialStateHash, immutableFields: immutableFields! };
      expect(bytesToHex(encode(immutableStateCodec, state))).toBe(vector.immutableStateEncoded);
      expect(immutableStateHashOf(state)).toBe(vector.immutableStateHash);
    }
  });

  it('scriptTemplates: the filled code', () => {
    for (const { bytecode, listing: methods } of casesOf<{ bytecode: string; listing: unknown[] }>('scriptTemplates')) {
      const script = decode(statefulScriptCodec, hexToBytes(bytecode));
      expect(script.methods.map(listing)).toEqual(methods);
      expect(bytesToHex(encode(statefulScriptCodec, script))).toBe(bytecode);
    }
  });

  it('assetScript', () => {
    const part = partOf<{ bytecode: string; listing: string[]; scriptHash: string }>('assetScript');
    if (!part) return;
    const script = decode(statelessScriptCodec, hexToBytes(part.bytecode));
    expect(script.methods[0]!.instructions.map(instructionText)).toEqual(part.listing);
    expect(statelessScriptHash(script)).toBe(part.scriptHash);
  });
});

describe('ids of vm.json', () => {
  const contract = (contractId: Hash): LockupScript => ({ kind: 'p2c', contractId });

  it('contractIds', () => {
    interface IdVector {
      txId: string;
      outputIndex: number;
      group: number;
      contractId: string;
      address: string;
      outputKey: string;
    }
    for (const vector of casesOf<IdVector>('contractIds')) {
      expect(contractIdOf(vector.txId, vector.outputIndex, vector.group)).toBe(vector.contractId);
      expect(addressOf(contract(vector.contractId))).toBe(vector.address);
      expect(vector.outputKey.slice(0, 62)).toBe(vector.contractId.slice(0, 62));
    }
  });

  it('subContractIds', () => {
    interface SubContractIds {
      parent: string;
      path: string;
      results: { group: number; contractId: string }[];
    }
    const part = partOf<SubContractIds>('subContractIds');
    for (const { group, contractId } of part?.results ?? [])
      expect(subContractIdOf(part!.parent, hexToBytes(part!.path), group)).toBe(contractId);
  });

  it('systemEventContracts', () => {
    interface SystemEventVector {
      kind: string;
      group: number;
      contractId: string;
      address: string;
    }
    const ids: Record<string, (group: number) => Hash> = { create: creationEventsId, destroy: destructionEventsId };
    for (const vector of casesOf<SystemEventVector>('systemEventContracts')) {
      expect(ids[vector.kind]!(vector.group)).toBe(vector.contractId);
      expect(addressOf(contract(vector.contractId))).toBe(vector.address);
    }
  });

  it('tokenOrder', () => {
    const sorted = partOf<{ sorted: string[] }>('tokenOrder')!.sorted;
    expect([...sorted].reverse().sort(compareSignedBytes)).toEqual(sorted);
  });
});

describe('instructions of vm.json', () => {
  it('arithmetic', () => {
    const unsignedExponent = new Set(['I256Exp']);
    for (const vector of casesOf<{ op: string; args: string[]; result: string }>('arithmetic')) {
      const type = vector.op.startsWith('I256') ? 'I256' : 'U256';
      const operands = vector.args.map((text, i) =>
        valueOfText(`${i === 1 && unsignedExponent.has(vector.op) ? 'U256' : type} ${text}`),
      );
      expect([vector, answer(vector.op, operands)[0]]).toEqual([vector, vector.result]);
    }
  });

  it('byteConversions', () => {
    const operandsOf = (op: string, arg: string | string[]): Val[] => {
      if (typeof arg !== 'string') return [bytes(arg[0]!), ...arg.slice(1).map(u256)];
      if (op.startsWith('U256From')) return [bytes(arg)];
      const type = op.startsWith('Bool') ? 'Bool' : op.startsWith('I256') ? 'I256' : 'U256';
      return [valueOfText(`${type} ${arg}`)];
    };
    interface ConversionVector {
      op: string;
      arg: string | string[];
      result: string;
      gas?: number;
    }
    for (const vector of casesOf<ConversionVector>('byteConversions')) {
      const [result, gas] = answer(vector.op, operandsOf(vector.op, vector.arg));
      const wanted = vector.result.replace(/^00 x (\d+)$/, (_text, count: string) => '00'.repeat(Number(count)));
      expect([vector.op, vector.arg, result]).toEqual([vector.op, vector.arg, wanted]);
      if (vector.gas !== undefined) expect([vector, gas]).toEqual([vector, vector.gas]);
    }
  });

  it('hashes', () => {
    for (const vector of casesOf<Record<string, string | number>>('hashes'))
      for (const instruction of ['Blake2b', 'Keccak256', 'Sha256', 'Sha3'])
        expect(answer(instruction, [bytes(vector.input as string)])).toEqual([vector[instruction], vector.gasEach]);
  });

  it('ethEcRecover', () => {
    for (const vector of casesOf<{ hash: string; signature: string; result: string }>('ethEcRecover'))
      expect(answer('EthEcRecover', [bytes(vector.hash), bytes(vector.signature)])[0]).toBe(vector.result);
  });

  it.each([
    ['secp256k1', 'VerifySecP256K1'],
    ['ed25519', 'VerifyED25519'],
    ['bip340', 'VerifyBIP340Schnorr'],
  ])('%s', (part, instruction) => {
    interface SignatureVector {
      message: string;
      publicKey: string;
      signature: string;
      valid: boolean;
    }
    for (const vector of casesOf<SignatureVector>(part)) {
      const operands = [vector.message, vector.publicKey, vector.signature].map(bytes);
      const expected = vector.valid ? ['', 2000] : ['InvalidSignature'];
      expect([vector, answer(instruction, operands, 0)]).toEqual([vector, expected]);
    }
  });
});

describe('outputs and texts of vm.json', () => {
  const owner = { kind: 'p2pkh', publicKeyHash: '11'.repeat(32) } as const;
  const tokens = (count: number) => Array.from({ length: count }, (_, i) => ({ id: `0${i}`.repeat(32), amount: 1n }));

  it('assetOutputSplit', () => {
    interface SplitVector {
      attoCoin: string;
      tokens: number;
      outputs: 'InvalidOutputBalances' | [string, string][];
    }
    for (const vector of casesOf<SplitVector>('assetOutputSplit')) {
      const outputs = assetOutputsOf(owner, BigInt(vector.attoCoin), tokens(vector.tokens));
      const shown = outputs?.map(({ amount, tokens: held }) => [
        held[0] ? `token ${Number(held[0].id.slice(0, 2))}` : 'coin',
        amount.toString(),
      ]);
      expect([vector, shown ?? 'InvalidOutputBalances']).toEqual([vector, vector.outputs]);
    }
  });

  it('errorTexts', () => {
    interface TextVector {
      name: FailureName;
      text?: string;
      api?: string;
      tokens?: number;
      attoCoin?: string;
    }
    const address = /address (1\w+),/;
    const failureOf = ({ name, text, tokens: count, attoCoin }: TextVector): ExecutionFailure => {
      const lockup = valueOfText(`Address ${address.exec(text ?? '')?.[1] ?? addressOf(owner)}`).value;
      const args: Partial<Record<FailureName, unknown[]>> = {
        NotEnoughApprovedBalance: [
          lockup,
          text?.includes('COIN') ? '00'.repeat(32) : /tokenId: (\w+)/.exec(text ?? '')?.[1],
          BigInt(/expected: (\d+)/.exec(text ?? '')?.[1] ?? 0),
          BigInt(/got: (\d+)/.exec(text ?? '')?.[1] ?? 0),
        ],
        InvalidOutputBalances: [lockup, count, BigInt(attoCoin ?? 0)],
        AssertionFailedWithErrorCode: [text?.includes('Contract') ? '00'.repeat(32) : undefined, 0],
        InvalidMethodIndex: [10, 3],
        ExpectAContract: [],
      };
      return new ExecutionFailure(name, args[name] as never);
    };
    for (const vector of casesOf<TextVector>('errorTexts')) {
      const text = failureOf(vector).text().replaceAll('{COIN}', 'COIN').replaceAll('{coin}', 'coin');
      if (vector.text !== undefined) expect(text).toBe(vector.text);
      if (vector.api !== undefined) expect(`VM execution error: ${text}`).toBe(vector.api);
    }
  });
});
