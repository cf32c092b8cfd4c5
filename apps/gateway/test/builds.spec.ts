import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { addressOf, multisigOf } from '@shardnode/protocol/address';
import { bytesToHex } from '@shardnode/protocol/encoding';
import { outputHint } from '@shardnode/protocol/primitives';
import { builtDeployment, type BuiltDeployment, builtTransaction, contractAddressOf } from '@shardnode/messages';
import { unsignedTemplate } from '@shardnode/testing/builders';
import { testKeyOfGroup } from '@shardnode/testing/keys';
import { startFakeNetwork, type FakeNetwork } from './fakes/fake-network.js';

const sender = testKeyOfGroup(1);
const receiver = testKeyOfGroup(2);
const fromPublicKey = bytesToHex(sender.publicKey);
const spent = { hint: outputHint(sender.lockupScript), key: 'ab'.repeat(32) };
const { unsigned } = unsignedTemplate([spent], [receiver.lockupScript]);
const honest = builtTransaction(unsigned, 4);
const honestDeployment = builtDeployment(unsigned, 4);

const fromAddress = addressOf(multisigOf([sender.publicKey], 1));
const ofMultisig = { fromAddress, fromPublicKeys: [fromPublicKey] };
const destinations = [{ address: receiver.address, attoCoinAmount: '1 COIN' }];
const bytecode = '0101030000000303117b';

/** Every call that answers a transaction to sign. */
const calls: readonly [string, object][] = [
  ['/transactions/build', { fromPublicKey, destinations }],
  ['/transactions/build-multi-addresses', { from: [{ fromPublicKey, destinations }] }],
  ['/transactions/sweep-address/build', { fromPublicKey, toAddress: receiver.address }],
  ['/multisig/build', { ...ofMultisig, destinations }],
  ['/multisig/sweep', { ...ofMultisig, toAddress: receiver.address }],
  ['/contracts/unsigned-tx/execute-script', { fromPublicKey, bytecode }],
  ['/contracts/unsigned-tx/deploy-contract', { fromPublicKey, bytecode: '000107000000000001180000' }],
];

describe('a transaction that a group-node built', () => {
  let network: FakeNetwork;
  let lie: Partial<BuiltDeployment> = {};
  beforeAll(async () => {
    network = await startFakeNetwork();
    const transaction = () => ({ ...honest, ...lie });
    network.groups['read.building.transfer'] = transaction;
    network.groups['read.building.many-senders'] = transaction;
    network.groups['read.building.execute-script'] = transaction;
    network.groups['read.building.deploy-contract'] = () => ({ ...honestDeployment, ...lie });
    network.groups['read.building.sweep'] = () => {
      const { fromGroup, toGroup } = transaction();
      return { transactions: [honest, transaction()], fromGroup, toGroup, more: false };
    };
  });
  afterAll(() => network.stop());

  it.each(calls)('is answered by %s as its bytes say', async (path, body) => {
    lie = {};
    const { status, body: answer } = await network.send('POST', path, body);
    expect(status).toBe(200);
    expect(answer).toMatchObject({ fromGroup: 1, toGroup: 2 });
    for (const one of answer.unsignedTxs ?? [answer])
      expect(one).toMatchObject({ txId: honest.txId, unsignedTx: bytesToHex(honest.unsignedTx) });
    if (path.endsWith('deploy-contract'))
      expect(answer.contractAddress).toBe(contractAddressOf(honestDeployment.contractId));
  });

  const lies: readonly [string, Partial<BuiltDeployment>][] = [
    ['txId', { txId: 'cd'.repeat(32) }],
    ['gasAmount', { gasAmount: 20_001 }],
    ['gasPrice', { gasPrice: '100000000001' }],
    ['fromGroup', { fromGroup: 3 }],
    ['toGroup', { toGroup: 3 }],
    ['unsignedTx', { unsignedTx: Uint8Array.of(1, 2, 3) }],
  ];
  const attempts = calls.flatMap(([path, body]) => lies.map(([part, told]) => [path, part, body, told] as const));
  const deploying = calls.at(-1)!;
  it.each([...attempts, [deploying[0], 'contractId', deploying[1], { contractId: `${'cd'.repeat(31)}01` }] as const])(
    'is not answered by %s when the group-node says another %s',
    async (path, part, body, told) => {
      lie = told;
      network.log.length = 0;
      const answer = await network.send('POST', path, body);
      expect([answer.status, answer.headers.get('x-error-code')]).toEqual([500, 'BuiltTransactionDiffers']);
      expect(Object.keys(answer.body as object)).toEqual(['detail']);
      const line = network.log.find((one) => one.includes('transaction of a group-node not answered'));
      const requestId = answer.headers.get('x-request-id');
      expect(JSON.parse(line!)).toMatchObject({ level: 50, group: expect.any(Number), part, requestId });
    },
  );
});
