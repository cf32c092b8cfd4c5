import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { testKeyOfGroup } from '@shardnode/testing/keys';
import { describeNetwork } from '../kit/deployment-under-test.js';
import { checkLedger } from '../kit/ledger.js';
import { type Network, startNetwork } from '../kit/network.js';
import { balanceOf, confirmed, mineOneBlock, oneCoin, statusOf, transfer } from '../kit/transfers.js';

describeNetwork('starts', () => {
  let network: Network;
  const receiver = testKeyOfGroup(3);
  beforeAll(async () => {
    network = await startNetwork();
  });
  afterAll(() => network?.remove());

  it('a second start goes on with the same chain and the same wallets', async () => {
    const { api, deployment, funded, ready } = network;
    await api.put('/wallets', { password: 'xy', mnemonic: ready.mnemonic, walletName: 'kept' });
    const sent = await transfer(api, funded[1]!, [{ address: receiver.address, attoCoinAmount: oneCoin.toString() }]);
    const before = await confirmed(api, sent.txId);

    const end = await deployment.stop();
    expect(end).toEqual({ code: 0, signal: null });
    await deployment.start();

    const after = await statusOf(api, sent.txId);
    expect(after).toMatchObject({ type: 'Confirmed', blockHash: before.blockHash, txIndex: before.txIndex });
    expect(await balanceOf(api, receiver.address)).toBe(oneCoin);
    expect(await api.get('/wallets')).toEqual([{ walletName: 'kept', locked: true }]);
    const next = await transfer(api, funded[1]!, [{ address: receiver.address, attoCoinAmount: oneCoin.toString() }]);
    await confirmed(api, next.txId);
    await checkLedger(api);
  });

  it('pending transactions wait through a restart, and through the kill of the process', async () => {
    const { api, deployment, funded } = network;
    const before = await balanceOf(api, receiver.address);
    await deployment.restart({ MINING: 'off' });
    const sent = await transfer(api, funded[2]!, [{ address: receiver.address, attoCoinAmount: oneCoin.toString() }]);
    expect(await statusOf(api, sent.txId)).toEqual({ type: 'MemPooled' });
    await deployment.restart();
    expect(await statusOf(api, sent.txId)).toEqual({ type: 'MemPooled' });
    const second = await transfer(api, funded[2]!, [{ address: receiver.address, attoCoinAmount: oneCoin.toString() }]);
    await deployment.kill9();
    await deployment.start({ MINING: 'instant' });
    await confirmed(api, sent.txId);
    await confirmed(api, second.txId);
    expect(await balanceOf(api, receiver.address)).toBe(before + 2n * oneCoin);
  });

  it('a pending transaction that spends what just came from another group waits through a restart too', async () => {
    const { api, deployment, funded } = network;
    const middle = testKeyOfGroup(1);
    await deployment.restart({ MINING: 'off' });
    const attoCoinAmount = (2n * oneCoin).toString();
    const first = await transfer(api, funded[0]!, [{ address: middle.address, attoCoinAmount }]);
    await mineOneBlock(api, 0, 1);
    expect(await statusOf(api, first.txId)).toMatchObject({ type: 'Confirmed', fromGroupConfirmations: 0 });
    const second = await transfer(api, middle, [{ address: funded[2]!.address, attoCoinAmount: oneCoin.toString() }]);
    expect(await statusOf(api, second.txId)).toEqual({ type: 'MemPooled' });
    await deployment.kill9();
    await deployment.start();
    expect(await statusOf(api, second.txId)).toEqual({ type: 'MemPooled' });
    await deployment.restart({ MINING: 'instant' });
    await confirmed(api, second.txId);
  });
});
