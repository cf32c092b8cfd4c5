import { describe, expect, it } from '@jest/globals';
import { base58 } from '@scure/base';
import { fc } from '@shardnode/testing/properties';
import { bytesToHex } from '../../encoding/index.js';
import { decodeBase58, encodeBase58 } from './base58.js';

describe('base58', () => {
  it('agrees with @scure/base on bytes of any length, leading zeros included', () => {
    const zeros = fc.nat(4).map((length) => new Uint8Array(length));
    fc.assert(
      fc.property(zeros, fc.uint8Array({ maxLength: 200 }), (start, rest) => {
        const bytes = Uint8Array.from([...start, ...rest]);
        const text = encodeBase58(bytes);
        expect(text).toBe(base58.encode(bytes));
        expect(bytesToHex(decodeBase58(text)!)).toBe(bytesToHex(bytes));
      }),
    );
  });

  it('agrees with @scure/base on any text', () => {
    const reference = (text: string): string | undefined => {
      try {
        return bytesToHex(base58.decode(text));
      } catch {
        return undefined;
      }
    };
    const nearly = fc.string({ unit: fc.constantFrom(...'1129AHJNPZakmz0OIl '), maxLength: 80 });
    fc.assert(
      fc.property(fc.oneof(nearly, fc.string()), (text) => {
        const bytes = decodeBase58(text);
        expect(bytes && bytesToHex(bytes)).toBe(reference(text));
      }),
    );
  });

  // A loop over all digits for each byte would take minutes here, and the test's own time limit would end it.
  it('comes back from a text of 300,000 bytes', () => {
    const bytes = new Uint8Array(300_000).fill(0xa7);
    expect(bytesToHex(decodeBase58(encodeBase58(bytes)) ?? new Uint8Array())).toBe(bytesToHex(bytes));
  });
});
