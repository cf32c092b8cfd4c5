import { beforeAll, expect, it } from '@jest/globals';
import { type Block } from '@shardnode/protocol/block';
import { bytesToHex, decode, encode } from '@shardnode/protocol/encoding';
import { developmentNetwork as settings } from '@shardnode/protocol/network';
import { type Hash } from '@shardnode/protocol/primitives';
import { type Val, valsCodec } from '@shardnode/protocol/script';
import { stateHash } from '@shardnode/protocol/state';
import { type Transaction, transactionTemplateCodec } from '@shardnode/protocol/transaction';
import { assetOutput, buildSignedTransfer, type SpendableOutput } from '@shardnode/testing/builders';
import { contractRules } from '@shardnode/testing/contract-rules';
import { developmentKeys, type TestKey, testKeysOfGroup } from '@shardnode/testing/keys';
import { createLedgerOracle, loadCanonicalBlocks } from '@shardnode/testing/ledger-oracle';
import { address, bool, callMethod, sampleBytecode, scriptOf, u256 } from '@shardnode/testing/sample-contracts';
import {
  allocationOf,
  coin,
  ContractBranch,
  deployedId,
  deployment,
  idOf,
  outputsOf,
  scriptTransaction,
} from '../support/contract-branches.js';
import { TestNetwork, until } from '../support/network.js';
import { overEachDatabase } from '../support/server-stores.js';

const isLong = process.env['LONG'] === '1';
const depth = 50;
const chain = { from: 0, to: 0 };
/** Each is longer than the one before it by two blocks: so many times the chain changes sides. */
const turns = isLong ? 6 : 4;

/** Of the last turns, how many are compared with a network that never saw the other branch. */
const compared = isLong ? 2 : 1;

/** Two branches of blocks over the same contracts, and what is in them. */
interface Fork {
  readonly prefix: readonly Block[];
  readonly a: ContractBranch;
  readonly b: ContractBranch;
  /** Contracts of both, of one, and destroyed on one. */
  readonly contracts: Readonly<Record<'counter' | 'doomed' | 'onA' | 'onB', Hash>>;
  /** All script transactions of a branch by id. */
  readonly transactions: Readonly<Record<'a' | 'b', ReadonlyMap<Hash, Transaction>>>;
  /** Spend what a transaction of the other branch spends. */
  readonly rivals: ReadonlySet<Hash>;
  /** What transactions add to the counter. */
  readonly additions: ReadonlyMap<Hash, number>;
}

const call = (id: Hash, method: number, args: readonly Val[], results = 0) =>
  scriptOf(callMethod(id, method, args, results), 'without assets');

const split = (from: TestKey, spend: SpendableOutput, to: TestKey): Transaction =>
  buildSignedTransfer({
    settings,
    from,
    spend: [spend],
    outputs: Array.from({ length: 120 }, () => assetOutput(to.lockupScript, 10n * coin)),
    gasAmount: 600_000,
  });

