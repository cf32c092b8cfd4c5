import { describe, expect, it } from '@jest/globals';
import { blake2bHash } from '@shardnode/protocol/crypto';
import { bytesToHex, decode, DecodeError, encode, hexToBytes } from '@shardnode/protocol/encoding';
import {
  contractCodec,
  contractCodeHash,
  estimatedSize,
  estimatedSizeOf,
  type Method,
  methodAreaLength,
  methodCodec,
  paysToContractOnly,
  usesApprovedAssets,
  usesContractAssets,
} from './index.js';

const method = '00000000000118';
const decoded = (hex: string) => decode(contractCodec, hexToBytes(hex));

describe('the code of a contract (protocol 05 §3.4)', () => {
  it('is its field count, the ends of its methods and the methods', () => {
    const contract = decoded(`000107${method}`);
    expect(contract.fieldLength).toBe(0);
    expect(contract.methods).toHaveLength(1);
    expect(contract.methods[0]).toMatchObject({ isPublic: false, instructions: [{ code: 0x18 }] });
    expect(bytesToHex(encode(contractCodec, contract))).toBe(`000107${method}`);
    expect(contractCodeHash(contract)).toBe(blake2bHash(hexToBytes(`000107${method}`)));
    expect(methodAreaLength(contract)).toBe(7);
    expect(methodAreaLength(decoded(`0202070e${method}${method}`))).toBe(14);
  });

  it('may end behind the last byte, and is then the same code', () => {
    expect(decoded(`000114${method}`)).toEqual(decoded(`000107${method}`));
    expect(contractCodeHash(decoded(`000114${method}`))).toBe(contractCodeHash(decoded(`000107${method}`)));
  });

  it('may have no methods, and any number of fields', () => {
    expect(decoded('0000')).toEqual({ fieldLength: 0, methods: [] });
    expect(decoded('3f00').fieldLength).toBe(-1);
  });

  it.each([
    ['bytes after the last end', `000107${method}00`],
    ['bytes without an end', '000000'],
    ['a last end before the end of its method', `000106${method}`],
    ['an end before the end of its method', `0002060e${method}${method}`],
    ['ends that do not increase', `00020707${method}`],
    ['an empty last method', `00020714${method}`],
    ['ends that decrease', `00020e07${method}${method}`],
    ['a negative end', `00013f${method}`],
    ['a negative first end', `00023f07${method}`],
    ['fewer bytes than the ends need', `0002070e${method}0000`],
    ['a method with an unknown modifier', `000107${method.replace('0000000000', '0008000000')}`],
  ])('is refused with %s', (_, hex) => {
    expect(() => decoded(hex)).toThrow(DecodeError);
  });
});

describe('the modifier of a method (protocol 05 §3.1)', () => {
  const withModifier = (modifier: string): Method => decode(methodCodec, hexToBytes(`01${modifier}03040500`));
  it.each([
    ['00', { approved: false, own: false, contractOnly: false }],
    ['01', { approved: true, own: true, contractOnly: false }],
    ['02', { approved: false, own: true, contractOnly: false }],
    ['03', { approved: true, own: false, contractOnly: false }],
    ['04', { approved: false, own: false, contractOnly: true }],
    ['05', { approved: true, own: true, contractOnly: true }],
    ['06', { approved: false, own: true, contractOnly: true }],
    ['07', { approved: true, own: false, contractOnly: true }],
  ])('%s', (modifier, expected) => {
    const read = withModifier(modifier);
    expect({
      approved: usesApprovedAssets(read),
      own: usesContractAssets(read),
      contractOnly: paysToContractOnly(read),
    }).toEqual(expected);
  });
});

describe('the estimated size of values (protocol 05 §2.5)', () => {
  it('counts types, the bytes of strings and the keys of an address', () => {
    const key = '11'.repeat(32);
    const vals = [
      { type: 'Bool', value: true },
      { type: 'I256', value: -1n },
      { type: 'U256', value: 2n ** 200n },
      { type: 'ByteVec', value: new Uint8Array(70) },
      { type: 'Address', value: { kind: 'p2pkh', publicKeyHash: key } },
      { type: 'Address', value: { kind: 'p2mpkh', publicKeyHashes: [key, key, key], m: 2 } },
      { type: 'Address', value: { kind: 'p2c', contractId: key } },
    ] as const;
    expect(vals.map(estimatedSize)).toEqual([1, 32, 32, 70, 32, 96, 32]);
    expect(estimatedSizeOf(vals)).toBe(295);
    expect(estimatedSizeOf([])).toBe(0);
  });
});
