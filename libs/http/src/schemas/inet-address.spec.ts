import { describe, expect, it } from '@jest/globals';
import { inetAddress } from './inet-address.js';

describe('an address of a peer', () => {
  it.each([
    ['10.1.2.3', '10.1.2.3'],
    ['::1', '0:0:0:0:0:0:0:1'],
    ['::', '0:0:0:0:0:0:0:0'],
    ['1::', '1:0:0:0:0:0:0:0'],
    ['fe80::0A0b:1', 'fe80:0:0:0:0:0:a0b:1'],
    ['1:2:3:4:5:6:7:8', '1:2:3:4:5:6:7:8'],
    ['::ffff:1.2.3.4', '0:0:0:0:0:ffff:102:304'],
    ['2001:0DB8::0001', '2001:db8:0:0:0:0:0:1'],
  ])('%s is %s', (given, read) => {
    expect(inetAddress.read(given)).toBe(read);
  });

  it.each(['localhost', 'not an address', '', '1.2.3', '1.2.3.256', 'fe80::1%eth0', ':::', 5, null])(
    '%j is none',
    (given) => {
      expect(inetAddress.read(given)).toBeUndefined();
    },
  );
});
