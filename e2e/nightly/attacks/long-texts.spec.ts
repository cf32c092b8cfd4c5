import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { besideAttack } from '../../kit/attacks/bystander.js';
import { type Answer, type Method } from '../../kit/api-client.js';
import { describeNetwork } from '../../kit/deployment-under-test.js';
import { type Network, startNetwork } from '../../kit/network.js';

const mnemonic = `${'abandon '.repeat(11)}about`;
/** Normal form NFKD sorts combining marks by their class, in time that grows with the square of their number. */
const marks = (count: number): string => '\u0301\u0327'.repeat(count / 2);
const longAddress = 'z'.repeat(5_000_000);

/** One request, without a key and without a wallet. */
const requests: readonly [string, Method, string, unknown][] = [
  [
    'a passphrase of 80 kB',
    'PUT',
    '/wallets',
    { password: 'pass-word-1', mnemonic, mnemonicPassphrase: marks(40_000) },
  ],
  ['a password of 9 MB', 'POST', '/wallets', { password: 'x'.repeat(9_000_000), walletName: 'long-password' }],
  ['a mnemonic of 9 MB', 'PUT', '/wallets', { password: 'pass-word-1', mnemonic: 'abandon '.repeat(1_100_000) }],
  ['the name of a wallet of 9 MB', 'POST', '/wallets', { password: 'pass-word-1', walletName: 'x'.repeat(9_000_000) }],
  ['an address of 5 MB', 'PUT', '/miners/addresses', { addresses: [longAddress] }],
  [
    'a value of 5 MB',
    'POST',
    '/contracts/call-contract',
    { group: 0, address: 'z', methodIndex: 0, args: [{ type: 'Address', value: longAddress }] },
  ],
  [
    'an amount of 9 MB',
    'POST',
    '/transactions/build',
    { fromPublicKey: '02', destinations: [{ amount: '9'.repeat(9_000_000) }] },
  ],
];

/** Milliseconds: the body of 10 MB alone takes a tenth of them to arrive and to be parsed. */
const longestWait = 1_500;

/** A text costs more than its bytes where it is decoded, normalized or quoted. */
describeNetwork('attack: texts without a longest length', () => {
  let network: Network;
  beforeAll(async () => {
    network = await startNetwork();
  });
  afterAll(() => network?.remove());

  it.each(requests)(
    '%s is refused, with its longest length, while others are served',
    async (name, method, path, body) => {
      let answer: Answer | undefined;
      const effect = await besideAttack(network, name, async () => {
        answer = await network.api.send(method, path, { body, timeoutMs: 120_000 });
      });
      expect(answer?.status).toBe(400);
      expect(answer?.headers['x-error-code']).toBe('InvalidRequest');
      expect(answer?.text).toMatch(/has \d+ characters, at most \d+ are allowed/);
      expect(effect.failed).toEqual([]);
      expect(effect.slowest).toBeLessThan(longestWait);
    },
  );
});
