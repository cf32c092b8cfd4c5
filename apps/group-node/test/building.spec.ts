import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ServiceError } from '@shardnode/core/errors';
import { type BuildTransferRequest, type BuiltTransaction, type DestinationItem } from '@shardnode/messages';
import { multisigOf } from '@shardnode/protocol/address';
import { multisigUnlockScript } from '@shardnode/protocol/building';
import { sign } from '@shardnode/protocol/crypto';
import { bytesToHex, decode, encode, hexToBytes } from '@shardnode/protocol/encoding';
import { type AssetLockupScript, groupOfLockupScript, outputHint } from '@shardnode/protocol/primitives';
import { transactionTemplateCodec, unlockScriptCodec, unsignedTransactionCodec } from '@shardnode/protocol/transaction';
import { developmentKeys, testKey, testKeyOfGroup, testKeysOfGroup, type TestKey } from '@shardnode/testing/keys';
import { ownerOf } from '../src/store/utxo-rows.js';
import { embeddedStores, schemaOf, type TestStores } from './support/embedded-stores.js';
import { coin, lockupHex, TestNetwork, until } from './support/network.js';

interface Sender {
  readonly group: number;
  readonly lockupScript: AssetLockupScript;
  /** Whose signatures it takes, in order. */
  readonly signers: readonly TestKey[];
  readonly unlockScript: string;
}

const unlockHex = (key: TestKey): string =>
  bytesToHex(encode(unlockScriptCodec, { kind: 'p2pkh', publicKey: key.publicKey }));
const single = (key: TestKey): Sender => ({ ...key, signers: [key], unlockScript: unlockHex(key) });
const multisig = (keys: readonly TestKey[], m: number): Sender => {
  const lockupScript = multisigOf(
    keys.map(({ publicKey }) => publicKey),
    m,
  ) as AssetLockupScript;
  const signers = keys.slice(keys.length - m);
  const unlock = multisigUnlockScript(
    lockupScript,
    signers.map(({ publicKey }) => publicKey),
  );
  if (!unlock.ok) throw new Error(unlock.refusal.detail);
  const unlockScript = bytesToHex(encode(unlockScriptCodec, unlock.value));
  return { group: groupOfLockupScript(lockupScript, 4), lockupScript, signers, unlockScript };
};
const scriptsOf = ({ lockupScript, unlockScript }: Sender) => ({ lockupScript: lockupHex(lockupScript), unlockScript });
const pay = (to: { readonly lockupScript: AssetLockupScript }, amount: bigint, lockTime?: number): DestinationItem => ({
  lockupScript: lockupHex(to.lockupScript),
  amount: amount.toString(),
  tokens: [],
  ...(lockTime === undefined ? {} : { lockTime: String(lockTime) }),
});

