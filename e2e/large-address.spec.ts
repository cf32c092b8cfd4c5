import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { developmentKeys, testKeyOfGroup } from '@shardnode/testing/keys';
import { describeNetwork } from './kit/deployment.js';
import { checkLedger } from './kit/ledger.js';
import { type Network, startNetwork } from './kit/network.js';
import { balanceOf, confirmed, oneCoin, transfer } from './kit/transfers.js';

interface Balance {
  readonly balance: string;
  readonly lockedBalance: string;
  readonly utxoNum: number;
}

const outputs = 6_000;
/** Of output number i: no two are alike, so that a sum over other outputs is another sum. */
const amountOf = (i: number): bigint => oneCoin + BigInt(i) * 1_000_003n;
const fee = 20_000n * 10n ** 11n;

/** protocol 00, decision 13: no limit of 5,000 outputs anywhere. */
describeNetwork(`an address with ${outputs} unspent outputs`, () => {
  let network: Network;
  let folder: string;
  const owner = testKeyOfGroup(0);
  const total = Array.from({ length: outputs }, (_, i) => amountOf(i)).reduce((sum, amount) => sum + amount, 0n);

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'shardnode-e2e-'));
    const file = join(folder, 'genesis.json');
    const funded = (await developmentKeys()).map(({ address }) => ({
      address,
      attoCoinAmount: (1_000n * oneCoin).toString(),
    }));
    const many = Array.from({ length: outputs }, (_, i) => ({
      address: owner.address,
      attoCoinAmount: amountOf(i).toString(),
    }));
    writeFileSync(file, JSON.stringify({ networkId: 4, allocations: [...funded, ...many] }));
    network = await startNetwork({ GENESIS_FILE: file });
  });
  afterAll(async () => {
    await network?.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  const balance = (): Promise<Balance> => network.api.get<Balance>(`/addresses/${owner.address}/balance`);
  const utxos = async (): Promise<bigint[]> => {
    const answer = await network.api.get<{ utxos: { amount: string }[] }>(`/addresses/${owner.address}/utxos`);
    return answer.utxos.map(({ amount }) => BigInt(amount));
  };

  it('has a balance that counts every one of them', async () => {
    expect(await balance()).toMatchObject({ balance: total.toString(), lockedBalance: '0', utxoNum: outputs });
  });

  it('lists them all', async () => {
    const amounts = (await utxos()).sort((a, b) => (a < b ? -1 : 1));
    expect(amounts).toEqual(Array.from({ length: outputs }, (_, i) => amountOf(i)));
  });

  it('pays, is paid, and both are right at once', async () => {
    const { api, funded } = network;
    const receiver = testKeyOfGroup(2);
    const sent = await transfer(api, owner, [{ address: receiver.address, attoCoinAmount: (5n * oneCoin).toString() }]);
    await confirmed(api, sent.txId);
    const after = await balance();
    const amounts = await utxos();
    expect(amounts.reduce((sum, amount) => sum + amount, 0n).toString()).toBe(after.balance);
    expect(amounts).toHaveLength(after.utxoNum);
    expect(after.utxoNum).toBeLessThan(outputs - 3);
    const fees = total - 5n * oneCoin - BigInt(after.balance);
    expect(fees).toBeGreaterThanOrEqual(fee);
    expect(fees).toBeLessThan(2n * fee);
    const paid = await transfer(api, funded[1]!, [{ address: owner.address, attoCoinAmount: '7000000000000000000' }]);
    await confirmed(api, paid.txId, ({ toGroupConfirmations }) => toGroupConfirmations >= 1);
    expect(BigInt((await balance()).balance)).toBe(BigInt(after.balance) + 7n * oneCoin);
    expect(await balanceOf(api, receiver.address)).toBe(5n * oneCoin);
  });

  it('is the same after a restart', async () => {
    const before = await balance();
    await network.deployment.restart();
    expect(await balance()).toEqual(before);
  });

  it('leaves books that balance', async () => {
    await checkLedger(network.api);
  });
});
