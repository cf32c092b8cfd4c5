import { describe, expect, it } from '@jest/globals';
import { fc } from '@shardnode/testing/properties';
import { bytesToHex } from '@shardnode/protocol/encoding';
import { fields, list, required, signature } from './index.js';

const schema = fields({ signatures: list(required(signature), 'signatures') }, { description: 'Signatures' });
const messageFor = (text: unknown): string => {
  const result = schema.safeParse({ signatures: [text] });
  return result.success ? 'taken' : result.error.issues.map(({ message }) => message).join();
};

const expected = 'expected a signature of 128 hexadecimal digits';
const byteOf = (from: number, to: number) => fc.integer({ min: from, max: to });
const recoveryByte = fc.oneof(byteOf(0, 3), byteOf(27, 34));
const otherByte = byteOf(35, 255);
const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });

/** DER of a number without sign. */
const derNumber = (value: Uint8Array): number[] => {
  const start = value.findIndex((byte) => byte !== 0);
  const digits = start < 0 ? [0] : [...value.subarray(start)];
  const padded = digits[0]! >= 0x80 ? [0, ...digits] : digits;
  return [2, padded.length, ...padded];
};
const derOf = (r: Uint8Array, s: Uint8Array): number[] => {
  const body = [...derNumber(r), ...derNumber(s)];
  return [0x30, body.length, ...body];
};

describe('forms of a signature that are not r and s', () => {
  it('r and s, in either case of the digits', () => {
    fc.assert(
      fc.property(bytes(64), (rs) => {
        expect(messageFor(bytesToHex(rs))).toBe('taken');
        expect(messageFor(bytesToHex(rs).toUpperCase())).toBe('taken');
      }),
    );
  });

  it('DER, also with the byte that follows it in bitcoin', () => {
    const message = `${expected}: 32 bytes of r, then 32 of s, and not DER`;
    fc.assert(
      fc.property(bytes(32), bytes(32), fc.boolean(), (r, s, hasHashType) => {
        const der = Uint8Array.from([...derOf(r, s), ...(hasHashType ? [1] : [])]);
        fc.pre(der.length !== 64);
        expect(messageFor(bytesToHex(der))).toBe(message);
      }),
    );
  });

  it('a recovery byte at the end or at the beginning', () => {
    const messageOf = (which: string): string => `${expected}, without a recovery byte: leave out the ${which} byte`;
    fc.assert(
      fc.property(bytes(63), otherByte, recoveryByte, (middle, other, recovery) => {
        const [front, end] = [
          [recovery, ...middle, other],
          [other, ...middle, recovery],
        ];
        expect(messageFor(bytesToHex(Uint8Array.from(end!)))).toBe(messageOf('last'));
        if (other !== 0x30) expect(messageFor(bytesToHex(Uint8Array.from(front!)))).toBe(messageOf('first'));
      }),
    );
    fc.assert(
      fc.property(bytes(63), fc.tuple(recoveryByte, recoveryByte), (middle, [first, last]) => {
        expect(messageFor(bytesToHex(Uint8Array.from([first, ...middle, last])))).toBe(messageOf('first or the last'));
      }),
    );
  });

  it.each(['', 'zz', '11'.repeat(63), '11'.repeat(66), '1'.repeat(129), 'x'.repeat(130), 5, null, {}])(
    'nothing is known of %j',
    (text) => expect(messageFor(text)).toBe(expected),
  );

  it('nothing is known of 65 bytes with other ends', () => {
    expect(messageFor(`${'77'.repeat(65)}`)).toBe(
      `${expected}, without a recovery byte: leave out the first or the last byte`,
    );
  });
});
