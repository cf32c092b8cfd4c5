import { describe, expect, it } from '@jest/globals';
import { decode } from '@shardnode/protocol/encoding';
import { outputHint } from '@shardnode/protocol/primitives';
import { transactionId, unsignedTransactionCodec } from '@shardnode/protocol/transaction';
import { unsignedTemplate } from '@shardnode/testing/builders';
import { testKeyOfGroup } from '@shardnode/testing/keys';
import { builtDeployment, builtReplyDifference, builtTransaction } from './built-transaction.js';

const spent = { hint: outputHint(testKeyOfGroup(1).lockupScript), key: 'ab'.repeat(32) };
const { unsigned } = unsignedTemplate([spent], [testKeyOfGroup(2).lockupScript]);
const built = builtTransaction(unsigned, 4);

describe('the reply to a build', () => {
  it('says of the transaction what its bytes say', () => {
    expect(decode(unsignedTransactionCodec, built.unsignedTx)).toEqual(unsigned);
    expect(built).toMatchObject({ txId: transactionId(unsigned), gasAmount: 20_000, fromGroup: 1, toGroup: 2 });
    expect(builtReplyDifference(built, 4)).toBeUndefined();
    expect(builtReplyDifference(builtDeployment(unsigned, 4), 4)).toBeUndefined();
  });

  const { unsigned: noInputs } = unsignedTemplate([], [testKeyOfGroup(2).lockupScript]);
  it.each([
    ['txId', { txId: 'cd'.repeat(32) }],
    ['txId', { txId: undefined }],
    ['gasAmount', { gasAmount: 20_001 }],
    ['gasPrice', { gasPrice: '100000000001' }],
    ['fromGroup', { fromGroup: 0 }],
    ['toGroup', { toGroup: 0 }],
    ['contractId', { contractId: `${'cd'.repeat(31)}01` }],
    ['unsignedTx', { unsignedTx: new Uint8Array(0) }],
    ['unsignedTx', { unsignedTx: Uint8Array.of(...built.unsignedTx, 0) }],
    ['txId', { unsignedTx: builtTransaction({ ...unsigned, networkId: 5 }, 4).unsignedTx }],
  ])('differs in %s: %j', (part, lie) => {
    expect(builtReplyDifference({ ...builtDeployment(unsigned, 4), ...lie } as never, 4)).toBe(part);
  });

  it('is none without inputs', () => {
    expect(() => builtTransaction(noInputs, 4)).toThrow('a built transaction has no chain');
  });
});
