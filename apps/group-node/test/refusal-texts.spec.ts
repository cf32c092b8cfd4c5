import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ServiceError } from '@shardnode/core/errors';
import { documentedText } from '@shardnode/http';
import { addressOf } from '@shardnode/protocol/address';
import { genesisBlock } from '@shardnode/protocol/block';
import { bytesToHex, decode, encode } from '@shardnode/protocol/encoding';
import { developmentNetwork } from '@shardnode/protocol/network';
import { blockEffects } from '@shardnode/protocol/state';
import {
  type AssetOutput,
  referenceOf,
  transactionId,
  type TransactionTemplate,
  transactionTemplateCodec,
} from '@shardnode/protocol/transaction';
import { assetOutput, buildSignedTransfer, type SpendableOutput } from '@shardnode/testing/builders';
import { developmentKeys, testKeyOfGroup, type TestKey } from '@shardnode/testing/keys';
import { withNegatedS } from '@shardnode/testing/signatures';
import { coin, TestNetwork } from './support/network.js';

/** What a client is told of a signed transaction that a node does not take, in our words and in those that tools match. */
describe('texts of refused submits', () => {
  let network: TestNetwork;
  let rich: readonly TestKey[];
  beforeAll(async () => {
    network = await TestNetwork.open({ mining: 'off' });
    rich = await developmentKeys();
  });
  afterAll(() => network.close());

  const submit = (group: number, template: Uint8Array): Promise<unknown> =>
    network.client.request(group, 'command.mempool.submit', { template });
  const refusalOf = async (group: number, template: Uint8Array): Promise<ServiceError> =>
    submit(group, template).then(
      () => {
        throw new Error('it was taken');
      },
      (error: ServiceError) => error,
    );
  const idOf = (raw: Uint8Array): string => transactionId(decode(transactionTemplateCodec, raw).unsigned);
  const payment = (key: TestKey, amount: bigint): Promise<Uint8Array> =>
    network.signedTransfer(key, [{ key: testKeyOfGroup(key.group), amount }]);

  /** Of a refusal by the rules: both texts. */
  const expectRefusal = async (key: TestKey, raw: Uint8Array, code: string, why: string): Promise<ServiceError> => {
    const error = await refusalOf(key.group, raw);
    expect([error.kind, error.code]).toEqual(['refused', code]);
    expect(error.detail).toBe(`Transaction ${idOf(raw)} is refused: ${why}`);
    expect(documentedText(code, error.data)).toBe(
      `Failed in validating tx ${idOf(raw)} due to ${code}: ${bytesToHex(raw)}`,
    );
    return error;
  };

  it('another transaction spends the same output: first it waits, then it is mined', async () => {
    const key = rich[0]!;
    const [first, second] = [await payment(key, coin), await payment(key, 2n * coin)];
    await submit(0, first);
    const waiting = await refusalOf(0, second);
    expect(waiting).toMatchObject({ kind: 'refused', code: 'DoubleSpending', data: { conflictingTxId: idOf(first) } });
    expect(waiting.detail).toBe(
      `Transaction ${idOf(second)} is refused: transaction ${idOf(first)} is in the mempool and spends the same output; wait for that one, or build this one again with other outputs`,
    );
    expect(documentedText('DoubleSpending', waiting.data)).toBe(
      `tx ${idOf(second).slice(-8)} is double spending: ${bytesToHex(second)}`,
    );
    await network.mine(0, 0);
    const { outputReference } = decode(transactionTemplateCodec, second).unsigned.inputs[0]!;
    const mined = await expectRefusal(
      key,
      second,
      'NonExistInput',
      `input 1 of 1 does not exist: output ${outputReference.key} is spent already, or never was; build the transaction again; transaction ${idOf(first)}, which is mined, spends what it spends`,
    );
    expect(mined.data.conflictingTxId).toBe(idOf(first));
  });

  it('a signature is wrong', async () => {
    const key = rich[1]!;
    const raw = await payment(key, coin);
    const template = decode(transactionTemplateCodec, raw);
    const wrong: TransactionTemplate = { ...template, inputSignatures: [new Uint8Array(64).fill(1)] };
    await expectRefusal(
      key,
      encode(transactionTemplateCodec, wrong),
      'InvalidSignature',
      `signature 1 of 1 does not verify with public key ${bytesToHex(key.publicKey)} of input 1 of 1: sign the 32 bytes of the transaction id ${idOf(raw)}, without hashing them, with the private key of that public key; signatures go in the order of the inputs and their keys`,
    );
  });

  it('a signature has s in the upper half: an advice follows the words that tools match', async () => {
    const key = rich[1]!;
    const template = decode(transactionTemplateCodec, await payment(key, coin));
    const inputSignatures = template.inputSignatures.map(withNegatedS);
    const raw = encode(transactionTemplateCodec, { ...template, inputSignatures });
    const advice =
      'its s is above half the order n of the curve secp256k1, and with n - s it verifies; put n - s in its place ("low s"), or let the library do so';
    const error = await expectRefusal(
      key,
      raw,
      'InvalidSignature',
      `signature 1 of 1 does not verify with public key ${bytesToHex(key.publicKey)} of input 1 of 1: ${advice}`,
    );
    expect(error.data.signatureAdvice).toBe(advice);
  });

  it('an output is locked: until when', async () => {
    const key = rich[2]!;
    const block = genesisBlock(developmentNetwork, { from: key.group, to: key.group });
    const { reference, output } = blockEffects(block).transactions[0]!.outputs[0]!;
    if (output.kind !== 'asset') throw new Error('an allocation is an asset output');
    const lockedOutput = { ...assetOutput(key.lockupScript, 5n * coin), lockTime: 4_102_444_800_000n };
    const spending = (spend: SpendableOutput, outputs: readonly AssetOutput[]): Uint8Array =>
      encode(
        transactionTemplateCodec,
        buildSignedTransfer({ settings: developmentNetwork, from: key, spend: [spend], outputs }),
      );
    const locking = spending({ reference, output }, [lockedOutput]);
    await submit(key.group, locking);
    await network.mine(key.group, key.group);
    const locked = { reference: referenceOf(lockedOutput, idOf(locking), 0), output: lockedOutput };
    const early = await expectRefusal(
      key,
      spending(locked, []),
      'TimeLockedTx',
      `input 1 of 1, of address ${addressOf(key.lockupScript)}, is locked; submit it from 2100-01-01T00:00:00.000Z on`,
    );
    expect(early.data).toMatchObject({ spendableAt: '4102444800000', address: addressOf(key.lockupScript) });
  });

  it('the wrong group is asked, or the bytes are no transaction', async () => {
    const raw = await payment(rich[3]!, coin);
    expect(await refusalOf(0, raw)).toMatchObject({
      kind: 'invalid-request',
      code: 'NotThisGroup',
      detail: `Group 0 was asked, but the inputs of transaction ${idOf(raw)} are of group 3: submit it there`,
      data: { group: 3 },
    });
    expect(await refusalOf(3, raw.slice(0, 20))).toMatchObject({
      kind: 'invalid-request',
      code: 'Undecodable',
      detail: expect.stringMatching(/^The bytes are no transaction with signatures: Too few bytes/),
    });
  });
});
