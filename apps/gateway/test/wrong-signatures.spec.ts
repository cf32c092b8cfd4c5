import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ServiceError } from '@shardnode/core/errors';
import { blake2b, sha256, sign } from '@shardnode/protocol/crypto';
import { bytesToHex, hexToBytes } from '@shardnode/protocol/encoding';
import { testKeysOfGroup } from '@shardnode/testing/keys';
import { withNegatedS } from '@shardnode/testing/signatures';
import { startFakeNetwork, type Answer, type FakeNetwork } from './fakes/fake-network.js';

/** A transfer from group 0 to group 1 on the development network. */
const unsignedTx =
  '00040080004e20c1174876e8000137a444479fa782e8b88d4f95e28b3b2417e5bc30d33a5ae8486d4a8885b82b224259c1e6000381818e63bd9e35a5489b52a430accefc608fd60aa2c7c0d1b393b5239aedf6b002c40de0b6b3a7640000003388bf9e9f790f1b598910e40c96d3def81465a66b30477b6650ec9ba28b590c00000000000000000000c6d3c20de6fb3cb00f000000bee85f379545a2ed9f6cceb331288842f378cf0f04012ad4ac8824aae7d6f80a00000000000000000000';
const [own, other] = testKeysOfGroup(0, 2);
const data = 'ab'.repeat(32);
const bytes = hexToBytes(data);
const highToo =
  '; its s is also above half the order n of the curve secp256k1: put n - s in its place ("low s"), or let the library do so';
const unhashed = `sign the 32 bytes of the data ${data} as they are, without hashing them`;
const unknown = `it is of other data, or by another key; sign the 32 bytes of the data ${data}, without hashing them, with the private key of publicKey`;

describe.each(['document', 'reference'] as const)('wrong signatures, profile %s', (profile) => {
  let network: FakeNetwork;
  beforeAll(async () => {
    network = await startFakeNetwork({ profile });
  });
  afterAll(() => network.stop());
  const adviceOf = ({ headers }: Answer): string | null => headers.get('x-signature-advice');
  const verify = (signature: Uint8Array, more: object = {}): Promise<Answer> =>
    network.send('POST', '/utils/verify-signature', {
      data,
      publicKey: bytesToHex(own!.publicKey),
      signature: bytesToHex(signature),
      ...more,
    });
  const good = sign(bytes, own!.privateKey);

  it('one that verifies needs no advice', async () => {
    const answer = await verify(good);
    expect([answer.status, answer.text, adviceOf(answer)]).toEqual([200, 'true', null]);
  });

  it.each<[string, Uint8Array, string]>([
    [
      'has s in the upper half',
      withNegatedS(good),
      'its s is above half the order n of the curve secp256k1, and with n - s it verifies; put n - s in its place ("low s"), or let the library do so',
    ],
    ['signs a hash', sign(blake2b(bytes), own!.privateKey), `it signs the BLAKE2b hash of the data; ${unhashed}`],
    [
      'signs a hash, with s in the upper half',
      withNegatedS(sign(sha256(bytes), own!.privateKey)),
      `it signs the SHA-256 hash of the data; ${unhashed}${highToo}`,
    ],
    ['is by another key', sign(bytes, other!.privateKey), unknown],
    [
      'is of other data, with s in the upper half',
      withNegatedS(sign(blake2b(good), own!.privateKey)),
      unknown + highToo,
    ],
    ['is no signature', new Uint8Array(64), unknown],
  ])('one that %s is answered false, and a header says so', async (_what, signature, advice) => {
    const answer = await verify(signature);
    expect([answer.status, answer.text, adviceOf(answer)]).toEqual([200, 'false', advice]);
  });

  it.each([
    [
      'data of another length',
      { data: 'ab'.repeat(31) },
      'data has 31 bytes, and a signature is over 32, such as those of a transaction id',
    ],
    ['a key that is no point', { publicKey: `02${'ff'.repeat(32)}` }, 'publicKey is no point of the curve secp256k1'],
  ])('%s is named', async (_what, more, advice) => {
    const answer = await verify(good, more);
    expect([answer.text, adviceOf(answer)]).toEqual(['false', advice]);
  });

  it.each([
    ['/transactions/submit', { signature: bytesToHex(good) }],
    ['/multisig/submit', { signatures: [bytesToHex(good)] }],
  ])('%s has the advice of the group-node in the same header', async (path, signatures) => {
    network.groups['command.mempool.submit'] = () => {
      throw new ServiceError('refused', 'InvalidSignature', 'it does not verify', { signatureAdvice: 'low s' });
    };
    const answer = await network.send('POST', path, { unsignedTx, ...signatures });
    expect([answer.status, adviceOf(answer)]).toEqual([400, 'low s']);
  });
});