const makeFork = async (): Promise<Fork> => {
  const [rich] = await developmentKeys();
  const [owner, minerA, minerB] = testKeysOfGroup(0, 4).slice(1) as [TestKey, TestKey, TestKey];
  const start = new ContractBranch(minerA);
  const coins: SpendableOutput[] = [];
  let rest = allocationOf();
  for (let i = 0; i < 2; i++) {
    const block = start.mine([split(rich!, rest, owner)]);
    coins.push(...outputsOf(block, owner));
    rest = outputsOf(block, rich!)[0]!;
  }
  const take = (): SpendableOutput => coins.pop()!;
  const counterTx = deployment(owner, take(), sampleBytecode('Counter', [u256(3)], [u256(10), u256(0)]));
  const simple = sampleBytecode('Simple', [u256(7)], [bool(true)]);
  const doomedTx = deployment(owner, take(), simple);
  start.mine([counterTx, doomedTx]);
  const [counter, doomed] = [deployedId(counterTx), deployedId(doomedTx)];
  const prefix = [...start.blocks];
  const [onATx, onBTx] = [deployment(owner, take(), simple), deployment(owner, take(), simple)];
  const contracts = { counter, doomed, onA: deployedId(onATx), onB: deployedId(onBTx) };
  const branches = { a: new ContractBranch(minerA, prefix), b: new ContractBranch(minerB, prefix) };
  const transactions = { a: new Map<Hash, Transaction>(), b: new Map<Hash, Transaction>() };
  const rivals = new Set<Hash>();
  const mine = (side: 'a' | 'b', list: readonly Transaction[]): void => {
    branches[side].mine(list);
    for (const transaction of list) transactions[side].set(idOf(transaction), transaction);
  };
  const additions = new Map<Hash, number>();
  const add = (amount: number, spend = take()): Transaction => {
    const transaction = scriptTransaction(owner, spend, call(counter, 0, [u256(amount)], 1));
    additions.set(idOf(transaction), amount);
    return transaction;
  };
  const turn = (id: Hash): Transaction => scriptTransaction(owner, take(), call(id, 0, []));
  // The branches grow by what the turns need.
  for (let i = 0; i < depth + turns; i++) {
    const [ofA, ofB] = [[add(1)], [add(2)]];
    if (i % 5 === 0) {
      const both = add(100);
      ofA.push(both);
      ofB.unshift(both);
    }
    if (i % 7 === 0) {
      const spend = take();
      const [one, other] = [add(1_000, spend), add(2_000, spend)];
      rivals.add(idOf(one)).add(idOf(other));
      ofA.push(one);
      ofB.push(other);
    }
    if (i === 10) ofA.push(onATx);
    if (i === 11) ofB.push(onBTx);
    if (i > 15 && i % 6 === 0) ofA.push(turn(contracts.onA), turn(doomed));
    if (i > 15 && i % 9 === 0) ofB.push(turn(contracts.onB));
    if (i === 25) ofB.push(scriptTransaction(owner, take(), call(doomed, 2, [address(owner.lockupScript)])));
    mine('a', ofA);
    mine('b', ofB);
  }
  return { prefix, ...branches, contracts, transactions, rivals, additions };
};

/** What a node of group 0 shows of contracts; equal on equal chains, however it came there. */
const shownBy = async ({ client }: TestNetwork, { contracts, transactions }: Fork): Promise<unknown> => {
  const absent = { kind: 'absent' };
  const perContract = await Promise.all(
    Object.values(contracts).map(async (contractId) => {
      const state = await client.request(0, 'read.contract.stored', { contractId }).catch(() => absent);
      const asset = await client.request(0, 'read.contract.asset', { contractId }).catch(() => absent);
      const page = await client.request(0, 'read.events.contract', { contractId, start: 0, limit: 1_000 });
      const events = page.events.map(({ blockHash, txId, eventIndex, fields }) =>
        [blockHash, txId, eventIndex, bytesToHex(fields)].join(' '),
      );
      // Pages stand in the order in which blocks came.
      return { contractId, state, asset, events: events.sort() };
    }),
  );
  const ids = [...new Set([...transactions.a.keys(), ...transactions.b.keys()])];
  const perTransaction = await Promise.all(
    ids.map(async (txId) => (await client.request(0, 'read.events.transaction', { txId })).events),
  );
  const tip = (await client.request(0, 'read.chain.info', chain)).currentHeight;
  const { hashes } = await client.request(0, 'read.chain.hashes', { ...chain, height: tip });
  const { state } = await client.request(0, 'read.inspection.block', { hash: hashes[0]! });
  return { perContract, perTransaction, hash: hashes[0], state };
};

const pooled = async ({ client }: TestNetwork): Promise<string[]> => {
  const { transactions } = await client.request(0, 'read.mempool.list', {});
  return transactions.map(({ template }) => idOf(decode(transactionTemplateCodec, template))).sort();
};

/** The pool comes to hold these; what it lacks and has too many is named otherwise. */
const expectPooled = async (network: TestNetwork, expected: readonly string[]): Promise<void> => {
  let found: readonly string[] = [];
  await until('the pool has what came back', async () => {
    found = await pooled(network);
    return found.join() === expected.join();
  }).catch(() => undefined);
  expect(found).toEqual(expected);
};

