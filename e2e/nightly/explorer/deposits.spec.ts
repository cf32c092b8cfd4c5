import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Block } from '@shardnode/protocol/block';
import { allChainIndexes, type ChainIndex } from '@shardnode/protocol/primitives';
import { mapBounded } from '@shardnode/testing/ledger-oracle';
import { developmentKeys, type TestKey, testKeyOfGroup } from '@shardnode/testing/keys';
import { until } from '@shardnode/testing/waiting';
import { openEmbedded, type TestDatabase } from '../../../apps/explorer/test/support/databases.js';
import { branchOf } from '../../../apps/group-node/test/support/histories.js';
import { coin, TestNetwork } from '../../../apps/group-node/test/support/network.js';
import {
  type Deposit,
  depositKeys,
  DepositReader,
  depositsOf,
  type Payment,
  paymentsTo,
  sorted,
} from '../../kit/explorer/deposits.js';
import { DepositListener } from '../../kit/explorer/deposit-listener.js';
import { TestExplorer } from '../../kit/explorer/embedded-explorer.js';
import { untilHeadsEqual } from '../../kit/explorer/same-as-nodes.js';
import { ConfirmationTimes } from '../../kit/explorer/confirmation-times.js';

const groups = 4;
const addresses = 1_000;
const [start, end] = [1_600_000_000_000, 4_000_000_000_000];