describe('what group-nodes build', () => {
  let stores: TestStores;
  let network: TestNetwork;
  let rich: readonly TestKey[];
  beforeAll(async () => {
    stores = await embeddedStores();
    network = new TestNetwork(stores, {});
    await network.start();
    rich = await developmentKeys();
  });
  afterAll(async () => {
    await network.stop();
    await stores.remove();
  });

  const submit = async (group: number, { unsignedTx, txId }: BuiltTransaction, signers: readonly TestKey[]) => {
    const unsigned = decode(unsignedTransactionCodec, unsignedTx);
    const inputSignatures = signers.map(({ privateKey }) => sign(hexToBytes(txId), privateKey));
    const template = encode(transactionTemplateCodec, { unsigned, inputSignatures, scriptSignatures: [] });
    const reply = await network.client.request(group, 'command.mempool.submit', { template });
    // Outputs from another group are mined upon once the sender's group includes them.
    let status = await network.status(group, txId);
    await until('it is confirmed', async () => (status = await network.status(group, txId)).type === 'Confirmed');
    if (status.type !== 'Confirmed') throw new Error('never');
    await network.client.request(reply.toGroup, 'read.view.includes', { blockHash: status.blockHash });
    return reply;
  };
  const build = (sender: Sender, more: Pick<BuildTransferRequest, 'destinations'> & Partial<BuildTransferRequest>) =>
    network.client.request(sender.group, 'read.building.transfer', {
      ...scriptsOf(sender),
      gasFormula: 'reference',
      ...more,
    });
  const transfer = async (sender: Sender, destinations: readonly DestinationItem[]) =>
    submit(sender.group, await build(sender, { destinations }), sender.signers);
  const refusal = async (building: Promise<unknown>): Promise<ServiceError> => {
    const error = await building.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    if (!(error instanceof ServiceError)) throw new Error('not refused');
    return error;
  };
  const fee = ({ gasAmount, gasPrice }: BuiltTransaction): bigint => BigInt(gasAmount) * BigInt(gasPrice);

  it('a sweep into another group takes all but what is locked, what is pending included', async () => {
    const owner = testKeyOfGroup(1);
    const receiver = testKeyOfGroup(3);
    const later = Date.now() + 3_600_000;
    await transfer(
      single(rich[0]!),
      [1n, 2n, 3n].map((amount) => pay(owner, amount * coin)),
    );
    await transfer(single(rich[1]!), [pay(owner, 4n * coin), pay(owner, 5n * coin, later)]);
    const { transactions, ...reply } = await network.client.request(1, 'read.building.sweep', {
      ...scriptsOf(single(owner)),
      destination: lockupHex(receiver.lockupScript),
      lockTime: '1',
    });
    const left = {
      code: 'LockedUtxo',
      detail: `Outputs with 5 {COIN} (5000000000000000000 atto{Coin}) are locked, and the first can be spent from ${later} (${new Date(later).toISOString()}) on.`,
      spendableAt: String(later),
    };
    expect(reply).toEqual({ fromGroup: 1, toGroup: 3, more: false, left });
    const [built] = transactions;
    expect(transactions).toHaveLength(1);
    expect(decode(unsignedTransactionCodec, built!.unsignedTx).fixedOutputs).toMatchObject([{ lockTime: 1n }]);
    expect(await submit(1, built!, [owner])).toMatchObject({ fromGroup: 1, toGroup: 3 });
    expect(await network.balance(owner)).toBe(5n * coin);
    expect(await network.balance(receiver)).toBe(10n * coin - fee(built!));
    const again = await network.client.request(1, 'read.building.sweep', {
      ...scriptsOf(single(owner)),
      destination: lockupHex(receiver.lockupScript),
    });
    expect(again).toEqual({ transactions: [], fromGroup: 1, toGroup: 3, more: false, left });
  });

  it('a sweep leaves dust that cannot pay its fee, whoever sent it', async () => {
    const owner = testKeysOfGroup(1, 12)[11]!;
    const sweepOf = (maxAmountPerUtxo?: string) =>
      network.client.request(1, 'read.building.sweep', {
        ...scriptsOf(single(owner)),
        destination: lockupHex(testKeyOfGroup(3).lockupScript),
        ...(maxAmountPerUtxo === undefined ? {} : { maxAmountPerUtxo }),
      });
    const dust = coin / 1_000n;
    await transfer(
      single(rich[1]!),
      Array.from({ length: 129 }, () => pay(owner, dust)),
    );
    const { transactions, left } = await sweepOf();
    expect(transactions).toHaveLength(1);
    expect(decode(unsignedTransactionCodec, transactions[0]!.unsignedTx).inputs).toHaveLength(128);
    expect(left).toEqual({
      code: 'NotEnoughBalanceForFee',
      detail: '1 output with 0.001 {COIN} (1000000000000000 atto{Coin}) costs more to sweep than it has.',
    });
    expect(await sweepOf(String(dust))).toMatchObject({ transactions: [], more: false });
    expect(await sweepOf(String(dust))).not.toHaveProperty('left');
  });

  it('one transaction of several senders, each of which pays its part', async () => {
    const [first, second, third] = testKeysOfGroup(2, 3) as [TestKey, TestKey, TestKey];
    const receiver = testKeyOfGroup(0);
    await transfer(
      single(rich[2]!),
      [first, second, third].map((key) => pay(key, 10n * coin)),
    );
    const sourceOf = (key: TestKey, amount: bigint) => ({
      ...scriptsOf(single(key)),
      destinations: [pay(receiver, amount * coin)],
    });
    const { utxos } = await network.client.request(2, 'read.address.utxos', {
      lockupScript: lockupHex(third.lockupScript),
    });
    const chosen = utxos.map(({ hint, key }) => ({ hint, key }));
    const before = await network.balance(receiver);
    const built = await network.client.request(2, 'read.building.many-senders', {
      sources: [sourceOf(first, 1n), sourceOf(second, 2n), { ...sourceOf(third, 3n), utxos: chosen }],
    });
    expect(await submit(2, built, [first, second, third])).toMatchObject({ fromGroup: 2, toGroup: 0 });
    expect(await network.balance(receiver)).toBe(before + 6n * coin);
    const rests = await Promise.all([first, second, third].map((key) => network.balance(key)));
    expect(rests.reduce((sum, rest) => sum + rest, 0n)).toBe(24n * coin - fee(built));
    rests.forEach((rest, i) => expect(rest).toBeLessThan(BigInt(9 - i) * coin));
    const foreign = { ...sourceOf(second, 1n), utxos: chosen };
    expect(
      await refusal(network.client.request(2, 'read.building.many-senders', { sources: [foreign] })),
    ).toMatchObject({ kind: 'refused', code: 'UtxoNotFound' });
  });

  it.each([
    [1, 1],
    [2, 3],
    [16, 16],
  ])('%i of %i keys pay into all groups, with lock time and message, and are swept', async (m, n) => {
    const sender = multisig(
      Array.from({ length: n }, (_, index) => testKey(100 * m + index)),
      m,
    );
    await transfer(single(rich[3]!), [pay(sender, 20n * coin), pay(sender, 20n * coin)]);
    let rest = 40n * coin;
    for (const group of [0, 1, 2, 3]) {
      const receiver = testKeysOfGroup(group, 9)[8]!;
      const before = await network.balance(receiver);
      const destination = { ...pay(receiver, coin, 1), message: 'c0ffee' };
      const built = await build(sender, { destinations: [destination] });
      const { fixedOutputs } = decode(unsignedTransactionCodec, built.unsignedTx);
      expect(fixedOutputs[0]).toMatchObject({ lockTime: 1n, additionalData: new Uint8Array([0xc0, 0xff, 0xee]) });
      expect(await submit(sender.group, built, sender.signers)).toMatchObject({ toGroup: group });
      expect(await network.balance(receiver)).toBe(before + coin);
      rest -= coin + fee(built);
    }
    const target = testKeysOfGroup(sender.group, 8)[7]!;
    const before = await network.balance(target);
    const { transactions } = await network.client.request(sender.group, 'read.building.sweep', {
      ...scriptsOf(sender),
      destination: lockupHex(target.lockupScript),
    });
    expect(transactions).toHaveLength(1);
    await submit(sender.group, transactions[0]!, sender.signers);
    expect(await network.balance(sender)).toBe(0n);
    expect(await network.balance(target)).toBe(before + rest - fee(transactions[0]!));
  });

  it('a refusal says when locked outputs would be enough', async () => {
    const owner = testKeysOfGroup(1, 5)[4]!;
    const sender = single(owner);
    const times = [1, 2, 3].map((hours) => Date.now() + hours * 3_600_000);
    await transfer(single(rich[1]!), [pay(owner, coin), ...times.map((time) => pay(owner, 10n * coin, time))]);
    const asked = async (amount: bigint) => refusal(build(sender, { destinations: [pay(rich[1]!, amount)] }));
    expect((await asked(5n * coin)).data).toMatchObject({ spendableAt: String(times[0]) });
    expect((await asked(15n * coin)).data).toMatchObject({ spendableAt: String(times[1]) });
    expect((await asked(25n * coin)).data).toMatchObject({ spendableAt: String(times[2]) });
    expect(await asked(50n * coin)).toMatchObject({ code: 'NotEnoughBalance', data: {} });
    const sources = [{ ...scriptsOf(sender), destinations: [pay(rich[1]!, 15n * coin)] }];
    const many = await refusal(network.client.request(1, 'read.building.many-senders', { sources }));
    expect(many).toMatchObject({
      code: 'NotEnoughBalance',
      detail: expect.stringMatching(/^from\[0\]: Not enough balance: the sender can spend 1 \{COIN\} /),
      data: { spendableAt: String(times[1]), address: owner.address },
    });
    expect(many.detail).toContain(
      `Locked outputs that would do can be spent from ${times[1]} (${new Date(Number(times[1])).toISOString()}) on.`,
    );

    const { utxos } = await network.client.request(1, 'read.address.utxos', {
      lockupScript: lockupHex(owner.lockupScript),
    });
    const chosen = utxos.filter(({ lockTime }) => Number(lockTime) <= times[1]!);
    const request = { destinations: [pay(rich[1]!, coin)], utxos: chosen.map(({ hint, key }) => ({ hint, key })) };
    expect(await refusal(build(sender, request))).toMatchObject({
      code: 'LockedUtxo',
      data: { spendableAt: String(times[1]) },
    });
    const built = await build(sender, { ...request, unminable: 'build' });
    const later = await refusal(submit(1, built, [owner]));
    expect(later).toMatchObject({ code: 'TimeLockedTx', data: { spendableAt: String(times[1]) } });
  });

  it('outputs that unlock in a moment are waited for', async () => {
    const owner = testKeysOfGroup(1, 8)[7]!;
    const unlocks = Date.now() + 1_500;
    await transfer(single(rich[1]!), [pay(owner, 10n * coin, unlocks)]);
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, unlocks - 250 - Date.now())));
    const built = await build(single(owner), { destinations: [pay(rich[1]!, coin)] });
    expect(Date.now()).toBeGreaterThanOrEqual(unlocks);
    await submit(1, built, [owner]);
  });

  it('what a client chose and has spent meanwhile is named', async () => {
    const owner = testKeysOfGroup(1, 6)[5]!;
    await transfer(single(rich[1]!), [pay(owner, 10n * coin)]);
    const [one, other] = [coin, 2n * coin].map((amount) =>
      build(single(owner), { destinations: [pay(owner, amount)] }),
    );
    const second = await other!;
    const first = await one!;
    await submit(1, first, [owner]);
    const error = await refusal(submit(1, second, [owner]));
    expect(error.data).toMatchObject({ conflictingTxId: first.txId });
  });

  it('a sweep of 300,000 outputs is bounded: the smallest first, the maximum counts before', async () => {
    const owner = testKeysOfGroup(0, 7)[6]!;
    const database = stores.host.service(schemaOf(0));
    await database.query(
      'insert-outputs',
      `INSERT INTO ${database.schema}.utxo
         (key, hint, owner, amount, lock_time, may_be_locked, token_id, token_amount, additional_data)
       SELECT sha256(i::text::bytea), $1::int4, $2::uuid, 10::numeric ^ 18 + i, CASE WHEN i % 1000 = 0 THEN 9e15 ELSE 0 END,
              i % 1000 = 0, NULL, NULL, ''
       FROM generate_series(1, 300000) AS i`,
      [outputHint(owner.lockupScript), ownerOf(owner.lockupScript)],
    );
    await database.query('analyze', `ANALYZE ${database.schema}.utxo`);
    const sweep = (more: { readonly maxAmountPerUtxo?: string }) =>
      network.client.request(0, 'read.building.sweep', {
        ...scriptsOf(single(owner)),
        destination: lockupHex(testKeyOfGroup(0).lockupScript),
        ...more,
      });
    const { transactions, more } = await sweep({});
    expect(more).toBe(true);
    expect(transactions).toHaveLength(256);
    let swept = 0n;
    const keys = new Set<string>();
    for (const built of transactions) {
      const { inputs, fixedOutputs } = decode(unsignedTransactionCodec, built.unsignedTx);
      expect(inputs).toHaveLength(128);
      for (const { outputReference } of inputs) keys.add(outputReference.key);
      swept += fixedOutputs[0]!.amount + fee(built);
    }
    expect(keys.size).toBe(32_768);
    // One in a thousand is locked: the 32,768 smallest of the others are those up to number 32,800.
    const smallest = Array.from({ length: 32_800 }, (_, i) => BigInt(i + 1)).filter((i) => i % 1000n !== 0n);
    expect(swept).toBe(smallest.reduce((sum, i) => sum + coin + i, 0n));

    const few = await sweep({ maxAmountPerUtxo: (coin + 1_501n).toString() });
    expect(few.more).toBe(false);
    const amounts = few.transactions.map((built) => {
      const { inputs, fixedOutputs } = decode(unsignedTransactionCodec, built.unsignedTx);
      return [inputs.length, fixedOutputs[0]!.amount + fee(built)] as const;
    });
    expect(amounts.reduce((sum, [inputs]) => sum + inputs, 0)).toBe(1_499);
    expect(amounts.reduce((sum, [, amount]) => sum + amount, 0n)).toBe(
      smallest.slice(0, 1_499).reduce((sum, i) => sum + coin + i, 0n),
    );
  });
});