overEachDatabase(`forks of ${depth} blocks with contracts`, (openStores) => {
  let fork: Fork;
  beforeAll(async () => {
    fork = await makeFork();
  });

  const open = async (): Promise<TestNetwork> => {
    const network = new TestNetwork(await openStores(), { mining: 'off' });
    await network.start();
    return network;
  };
  const submit = async (network: TestNetwork, blocks: readonly Block[]): Promise<void> => {
    for (const { raw } of blocks) {
      const answer = await network.client.request(0, 'command.block.submit', { block: raw });
      expect(answer).toEqual({ outcome: 'added' });
    }
  };
  const settledOn = (network: TestNetwork, { header }: Block): Promise<void> =>
    until('the branch is canonical', async () => {
      const { currentHeight: height } = await network.client.request(0, 'read.chain.info', chain);
      return (await network.client.request(0, 'read.chain.hashes', { ...chain, height })).hashes[0] === header.hash;
    });

  /** A network that never saw the other branch. */
  const shownAfresh = async (blocks: readonly Block[]): Promise<unknown> => {
    const network = await open();
    try {
      await submit(network, blocks);
      await settledOn(network, blocks.at(-1)!);
      return await shownBy(network, fork);
    } finally {
      await network.close();
    }
  };

  it('change sides again and again, and leave what a fresh replay of the winner leaves', async () => {
    const { prefix, a, b, rivals } = fork;
    const sides = { a: a.blocks.slice(prefix.length), b: b.blocks.slice(prefix.length) };
    const network = await open();
    try {
      await submit(network, prefix);
      await submit(network, sides.a.slice(0, depth));
      let [winner, loser]: ['a' | 'b', 'a' | 'b'] = ['a', 'b'];
      const lengths = { a: depth, b: 0 };
      for (let turn = 1; turn < turns; turn++) {
        [winner, loser] = [loser, winner];
        const length = depth + turn;
        await submit(network, sides[winner].slice(lengths[winner], length));
        lengths[winner] = length;
        const canonical = [...prefix, ...sides[winner].slice(0, length)];
        await settledOn(network, canonical.at(-1)!);
        // Of the losing branch, what it had in its blocks; rivals of mined ones are gone.
        const mined = new Set(sides[winner].slice(0, length).flatMap((block) => block.transactions.map(idOf)));
        const lost = sides[loser]
          .slice(0, lengths[loser])
          .flatMap((block) => block.transactions.slice(0, -1).map(idOf));
        const expected = lost.filter((id) => !mined.has(id) && !rivals.has(id));
        await expectPooled(network, expected.sort());
        expect(expected.length).toBeGreaterThanOrEqual(depth);
        const memory = { a, b }[winner].node.worldState(canonical.at(-1)!.header.hash)!;
        const shown = (await shownBy(network, fork)) as {
          readonly state: { readonly outputRoot: string; readonly contractRoot: string };
        };
        expect(stateHash({ ...memory, ...shown.state })).toBe(stateHash(memory));
        if (turn >= turns - compared) expect(shown).toEqual(await shownAfresh(canonical));
      }
      await minePool(network);
      const oracle = createLedgerOracle({ genesis: settings, groups: 4, contractRules: contractRules(settings) });
      oracle.load(await loadCanonicalBlocks(network.client));
      const found = oracle.expectSound().contractsOf(0);
      const counter = found.find(({ contractId }) => contractId === fork.contracts.counter)!;
      expect(counter.mutableFields).toBe(await expectedFields(network));
    } finally {
      await network.close();
    }
  }, 300_000);

  /** Mines until the pool is empty: what came back is executed on the winner's contracts. */
  const minePool = async (network: TestNetwork): Promise<void> => {
    const ids = await pooled(network);
    expect(ids.length).toBeGreaterThanOrEqual(depth);
    await until('the pool is empty', async () => {
      await network.mine(0, 0);
      return (await pooled(network)).length === 0;
    });
    const ends = await Promise.all(ids.map((txId) => network.status(0, txId)));
    // Calls of what the winner has destroyed or never had fail, or leave with their reason.
    const confirmed = ends.filter(({ type }) => type === 'Confirmed');
    expect(confirmed.length).toBeGreaterThanOrEqual(depth);
  };

  /** The counter begins at 10; each addition that is mined adds three times its amount, and counts once. */
  const expectedFields = async (network: TestNetwork): Promise<string> => {
    const ends = await Promise.all(
      [...fork.additions].map(async ([txId, amount]) => ({ amount, ...(await network.status(0, txId)) })),
    );
    const added = ends.filter(({ type }) => type === 'Confirmed').map(({ amount }) => amount);
    const sum = added.reduce((total, amount) => total + 3 * amount, 10);
    return bytesToHex(encode(valsCodec, [u256(sum), u256(added.length)]));
  };
});