describe(`an exchange with ${addresses} deposit addresses`, () => {
  let network: TestNetwork;
  let opened: TestDatabase;
  let explorer: TestExplorer;
  let listener: DepositListener;
  let payer: TestKey;
  const keys = depositKeys(addresses);
  /** Those that the chains have. */
  const booked: Deposit[] = [];

  const untilEqual = (): Promise<void> => untilHeadsEqual(opened.database, network.explorer);
  const readerOf = (own: readonly TestKey[]): DepositReader =>
    new DepositReader(
      explorer.url,
      own.map(({ address }) => address),
    );
  /** The transfer waits for a block. */
  const send = async (payment: Payment): Promise<Deposit[]> => {
    const { txId } = await network.transfer(payer, payment.to);
    return depositsOf(payment, txId);
  };
  const pay = async (payment: Payment): Promise<void> => {
    booked.push(...(await send(payment)));
    await network.mine(payer.group, payment.group);
  };
  let mined = 0;
  /** A block of the next chain: one chain that runs ahead of the others gets hard to mine. */
  const mineAnywhere = async (): Promise<void> => {
    const chain = allChainIndexes(groups)[mined++ % groups ** 2]!;
    await network.mine(chain.from, chain.to);
  };
  const isPending = async (txId: string): Promise<boolean> => {
    const pending = await explorer.get<readonly { readonly hash: string }[]>('/mempool/transactions');
    return pending.some(({ hash }) => hash === txId);
  };

  beforeAll(async () => {
    network = await TestNetwork.open({ mining: 'off' });
    opened = await openEmbedded();
    explorer = await TestExplorer.start({ bus: network.network, database: opened.database });
    [payer] = (await developmentKeys()) as [TestKey];
    await until('the explorer is live', async () => (await explorer.sync()).phase === 'live');
    // The first block tells which writer there is. An index with old heads counts as behind after three blocks, and tells
    // nothing; the chain that is reorganised begins at genesis.
    const isLeft = ({ from, to }: ChainIndex): boolean => from === payer.group && to === 1;
    // Blocks within groups come last and include the others: else the block to leave would bring some of them into the
    // view, and weigh as much as the two in its place.
    const isIntra = ({ from, to }: ChainIndex): number => Number(from === to);
    const mined = allChainIndexes(groups).filter((chain) => !isLeft(chain));
    for (const { from, to } of mined.sort((a, b) => isIntra(a) - isIntra(b))) await network.mine(from, to);
    await untilEqual();
    listener = await DepositListener.open(
      explorer.url,
      keys.map(({ address }) => address),
    );
  });
  afterAll(async () => {
    listener?.close();
    await explorer?.stop();
    await opened?.close();
    await network?.close();
  });

  it('finds deposits once through a reorganisation: gone, pending again, confirmed again', async () => {
    const chain = { from: payer.group, to: 1 };
    const payment = paymentsTo(keys, groups, 1).find(({ group }) => group === chain.to)!;
    const reader = readerOf(payment.to.map(({ key }) => key));
    const sent = await send(payment);
    const { blockHash: left } = await network.mine(chain.from, chain.to);
    await untilEqual();
    expect(sorted(await reader.byTime(start, end))).toEqual(sorted(sent));

    const branch = branchOf(chain, 2, 5n);
    for (const { raw: block } of branch) {
      await network.client.request(chain.from, 'command.block.submit', { block });
    }
    await untilEqual();
    const isMain = async (hash: string): Promise<boolean> =>
      (await explorer.get<{ mainChain: boolean }>(`/blocks/${hash}`)).mainChain;
    const hashes = [left, ...branch.map(({ header }: Block) => header.hash)];
    expect(await Promise.all(hashes.map(isMain))).toEqual([false, true, true]);
    expect(await reader.byTime(start, end)).toEqual([]);
    expect(await reader.byCursor(1)).toEqual([]);
    await until('the deposits are pending again', () => isPending(sent[0]!.txId));

    await network.mine(chain.from, chain.to);
    await untilEqual();
    booked.push(...sent);
    expect(sorted(await reader.byTime(start, end))).toEqual(sorted(booked));
    expect(await isPending(sent[0]!.txId)).toBe(false);
    await listener.untilConfirmed(booked.length);
    // Its first block came at once.
    const kinds = listener.kindsOf(sent[0]!.address);
    expect(kinds.slice(kinds.indexOf('confirmed'))).toEqual(['confirmed', 'reverted', 'pending', 'confirmed']);
  });

  it('finds all deposits, none twice, by the stream, by time and by cursor', async () => {
    const payments = paymentsTo(keys, groups, 2);
    for (const payment of payments.slice(0, 4)) await pay(payment);
    await listener.cutDuring(async () => {
      for (const payment of payments.slice(4)) await pay(payment);
      await untilEqual();
    });
    const reader = readerOf(keys);
    const expected = sorted(booked);
    expect(booked.length).toBeGreaterThan(addresses);
    await listener.untilConfirmed(booked.length);
    expect(sorted(await listener.deposits())).toEqual(expected);
    expect(sorted(await reader.byTime(start, end))).toEqual(expected);
    expect(sorted(await reader.byCursor(1))).toEqual(expected);
    // Blocks that arrive meanwhile shift the pages of the list, and not its parts by cursor.
    const growing = reader.ofAllTransactions(10, mineAnywhere);
    expect(sorted(await growing)).toEqual(expected);
  });

  it('sees the balances of the nodes', async () => {
    await untilEqual();
    const balances = await mapBounded(keys, 8, async (key) => {
      const { balance } = await explorer.get<{ balance: string }>(`/addresses/${key.address}/balance`);
      return { address: key.address, explorer: BigInt(balance), node: await network.balance(key, false) };
    });
    expect(balances.filter((one) => one.explorer !== one.node)).toEqual([]);
    expect(balances.every(({ node }) => node > 0n)).toBe(true);
  });

  it('sees a transfer pending at once, and confirmed after its block', async () => {
    const times = new ConfirmationTimes(explorer.url);
    for (let i = 0; i < 10; i++) {
      const { txId } = await network.transfer(payer, [{ key: testKeyOfGroup(i % groups), amount: coin }]);
      await times.untilShown(txId);
      await network.mine(payer.group, i % groups);
      await times.untilConfirmed(txId);
    }
    process.stderr.write(`explorer in one process: ${times.describe()}\n`);
  });
});
