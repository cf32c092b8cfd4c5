import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { developmentKeys, testKeyOfGroup } from '@shardnode/testing/keys';
import { deploymentKind, describeNetwork } from '../kit/deployment-under-test.js';
import { checkLedger } from '../kit/ledger.js';
import { isLong, type Network, startNetwork } from '../kit/network.js';
import { balanceOf, confirmed, oneCoin, transfer } from '../kit/transfers.js';

interface Balance {
  readonly balance: string;
  readonly lockedBalance: string;
  readonly utxoNum: number;
}

/**
 * More than one message of the bus holds: 30,000 are some 7 MB of text, 300,000 some 70. All of them are made by one genesis block,
 * which the last test asks for, and of a block services send each other 8 MiB at most: some 160,000 outputs.
 */
const mostOutputs = deploymentKind() === 'embedded' ? 300_000 : 150_000;
const outputs = isLong ? mostOutputs : 30_000;
/** Of output number i: no two are alike, so that a sum over other outputs is another sum. */
const amountOf = (i: number): bigint => oneCoin + BigInt(i) * 1_000_003n;
const fee = 20_000n * 10n ** 11n;

interface Utxo {
  readonly ref: { readonly hint: number; readonly key: string };
  readonly amount: string;
}

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
  const listed = async (query = ''): Promise<readonly Utxo[]> => {
    const answer = await network.api.get<{ utxos: Utxo[] }>(`/addresses/${owner.address}/utxos${query}`);
    return answer.utxos;
  };
  const utxos = async (): Promise<bigint[]> => (await listed()).map(({ amount }) => BigInt(amount));
  const keysOf = (list: readonly Utxo[]): string[] => list.map(({ ref }) => ref.key);

  /** The list in pages of so many, until one is not full. */
  const inPages = async (limit: number): Promise<string[]> => {
    const keys: string[] = [];
    for (;;) {
      const page = keysOf(await listed(`?offset=${keys.length}&limit=${limit}`));
      keys.push(...page);
      if (page.length < limit) return keys;
    }
  };

  it('has a balance that counts every one of them', async () => {
    expect(await balance()).toMatchObject({ balance: total.toString(), lockedBalance: '0', utxoNum: outputs });
  });

  it('lists them all', async () => {
    const amounts = (await utxos()).sort((a, b) => (a < b ? -1 : 1));
    expect(amounts).toEqual(Array.from({ length: outputs }, (_, i) => amountOf(i)));
  });

  it('lists them in the order of their references, and the same ones in pages that fit together', async () => {
    const keys = keysOf(await listed());
    expect(keys).toEqual([...keys].sort());
    expect((await inPages(4_999)).sort()).toEqual(keys);
    expect(await listed(`?offset=${outputs}&limit=5`)).toEqual([]);
    expect(await listed('?limit=100000')).toHaveLength(Math.min(outputs, 100_000));
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
    // What was spent and came since is not all stored yet: the pages have to count it themselves.
    const keys = keysOf(await listed());
    expect(keys).toHaveLength((await balance()).utxoNum);
    expect((await inPages(4_999)).sort()).toEqual([...keys].sort());
  });

  it('is the same after a restart', async () => {
    const before = await balance();
    // No blocks from here on: comparing so many outputs takes longer than the chains stand still.
    await network.deployment.restart({ MINING: 'off' });
    expect(await balance()).toEqual(before);
  });

  it('leaves books that balance', async () => {
    await checkLedger(network.api);
  });
});
