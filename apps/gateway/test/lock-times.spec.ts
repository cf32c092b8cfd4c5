import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { addressOf, multisigOf } from '@shardnode/protocol/address';
import { bytesToHex } from '@shardnode/protocol/encoding';
import { testKeyOfGroup } from '@shardnode/testing/keys';
import { startFakeNetwork, type FakeGateway, type FakeNetwork } from './fakes/fake-network.js';

const key = testKeyOfGroup(1);
const fromPublicKey = bytesToHex(key.publicKey);
const { address } = testKeyOfGroup(2);
const multisig = {
  fromAddress: addressOf(multisigOf([key.publicKey], 1)),
  fromPublicKeys: [fromPublicKey],
};
const pay = (lockTime: unknown) => ({ destinations: [{ address, amount: '1 COIN', lockTime }] });
const sweep = (lockTime: unknown) => ({ toAddress: address, lockTime });

/** Every call that takes a lock time: its path, its body, and the name of the field. */
const calls: [string, (lockTime: unknown) => object, string][] = [
  ['/transactions/build', (time) => ({ fromPublicKey, ...pay(time) }), 'destinations[0].lockTime'],
  [
    '/transactions/build-multi-addresses',
    (time) => ({
      from: [
        { fromPublicKey, ...pay(0) },
        { fromPublicKey, ...pay(time) },
      ],
    }),
    'from[1].destinations[0].lockTime',
  ],
  ['/transactions/sweep-address/build', (time) => ({ fromPublicKey, ...sweep(time) }), 'lockTime'],
  ['/multisig/build', (time) => ({ ...multisig, ...pay(time) }), 'destinations[0].lockTime'],
  ['/multisig/sweep', (time) => ({ ...multisig, ...sweep(time) }), 'lockTime'],
  ['/wallets/w/transfer', pay, 'destinations[0].lockTime'],
  ['/wallets/w/sweep-active-address', sweep, 'lockTime'],
  ['/wallets/w/sweep-all-addresses', sweep, 'lockTime'],
];

describe('a lock time in another unit', () => {
  let network: FakeNetwork;
  let reference: FakeGateway;
  beforeAll(async () => {
    network = await startFakeNetwork();
    reference = await network.addGateway({ profile: 'reference' });
  });
  afterAll(() => network.stop());

  describe.each(calls)('%s', (path, bodyOf, field) => {
    const detailOf = async (lockTime: unknown, gateway: FakeGateway = network) => {
      const { status, body, headers } = await gateway.send('POST', path, bodyOf(lockTime));
      return { status, detail: String(body.detail ?? ''), field: headers.get('x-error-field') };
    };

    it.each([1_900_000_000, '1900000000'])('seconds, %j: refused with the milliseconds', async (seconds) => {
      expect(await detailOf(seconds)).toEqual({
        status: 400,
        detail: expect.stringContaining(
          `${field}: must be milliseconds since 1970, but 1900000000 reads as 1970-01-22T23:46:40.000Z, before the genesis of the network, `,
        ),
        field,
      });
      expect((await detailOf(seconds)).detail).toContain(
        'If it is in seconds, send 1900000000000 (2030-03-17T17:46:40.000Z).',
      );
    });

    it('no such time in seconds either', async () => {
      expect((await detailOf(10)).detail).toContain('but 10 reads as 1970-01-01T00:00:00.010Z, before the genesis');
      expect((await detailOf(10)).detail).toContain('Leave it out to lock nothing.');
    });

    it.each([0, null, 1_900_000_000_000, '1900000000000', '9223372036854775807'])('%j is taken', async (time) => {
      expect((await detailOf(time)).detail).not.toContain('Invalid value for');
    });

    it('a number whose digits are lost is not repeated as another one', async () => {
      const text = JSON.stringify(bodyOf('TIME')).replace('"TIME"', '9223372036854775808');
      const { status, body } = await network.send('POST', path, text);
      expect([status, body.detail]).toEqual([
        400,
        `Invalid value for: body (${field}: is a JSON number above 2^53 - 1, whose digits may be lost: send it as a text of digits)`,
      ]);
    });

    it('the profile of existing clients takes it, as they expect', async () => {
      expect((await detailOf(1_900_000_000, reference)).detail).not.toContain('Invalid value for');
    });
  });
});
