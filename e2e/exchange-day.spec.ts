import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { bytesToHex, decode, hexToBytes } from '@shardnode/protocol/encoding';
import { describeNetwork } from './kit/deployment-under-test.js';
import { outputHint, outputKeyOf } from './kit/output-names.js';
import { transactionId, unsignedTransactionCodec } from '@shardnode/protocol/transaction';
import { verifySignature } from '@shardnode/protocol/crypto';
import { testKeyOfGroup, testKeysOfGroup } from '@shardnode/testing/keys';
import {
  type BlockForm,
  type BuiltForm,
  type FixedOutput,
  type SubmittedForm,
  type TransactionForm,
} from './kit/api-forms.js';
import { checkLedger } from './kit/ledger.js';
import { chains } from './kit/chains.js';
import { type Network, startNetwork } from './kit/network.js';
import { balanceOf, build, chainHeight, confirmed, oneCoin, signOffline, submit, transfer } from './kit/transfers.js';

const hash = /^[0-9a-f]{64}$/;
const hexadecimal = /^([0-9a-f]{2})+$/;

/** What an exchange does with its node from morning to evening; field names by docs/protocol/requirements.md. */
describeNetwork("the exchange's day", () => {
  let network: Network;
  beforeAll(async () => {
    network = await startNetwork();
  });
  afterAll(() => network?.remove());

  const walletName = 'hot-wallet';
  let address: string;
  let publicKey: string;
  const deposit = testKeyOfGroup(2);

  it('restores its wallet and reads its keys', async () => {
    const { api, ready, funded } = network;
    const restored = await api.put('/wallets', { password: 'a password', mnemonic: ready.mnemonic, walletName });
    expect(restored).toEqual({ walletName });

    const list = await api.get<{ activeAddress: string; addresses: string[] }>(`/wallets/${walletName}/addresses`);
    expect(list).toEqual({ activeAddress: funded[0]!.address, addresses: [funded[0]!.address] });
    address = list.activeAddress;

    const info = await api.get<{ publicKey: string }>(`/wallets/${walletName}/addresses/${address}`);
    const expected = { address, publicKey: bytesToHex(funded[0]!.publicKey), group: 0, path: "m/44'/1234'/0'/0/0" };
    expect(info).toEqual(expected);
    publicKey = info.publicKey;
    expect(await api.get(`/addresses/${address}/group`)).toEqual({ group: 0 });

    // As text: integer literals of full precision, no quotes, no exponent (07 §1.8).
    const balances = await api.send('GET', `/wallets/${walletName}/balances`);
    expect(balances.text).toContain('"totalBalance":1000000000000000000000000,');
    expect(balances.text).toContain('"balance":1000000000000000000000000,');
    expect(balances.headers['content-type']).toBe('application/json');
  });

  it('restores a wallet without a name, and gets one', async () => {
    const { api, ready } = network;
    const restored = await api.put<{ walletName: string }>('/wallets', { password: 'xy', mnemonic: ready.mnemonic });
    expect(Object.keys(restored)).toEqual(['walletName']);
    expect(restored.walletName).toMatch(/^wallet-[0-9a-f]{8}$/);
    await api.delete(`/wallets/${restored.walletName}`, { password: 'xy' });
    expect((await api.send('GET', `/wallets/${restored.walletName}`)).status).toBe(404);
  });

  let txId: string;
  let blockHash: string;
  let made: readonly FixedOutput[];

  it('builds, signs, submits and sees the transaction confirmed', async () => {
    const { api } = network;
    const amount = (3n * oneCoin + 1n).toString();
    const built = await api.post<BuiltForm>('/transactions/build', {
      fromPublicKey: publicKey,
      destinations: [{ address: deposit.address, attoCoinAmount: amount }],
    });
    expect(Object.keys(built).sort()).toEqual(['fromGroup', 'gasAmount', 'gasPrice', 'toGroup', 'txId', 'unsignedTx']);
    expect(built).toMatchObject({ gasAmount: 20000, gasPrice: '100000000000', fromGroup: 0, toGroup: 2 });
    expect(built.unsignedTx).toMatch(hexadecimal);
    const unsigned = decode(unsignedTransactionCodec, hexToBytes(built.unsignedTx));
    expect(transactionId(unsigned)).toBe(built.txId);
    txId = built.txId;

    const signed = await api.post<{ signature: string }>(`/wallets/${walletName}/sign`, { data: txId });
    expect(Object.keys(signed)).toEqual(['signature']);
    expect(verifySignature(hexToBytes(txId), hexToBytes(signed.signature), hexToBytes(publicKey))).toBe(true);

    const submitted = await api.post<SubmittedForm>('/transactions/submit', {
      unsignedTx: built.unsignedTx,
      signature: signed.signature,
    });
    expect(submitted).toEqual({ txId, fromGroup: 0, toGroup: 2 });

    const status = await confirmed(api, txId);
    expect(Object.keys(status).sort()).toEqual([
      'blockHash',
      'chainConfirmations',
      'fromGroupConfirmations',
      'toGroupConfirmations',
      'txIndex',
      'type',
    ]);
    expect(status.blockHash).toMatch(hash);
    expect(status.txIndex).toBe(0);
    expect(status.chainConfirmations).toBeGreaterThanOrEqual(1);
    blockHash = status.blockHash;
    expect(await balanceOf(api, deposit.address)).toBe(3n * oneCoin + 1n);
  });

  it('submits the same transaction again and gets the same answer', async () => {
    const { api } = network;
    const last = api.exchanges.findLast(({ path }) => path === '/transactions/submit')!;
    const again = await api.send('POST', '/transactions/submit', { rawBody: last.body! });
    expect(again).toMatchObject({ status: 200, text: last.answer!.text });
  });

  it('fetches the block and finds the transaction with the same outputs', async () => {
    const { api } = network;
    const answer = await api.get<{ block: BlockForm; events: unknown[] }>(`/blockflow/blocks-with-events/${blockHash}`);
    expect(Object.keys(answer)).toEqual(['block', 'events']);
    expect(answer.events).toEqual([]);
    const { block } = answer;
    expect(block).toMatchObject({ hash: blockHash, chainFrom: 0, chainTo: 2 });
    expect(Number.isInteger(block.timestamp) && Number.isInteger(block.height)).toBe(true);
    const [inBlock] = block.transactions;
    expect(inBlock!.unsigned.txId).toBe(txId);

    const details = await api.get<TransactionForm>(`/transactions/details/${txId}`);
    expect(details).toEqual(inBlock);
    made = details.unsigned.fixedOutputs;
    expect(made.map((output) => output.address)).toEqual([deposit.address, address]);
    made.forEach((output, index) => {
      expect(output.key).toBe(outputKeyOf(txId, index));
      expect(output.hint).toBe(outputHint(output.address));
      expect(output.attoCoinAmount).toMatch(/^\d+$/);
    });
    expect(await api.get(`/blockflow/blocks/${blockHash}`)).toEqual(block);
    expect(await api.get(`/blockflow/is-block-in-main-chain?blockHash=${blockHash}`)).toBe(true);
  });

  it('polls all chains by time, and one chain by height', async () => {
    const { api } = network;
    const { block } = await api.get<{ block: BlockForm }>(`/blockflow/blocks-with-events/${blockHash}`);
    const { timestamp, height } = block;
    const { blocks } = await api.get<{ blocks: BlockForm[][] }>(
      `/blockflow/blocks?fromTs=${timestamp}&toTs=${timestamp + 1}`,
    );
    expect(blocks).toHaveLength(16);
    expect(blocks[2]!.map((each) => each.hash)).toContain(blockHash);
    blocks.forEach((list, chain) =>
      list.forEach((each) => expect([each.chainFrom, each.chainTo]).toEqual([chains[chain]!.from, chains[chain]!.to])),
    );

    const info = await api.get<{ currentHeight: number }>('/blockflow/chain-info?fromGroup=0&toGroup=2');
    expect(Object.keys(info)).toEqual(['currentHeight']);
    expect(info.currentHeight).toBeGreaterThanOrEqual(height);
    const followed: string[] = [];
    for (let at = 0; at <= info.currentHeight; at++) {
      const { headers } = await api.get<{ headers: string[] }>(`/blockflow/hashes?fromGroup=0&toGroup=2&height=${at}`);
      followed.push(headers[0]!);
    }
    expect(followed[height]).toBe(blockHash);
    expect(await chainHeight(api, 0, 2)).toBeGreaterThanOrEqual(followed.length - 1);
  });

  it('spends the output that it designates', async () => {
    const { api } = network;
    const [{ hint, key }] = made as [FixedOutput];
    const built = await build(api, deposit, [{ address, attoCoinAmount: oneCoin.toString() }], [{ hint, key }]);
    const unsigned = decode(unsignedTransactionCodec, hexToBytes(built.unsignedTx));
    expect(unsigned.inputs).toHaveLength(1);
    const submitted = await submit(api, built.unsignedTx, signOffline(built, deposit));
    expect(submitted).toEqual({ txId: built.txId, fromGroup: 2, toGroup: 0 });
    await confirmed(api, built.txId);
    const details = await api.get<TransactionForm>(`/transactions/details/${built.txId}`);
    expect(details.unsigned.inputs[0]!.outputRef).toEqual({ hint, key });
    // Spent: it can be designated no more.
    const again = await api.send('POST', '/transactions/build', {
      body: {
        fromPublicKey: bytesToHex(deposit.publicKey),
        destinations: [{ address, attoCoinAmount: oneCoin.toString() }],
        utxos: [{ hint, key }],
      },
    });
    expect(again.status).toBe(400);
    expect(JSON.parse(again.text)).toEqual({
      detail: `utxos[0], the output with key ${key}, is not there: it is spent, or never was. Ask for the outputs of the sender again.`,
    });
  });

  it('pays with the wallet in one step', async () => {
    const { api } = network;
    const before = await balanceOf(api, deposit.address);
    const paid = await api.post<SubmittedForm>(`/wallets/${walletName}/transfer`, {
      destinations: [{ address: deposit.address, amount: '1.5 COIN' }],
    });
    expect(paid).toEqual({ txId: paid.txId, fromGroup: 0, toGroup: 2 });
    await confirmed(api, paid.txId);
    expect(await balanceOf(api, deposit.address)).toBe(before + (15n * oneCoin) / 10n);
  });

  it('pays into and out of a 2-of-3 multisig address', async () => {
    const { api, funded } = network;
    const owners = [...testKeysOfGroup(1, 2), testKeyOfGroup(3)];
    const keys = owners.map((owner) => bytesToHex(owner.publicKey));
    const { address: shared } = await api.post<{ address: string }>('/multisig/address', { keys, mrequired: 2 });
    const reordered = await api.post<{ address: string }>('/multisig/address', {
      keys: [keys[1], keys[0], keys[2]],
      mrequired: 2,
    });
    expect(reordered.address).not.toBe(shared);

    const paid = await transfer(api, funded[1]!, [{ address: shared, attoCoinAmount: (5n * oneCoin).toString() }]);
    await confirmed(api, paid.txId);
    expect(await balanceOf(api, shared)).toBe(5n * oneCoin);

    // The first and the third owner sign, in the order of creation.
    const built = await api.post<BuiltForm>('/multisig/build', {
      fromAddress: shared,
      fromPublicKeys: [keys[0], keys[2]],
      destinations: [{ address: funded[3]!.address, amount: '2 COIN' }],
    });
    expect(Object.keys(built).sort()).toEqual(['fromGroup', 'toGroup', 'txId', 'unsignedTx']);
    const sign = (owner: number): string => signOffline(built, owners[owner]!);
    const wrong = await api.send('POST', '/multisig/submit', {
      body: { unsignedTx: built.unsignedTx, signatures: [sign(2), sign(0)] },
    });
    expect(wrong.status).toBe(400);
    const submitted = await api.post<SubmittedForm>('/multisig/submit', {
      unsignedTx: built.unsignedTx,
      signatures: [sign(0), sign(2)],
    });
    expect(submitted).toEqual({ txId: built.txId, fromGroup: built.fromGroup, toGroup: 3 });
    await confirmed(api, built.txId);
    const { unsigned } = await api.get<TransactionForm>(`/transactions/details/${built.txId}`);
    const fee = BigInt(unsigned.gasAmount) * BigInt(unsigned.gasPrice);
    expect(await balanceOf(api, shared)).toBe(3n * oneCoin - fee);
  });

  it('leaves books that balance', async () => {
    const ledger = await checkLedger(network.api);
    expect(ledger.genesis).toBe(4n * 10n ** 24n);
    expect(ledger.blockOf.get(txId)).toBe(blockHash);
  });
});
