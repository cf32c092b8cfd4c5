import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Block, buildCoinbase, sealBlock, transactionsRoot } from '@shardnode/protocol/block';
import { type ChainIndex, zeroHash } from '@shardnode/protocol/primitives';
import { referenceOf, type Transaction, transactionId } from '@shardnode/protocol/transaction';
import {
  assetOutput,
  buildSignedTransfer,
  inventedOutput,
  searchHeader,
  signTransaction,
  type SpendableOutput,
} from '@shardnode/testing/builders';
import { testKeyOfGroup } from '@shardnode/testing/keys';
import {
  type ChainOfBlocks,
  createLedgerOracle,
  type LedgerOracle,
  type LedgerReport,
} from '@shardnode/testing/ledger-oracle';
import { chainOf, coin, GrowingChains, settings, withBlocks } from './growing-chains.js';

const oracleOf = (chains: readonly ChainOfBlocks[]): LedgerOracle => {
  const oracle = createLedgerOracle({ genesis: settings, groups: 4 });
  oracle.load({ chains });
  return oracle;
};

const namesOf = ({ problemCounts }: LedgerReport): string[] => [...problemCounts.keys()].sort();

describe('what the ledger oracle finds wrong', () => {
  let source: GrowingChains;
  let chains: readonly ChainOfBlocks[];
  const intra = chainOf(0, 0);
  const cross = chainOf(0, 1);

  beforeAll(async () => {
    source = await GrowingChains.create();
    await source.rounds(3, true);
    await source.rounds(2);
    chains = source.chains();
  });

  const foundWith = (...blocks: readonly Block[]): string[] => namesOf(oracleOf(withBlocks(chains, blocks)).verify());

  const largest = async (group: number): Promise<SpendableOutput> => (await source.spendable(group))[0]!;

  /** A block with these transactions, the coinbase among them as the caller wants it, whatever they say. */
  const blockOf = (
    chain: ChainIndex,
    transactions: readonly Transaction[],
    change: Partial<Pick<Block['header'], 'depStateHash' | 'timestamp' | 'blockDeps'>> = {},
  ): Block => {
    const { header } = source.next(chain);
    const { version, blockDeps, depStateHash, timestamp, target } = header;
    const txsHash = transactionsRoot(transactions);
    const fields = { version, blockDeps, depStateHash, timestamp, target, ...change, txsHash };
    return sealBlock(searchHeader(fields, chain, settings), transactions, 4);
  };

  const coinbaseOf = (chain: ChainIndex, change: { amount?: bigint; lockTime?: bigint } = {}): Transaction => {
    const { timestamp, target } = source.next(chain).header;
    const coinbase = buildCoinbase(settings, chain, timestamp, target, testKeyOfGroup(chain.to).lockupScript);
    const [output] = coinbase.unsigned.fixedOutputs;
    return { ...coinbase, unsigned: { ...coinbase.unsigned, fixedOutputs: [{ ...output!, ...change }] } };
  };

  it('nothing in sound chains, whose figures it tells', () => {
    const report = oracleOf(chains).expectSound();
    const mined = 5 * 16;
    const reward = report.supply.mined / BigInt(mined);
    expect(report.blocks).toBe(16 + mined);
    expect(report.transactions).toBe(4 + mined + source.transfers.length);
    expect(source.transfers.length).toBeGreaterThan(40);
    expect(report.supply.genesis).toBe(4n * 10n ** 24n);
    expect(reward * BigInt(mined)).toBe(report.supply.mined);
    expect(report.supply.burned).toBe(BigInt(source.transfers.length) * 20_000n * 10n ** 11n);
    expect(report.supply.held).toBe(report.supply.genesis + report.supply.mined - report.supply.burned);
    const balances = report.addresses.reduce((sum, address) => sum + report.balanceOf(address), 0n);
    expect(balances).toBe(report.supply.held);
    for (const { id } of source.transfers) expect(report.confirmationsOf(id)).toBe(1);
  });

  it('nothing in a sound block on top', async () => {
    const transfer = source.pay(cross, [await largest(0)]);
    expect(foundWith(source.next(cross, { transactions: [transfer] }))).toEqual([]);
  });

  it('a block that is lost', () => {
    const report = oracleOf(
      chains.map((chain) =>
        chain.from === 2 && chain.to === 3 ? { ...chain, blocks: chain.blocks.toSpliced(2, 1) } : chain,
      ),
    ).verify();
    expect(namesOf(report)).toEqual(expect.arrayContaining(['DependencyUnknown', 'LinkBroken']));
    expect(() => report.expectSound()).toThrow(
      /the ledger is not sound \(.*1 LinkBroken.*\n- LinkBroken: place 2 of chain/s,
    );
  });

  it('a block that is given twice, and two in the wrong order', () => {
    const [chain] = chains;
    const twice = { ...chain!, blocks: [...chain!.blocks, chain!.blocks.at(-1)!] };
    expect(namesOf(oracleOf(chains.with(0, twice)).verify())).toEqual(['LinkBroken']);
    const turned = {
      ...chain!,
      blocks: [...chain!.blocks.slice(0, 2), chain!.blocks[3]!, chain!.blocks[2]!, ...chain!.blocks.slice(4)],
    };
    expect(namesOf(oracleOf(chains.with(0, turned)).verify())).toEqual(['LinkBroken']);
  });

  it('a block of another chain, and bytes that are none', () => {
    const [chain] = chains;
    const foreign = { ...chain!, blocks: [...chain!.blocks, source.next(cross).raw] };
    expect(namesOf(oracleOf(chains.with(0, foreign)).verify())).toEqual(['BlockOnOtherChain']);
    const cut = { ...chain!, blocks: [...chain!.blocks, source.next(intra).raw.slice(0, -1)] };
    expect(namesOf(oracleOf(chains.with(0, cut)).verify())).toEqual(['BlockUndecodable']);
  });

  it('genesis blocks of other settings, and none at all', () => {
    const [first, ...rest] = settings.allocations;
    const genesis = { ...settings, allocations: [{ ...first!, amount: first!.amount + 1n }, ...rest] };
    const oracle = createLedgerOracle({ genesis });
    oracle.load({ chains });
    expect(namesOf(oracle.verify())).toEqual(['GenesisDiffers']);
    const without = chains.map((chain) => ({ ...chain, blocks: chain.blocks.slice(1) }));
    expect(namesOf(oracleOf(without).verify())).toEqual(expect.arrayContaining(['GenesisMissing', 'LinkBroken']));
  });

  it('an amount that is doubled, and an output that is there twice', async () => {
    const spend = await largest(0);
    const sound = source.pay(intra, [spend]);
    const [paid, change] = sound.unsigned.fixedOutputs;
    for (const fixedOutputs of [
      [{ ...paid!, amount: 2n * paid!.amount }, change!],
      [paid!, paid!, change!],
    ]) {
      const doubled = signTransaction({ ...sound.unsigned, fixedOutputs }, [source.keys[0]!]);
      expect(foundWith(source.next(intra, { transactions: [doubled] }))).toEqual([
        'SupplyDiffers',
        'TransactionDoesNotBalance',
      ]);
    }
  });

  it('tokens from nowhere', async () => {
    const tokens = [{ id: '11'.repeat(32), amount: 5n }];
    const outputs = [assetOutput(testKeyOfGroup(0).lockupScript, coin, { tokens })];
    const transfer = buildSignedTransfer({ settings, from: source.keys[0]!, spend: [await largest(0)], outputs });
    expect(foundWith(source.next(intra, { transactions: [transfer] }))).toEqual(['TokensDoNotBalance']);
  });

  it('a transaction that is confirmed twice', async () => {
    const transfer = source.pay(intra, [await largest(0)]);
    const [first, second] = [
      source.next(intra, { transactions: [transfer] }),
      source.next(cross, { transactions: [transfer] }),
    ];
    expect(foundWith(first, second)).toEqual(expect.arrayContaining(['TransactionConfirmedTwice', 'OutputSpentTwice']));
  });

  it('an output that is spent twice: in one block, by siblings, and long after', async () => {
    const spend = await largest(0);
    const [one, other] = [source.pay(cross, [spend], 1n), source.pay(cross, [spend], 2n)];
    expect(foundWith(source.next(cross, { transactions: [one, other] }))).toContain('OutputSpentTwice');
    const sibling = source.pay(chainOf(0, 2), [spend], 3n);
    const siblings = [
      source.next(cross, { transactions: [one] }),
      source.next(chainOf(0, 2), { transactions: [sibling] }),
    ];
    expect(foundWith(...siblings)).toContain('OutputSpentTwice');
    const [allocation] = source.node.block(source.node.dag.genesis(intra))!.transactions;
    const [output] = allocation!.unsigned.fixedOutputs;
    const reference = referenceOf(output!, transactionId(allocation!.unsigned), 0);
    const late = source.pay(intra, [{ reference, output: output! }], 11n);
    expect(foundWith(source.next(intra, { transactions: [late] }))).toEqual(['OutputSpentTwice', 'SupplyDiffers']);
  });

  it('an output that nobody made, and one that the block cannot see yet', async () => {
    const invented = inventedOutput(assetOutput(source.keys[0]!.lockupScript, 5n * coin), 'nowhere');
    const nowhere = source.next(intra, { transactions: [source.pay(intra, [invented])] });
    expect(foundWith(nowhere)).toEqual(['OutputUnknown', 'SupplyDiffers']);
    const transfer = source.pay(cross, [await largest(0)], 7n);
    const [made] = transfer.unsigned.fixedOutputs;
    const seen = { reference: referenceOf(made!, transactionId(transfer.unsigned), 0), output: made! };
    const tooSoon = source.next(chainOf(1, 1), { transactions: [source.pay(chainOf(1, 1), [seen])] });
    expect(foundWith(source.next(cross, { transactions: [transfer] }), tooSoon)).toContain('OutputNotVisible');
  });

  it('an output that only a block off the chains made', async () => {
    const transfer = source.pay(intra, [await largest(0)], 9n);
    const change = transfer.unsigned.fixedOutputs[1]!;
    const spend = { reference: referenceOf(change, transactionId(transfer.unsigned), 1), output: change };
    const oracle = oracleOf(withBlocks(chains, [source.next(cross, { transactions: [source.pay(cross, [spend])] })]));
    oracle.addSide([source.next(intra, { transactions: [transfer] }).raw]);
    expect(namesOf(oracle.verify())).toEqual(expect.arrayContaining(['OutputNotVisible', 'OutputOffChain']));
  });

  it('an output that is still locked', async () => {
    const transfer = source.pay(intra, [await largest(0)]);
    const [paid, change] = transfer.unsigned.fixedOutputs;
    const fixedOutputs = [paid!, { ...change!, lockTime: 2_000_000_000_000n }];
    const locking = signTransaction({ ...transfer.unsigned, fixedOutputs }, [source.keys[0]!]);
    const reference = referenceOf(fixedOutputs[1]!, transactionId(locking.unsigned), 1);
    const other = await GrowingChains.create();
    for (const raw of chains.flatMap(({ blocks }) => blocks.slice(1))) other.node.importBlock(raw);
    const made = other.import(other.next(intra, { transactions: [locking] }));
    const spend = [{ reference, output: fixedOutputs[1]! }];
    const early = other.next(intra, { transactions: [other.pay(intra, spend)] });
    expect(foundWith(made)).toEqual([]);
    expect(foundWith(made, early)).toEqual(['OutputLocked']);
  });

  it('a transaction of other groups', async () => {
    const transfer = source.pay(cross, [await largest(0)]);
    const names = foundWith(source.next(intra, { transactions: [transfer] }));
    expect(names).toEqual(['LedgerAndStateDiffer', 'TransactionInOtherGroup']);
  });

  it('a wrong reward, and a coinbase that is none', () => {
    const [output] = coinbaseOf(intra).unsigned.fixedOutputs;
    const amount = output!.amount + 1n;
    expect(foundWith(blockOf(intra, [coinbaseOf(intra, { amount })]))).toEqual(['RewardDiffers', 'SupplyDiffers']);
    const unlocked = coinbaseOf(intra, { lockTime: 0n });
    expect(foundWith(blockOf(intra, [unlocked]))).toEqual(['CoinbaseMalformed']);
    expect(foundWith(blockOf(intra, []))).toEqual(['CoinbaseMalformed', 'SupplyDiffers']);
  });

  it('a wrong state hash', () => {
    const depStateHash = source.next(cross).header.depStateHash.replace(/^./, (digit) => (digit === '0' ? '1' : '0'));
    expect(foundWith(blockOf(cross, [coinbaseOf(cross)], { depStateHash }))).toEqual(['StateHashDiffers']);
  });

  it('transactions that the header does not name', async () => {
    const { header } = source.next(intra);
    const others = [source.pay(intra, [await largest(0)]), coinbaseOf(intra)];
    expect(foundWith(sealBlock(header, others, 4))).toEqual(['TransactionsRootDiffers']);
  });

  it('dependencies that are on two branches, on another chain or nowhere', async () => {
    const { blockDeps } = source.next(cross).header;
    const branches = await GrowingChains.create();
    for (const raw of chains.flatMap(({ blocks }) => blocks.slice(1))) branches.node.importBlock(raw);
    // Two blocks of (0,1) at one height, and one of (0,0) that includes the first: nobody may include both.
    const before = branches.node.bestDependencies(0);
    const first = branches.import(branches.next(cross, { deps: before }));
    const second = branches.next(cross, {
      deps: before,
      miner: testKeyOfGroup(1, 4).lockupScript,
      timestamp: first.header.timestamp + 5n,
    });
    const onFirst = branches.import(branches.next(intra));
    expect(onFirst.header.blockDeps).toContain(first.header.hash);
    branches.import(second);
    const both = [...before.slice(0, 3), onFirst.header.hash, second.header.hash, ...before.slice(5)];
    const conflicting = branches.next(chainOf(0, 2), { deps: both });
    const oracle = oracleOf(withBlocks(chains, [first, onFirst, conflicting]));
    oracle.addSide([second.raw]);
    expect(namesOf(oracle.verify())).toEqual(['DependenciesConflict']);
    const swapped = [blockDeps[1]!, blockDeps[0]!, ...blockDeps.slice(2)];
    expect(foundWith(blockOf(cross, [coinbaseOf(cross)], { blockDeps: swapped }))).toEqual(['DependencyOnOtherChain']);
    const unknown = [zeroHash, ...blockDeps.slice(1)];
    expect(foundWith(blockOf(cross, [coinbaseOf(cross)], { blockDeps: unknown }))).toEqual(['DependencyUnknown']);
  });

  it('a block that is not newer than its parent', () => {
    const parent = source.node.dag.header(source.next(cross).header.blockDeps[4]!);
    const names = foundWith(blockOf(cross, [coinbaseOf(cross)], { timestamp: parent.timestamp }));
    expect(names).toContain('TimestampNotIncreasing');
  });

  it('a block without work', () => {
    const { header, transactions } = source.next(cross);
    const { version, blockDeps, depStateHash, txsHash, timestamp } = header;
    // No hash is below a target of 2^8.
    const target = 0x02000100;
    for (let nonce = 0; ; nonce++) {
      const bytes = new Uint8Array(24).fill(nonce);
      const block = sealBlock(
        { nonce: bytes, version, blockDeps, depStateHash, txsHash, timestamp, target },
        transactions,
        4,
      );
      if (block.header.chainIndex.from !== 0 || block.header.chainIndex.to !== 1) continue;
      expect(foundWith(block)).toEqual(expect.arrayContaining(['WorkMissing']));
      return;
    }
  });

  it('an output of a contract that no script made', async () => {
    const transfer = source.pay(intra, [await largest(0)]);
    const generatedOutputs = [{ kind: 'contract' as const, amount: coin, contractId: zeroHash, tokens: [] }];
    const names = foundWith(blockOf(intra, [{ ...transfer, generatedOutputs }, coinbaseOf(intra)]));
    expect(names).toContain('TakenWithoutScript');
  });

  it('an output of a contract that no script takes', async () => {
    const transfer = source.pay(intra, [await largest(0)]);
    const contractInputs = [{ hint: 0, key: zeroHash }];
    expect(foundWith(blockOf(intra, [{ ...transfer, contractInputs }, coinbaseOf(intra)]))).toContain(
      'TakenWithoutScript',
    );
  });

  it('an acknowledged transaction that is nowhere, unless a node told why', async () => {
    const oracle = oracleOf(chains);
    for (const { id, chain } of source.transfers) oracle.acknowledge(id, chain);
    expect(namesOf(oracle.verify())).toEqual([]);
    const lost = '77'.repeat(32);
    oracle.acknowledge(lost);
    expect(() => oracle.expectSound()).toThrow(`AcknowledgedMissing: transaction ${lost} was acknowledged`);
    expect(() => oracle.refused(lost, ' ')).toThrow('without a reason');
    oracle.refused(lost, 'Conflict: spent by another one');
    expect(namesOf(oracle.verify())).toEqual([]);
    const [{ id, chain }] = source.transfers as [(typeof source.transfers)[0]];
    oracle.acknowledge(id, { from: (chain.from + 1) % 4, to: chain.to });
    expect(namesOf(oracle.verify())).toEqual(['AcknowledgedOnOtherChain']);
  });

  it('nodes that do not agree', () => {
    const oracle = createLedgerOracle({ genesis: settings });
    oracle.load({ chains, differences: ['chain (0,1) at height 2: ...'] });
    expect(namesOf(oracle.verify())).toEqual(['HoldersDiffer']);
  });

  it('the same thing hundreds of times: it tells the first 50, and how many there are', () => {
    const oracle = createLedgerOracle({ genesis: settings });
    const differences = Array.from({ length: 200 }, (_, height) => `chain (0,1) at height ${height}: ...`);
    // What is found again is no other problem.
    oracle.load({ chains, differences: [...differences, ...differences] });
    const { problems, problemCounts } = oracle.verify();
    expect(problems.map(({ detail }) => detail)).toEqual(differences.slice(0, 50));
    expect([...problemCounts]).toEqual([['HoldersDiffer', 200]]);
  });
});
