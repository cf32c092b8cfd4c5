import { describe, expect, it } from '@jest/globals';
import { BoundedReader, bytesToHex, decode, decodeFrom, encode, hexToBytes } from '../encoding/index.js';
import {
  type Instruction,
  type OperandKind,
  type Val,
  instructionByCode,
  instructionCodec,
  instructions,
  statelessScriptCodec,
  statelessScriptHash,
  valCodec,
} from './index.js';

const zero = '00'.repeat(32);
const sampleOperand: { readonly [kind in OperandKind]: readonly [hex: string, operand: Instruction['operand']] } = {
  index: ['ff', 255],
  i256: ['3f', -1n],
  u256: ['4040', 64n],
  bytes: ['02aabb', Uint8Array.of(0xaa, 0xbb)],
  lockupScript: [`03${zero}`, { kind: 'p2c', contractId: zero }],
  // The low 30 bits of the number, with 10 before them.
  offset: ['bfff0000', -65536],
  byteStrings: ['0200010f', [new Uint8Array(0), Uint8Array.of(0x0f)]],
  twoBytes: ['0180', Uint8Array.of(1, 0x80)],
  selector: ['ffffff00', -256],
};
describe('instruction table (protocol 01 §13.4)', () => {
  it('assigns 00 to 8c and a0 to d4, each once, and nothing else', () => {
    const codes = instructions.map(({ code }) => code);
    const expected = Array.from({ length: 256 }, (_, code) => code).filter(
      (code) => code <= 0x8c || (code >= 0xa0 && code <= 0xd4),
    );
    expect(codes).toEqual(expected);
    expect(new Set(instructions.map(({ name }) => name)).size).toBe(instructions.length);
  });

  it.each(Array.from({ length: 256 }, (_, code) => code))('code %i decodes where the table says', (code) => {
    const definition = instructionByCode[code];
    const [hex, operand] = definition?.operand ? sampleOperand[definition.operand] : ['', undefined];
    const bytes = Uint8Array.of(code, ...hexToBytes(hex));
    const text = `Instruction - invalid code ${(code << 24) >> 24}`;
    const stateful = instructionCodec('stateful');
    const stateless = instructionCodec('stateless');
    if (!definition) {
      expect(() => decode(stateful, bytes)).toThrow(text);
      expect(() => decode(stateless, bytes)).toThrow(text);
      return;
    }
    const value = operand === undefined ? { code } : { code, operand };
    expect(decode(stateful, bytes)).toEqual(value);
    expect(encode(stateful, value)).toEqual(bytes);
    if (code === 0x01 || code >= 0xa0) expect(() => decode(stateless, bytes)).toThrow(text);
    else expect(decode(stateless, bytes)).toEqual(value);
  });

  it.each([
    ['4a80010001', 'Invalid offset 65537'],
    ['4abffeffff', 'Invalid offset -65537'],
    ['d3000000', 'Invalid int from bytes'],
    ['d4', 'Invalid int from bytes'],
    ['7e02', 'Malicious array size: 2'],
  ])('refuses %s', (hex, text) => {
    expect(() => decode(instructionCodec('stateful'), hexToBytes(hex))).toThrow(text);
  });
});

describe('byte strings of code', () => {
  const listOf = (count: number, element: readonly number[]) =>
    Uint8Array.of(0x7e, 0x40 | (count >> 8), count & 0xff, ...Array.from({ length: count }, () => element).flat());
  const stateful = instructionCodec('stateful');

  it('are one object where they are empty, however many there are', () => {
    const code = listOf(4_000, [0]);
    const decoded = decode(stateful, code);
    expect(new Set(decoded.operand as readonly Uint8Array[]).size).toBe(1);
    expect(encode(stateful, decoded)).toEqual(code);
  });

  it('are counted by a bounded reader', () => {
    for (const code of [listOf(100, [1, 7]), listOf(100, [0])]) {
      expect(decodeFrom(stateful, new BoundedReader(code, 100))).toEqual(decode(stateful, code));
      expect(() => decodeFrom(stateful, new BoundedReader(code, 99))).toThrow(
        'Too many byte strings: expected at most 99',
      );
    }
  });
});

describe('values', () => {
  it.each<[string, Val]>([
    ['0001', { type: 'Bool', value: true }],
    ['013f', { type: 'I256', value: -1n }],
    ['024040', { type: 'U256', value: 64n }],
    ['0302abcd', { type: 'ByteVec', value: Uint8Array.of(0xab, 0xcd) }],
    [`0403${zero}`, { type: 'Address', value: { kind: 'p2c', contractId: zero } }],
  ])('%s', (hex, val) => {
    expect(decode(valCodec, hexToBytes(hex))).toEqual(val);
    expect(bytesToHex(encode(valCodec, val))).toBe(hex);
  });

  it('refuses other kinds by their signed number', () => {
    expect(() => decode(valCodec, hexToBytes('05'))).toThrow('Invalid type id: 5');
    expect(() => decode(valCodec, hexToBytes('ff'))).toThrow('Invalid type id: -1');
  });
});

describe('hash of a stateless script', () => {
  it('is taken over the canonical form', () => {
    const canonical = decode(statelessScriptCodec, hexToBytes('01010000000000'));
    const received = decode(statelessScriptCodec, hexToBytes('400101004000000000'));
    expect(statelessScriptHash(received)).toBe(statelessScriptHash(canonical));
  });
});
