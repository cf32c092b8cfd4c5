import { describe, expect, it } from '@jest/globals';
import { createRangeTest, isAddressRange } from './trusted-proxies.js';

describe('ranges of addresses', () => {
  it.each([
    ['127.0.0.1', true],
    ['10.0.0.0/8', true],
    ['0.0.0.0/0', true],
    ['::1', true],
    ['fd00::/8', true],
    ['10.0.0.0/33', false],
    ['fd00::/129', false],
    ['10.0.0.0/', false],
    ['10.0.0.0/8/8', false],
    ['10.0.0.0/-1', false],
    ['10.0.0', false],
    ['proxy.example', false],
    ['', false],
  ])('%s: %s', (text, is) => {
    expect(isAddressRange(text)).toBe(is);
  });

  it.each([
    ['10.1.2.3', true],
    ['::ffff:10.1.2.3', true],
    ['11.1.2.3', false],
    ['192.0.2.7', true],
    ['192.0.2.8', false],
    ['fd12::1', true],
    ['fe80::1', false],
    ['', false],
    ['unknown', false],
  ])('%s is one of ours: %s', (address, is) => {
    expect(createRangeTest(['10.0.0.0/8', '192.0.2.7', 'fd00::/8'])(address)).toBe(is);
    expect(createRangeTest([])(address)).toBe(false);
  });
});
