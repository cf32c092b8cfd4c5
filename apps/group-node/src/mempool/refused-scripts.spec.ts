import { describe, expect, it } from '@jest/globals';
import { ServiceError } from '@shardnode/core/errors';
import { RefusedScripts } from './refused-scripts.js';

const best = ['aa', 'bb'];
const refused = (text: string): ServiceError => new ServiceError('refused', 'TxScriptExeFailed', text);
const bytes = (number: number): Uint8Array => Uint8Array.of(number >> 8, number & 255);

describe('scripts that were refused', () => {
  it('are cached by their bytes, for a second, at the same tips', () => {
    let now = 0;
    const scripts = new RefusedScripts({ monotonic: () => now });
    const error = refused('it failed');
    scripts.add(bytes(1), best, error);
    expect(scripts.errorOf(bytes(1), best)).toBe(error);
    expect(scripts.errorOf(bytes(2), best)).toBeUndefined();
    now = 999;
    expect(scripts.errorOf(bytes(1), best)).toBe(error);
    now = 1_000;
    expect(scripts.errorOf(bytes(1), best)).toBeUndefined();
    scripts.add(bytes(1), best, error);
    expect(scripts.errorOf(bytes(1), ['aa', 'cc'])).toBeUndefined();
    expect(scripts.errorOf(bytes(1), best)).toBeUndefined();
  });

  it('are few and short: the oldest is evicted, a long one never cached', () => {
    const scripts = new RefusedScripts({ monotonic: () => 0 });
    scripts.add(bytes(0), best, refused('x'.repeat(200_000)));
    expect(scripts.errorOf(bytes(0), best)).toBeUndefined();
    // The text quotes the bytes in hexadecimal: 100,000 characters are together the most.
    const [longest, tooLong] = [new Uint8Array(20_000), new Uint8Array(20_001)];
    for (const raw of [longest, tooLong]) scripts.add(raw, best, refused('x'.repeat(60_000)));
    expect([longest, tooLong].map((raw) => scripts.errorOf(raw, best) !== undefined)).toEqual([true, false]);
    for (let i = 1; i <= 257; i++) scripts.add(bytes(i), best, refused('it failed'));
    expect(scripts.errorOf(bytes(1), best)).toBeUndefined();
    expect(scripts.errorOf(bytes(30), best)).toBeDefined();
  });
});
