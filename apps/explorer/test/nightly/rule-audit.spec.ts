import { setImmediate } from 'node:timers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Clock } from '@shardnode/core/lifecycle';
import { type Logger, silentLogger } from '@shardnode/core/observability';
import { type Block, genesisBlocks } from '@shardnode/protocol/block';
import { developmentNetwork, type NetworkSettings } from '@shardnode/protocol/network';
import { type Transaction } from '@shardnode/protocol/transaction';
import { assetOutput, buildMinedBlock, signTransaction } from '@shardnode/testing/builders';
import { developmentKeys, testKeyOfGroup } from '@shardnode/testing/keys';
import { MemoryNode, memoryNodeTarget, nextBlock } from '@shardnode/testing/memory-node';
import { readHistory } from '@shardnode/testing/replay';
import { historyFolder } from '@shardnode/testing/vectors';
import { auditState } from '../../src/rule-audit/findings.js';
import { ruleAuditJob, type FeedBlock, type Index, openIndex } from '../../src/index.js';
import { inSnapshot } from '../../src/database/snapshot.js';
import { FollowedNode } from '../recorded-answers/followed-node.js';
import { openEmbedded, type TestDatabase } from '../support/databases.js';
import { mintedCoins, paidCoins } from '../support/minted-coins.js';
import { runJob } from '../support/run-job.js';
import { emptyIndex } from '../trees/run-tree.js';

const coin = 10n ** 18n;
const network = developmentNetwork;
const payee = testKeyOfGroup(2);
const chain = { from: 0, to: 2 };

interface Finding {
  readonly hash: string;
  readonly rule: string;
  readonly detail: string;
  readonly height: number | undefined;
}

describe('the supply audit', () => {
  let opened: TestDatabase;
  let index: Index;
  let logged: { readonly finding: Finding }[] = [];
  const clock: Clock = {
    now: () => 0,
    monotonic: () => 0,
    after: (_milliseconds, action) => {
      const soon = setImmediate(action);
      return { cancel: () => clearImmediate(soon) };
    },
  };
  const logger = {
    ...silentLogger,
    debug: () => undefined,
    error: (values: { readonly finding: Finding }) => void logged.push(values),
  } as unknown as Logger;

  beforeAll(async () => {
    opened = await openEmbedded();
  });
  beforeEach(async () => {
    await emptyIndex(opened.database);
    index = openIndex({ database: opened.database, groups: network.groups });
    logged = [];
  });
  afterAll(() => opened.close());

  const jobOf = (settings: NetworkSettings) => {
    const job = ruleAuditJob(settings);
    return () => runJob(job, { database: opened.database, groups: settings.groups, clock, logger });
  };
  const state = () => inSnapshot(opened.database, auditState, 5_000);
  const applyGenesis = () =>
    index.apply(genesisBlocks(network).map((block) => ({ height: 0, block, events: [] }) satisfies FeedBlock));
  const first = (transactions: readonly Transaction[]): Block =>
    nextBlock(new MemoryNode(network), chain, { transactions });
  const apply = (block: Block, height = 1) => index.apply([{ height, block, events: [] }]);
  /** Ten blocks of its chain above the first one. */
  const bury = async (block: Block): Promise<void> => {
    const { depStateHash, target } = block.header;
    let parent = block.header;
    for (let height = 2; height <= 11; height++) {
      const own = network.groups - 1 + chain.to;
      const next = buildMinedBlock({
        settings: network,
        chain,
        blockDeps: parent.blockDeps.with(own, parent.hash),
        depStateHash,
        timestamp: parent.timestamp + 1n,
        target,
        transactions: [],
        miner: payee.lockupScript,
      });
      await apply(next, height);
      parent = next.header;
    }
  };

  describe.each(['chain-tokens', 'chain-forks/views-a'])('of the history %s', (name) => {
    it('finds nothing, while it grows and reorganises', async () => {
      const history = readHistory(historyFolder(name));
      const audit = jobOf(history.settings);
      const node = memoryNodeTarget(new MemoryNode(history.settings));
      const followed = new FollowedNode(history, node, index);
      const count = history.blocks.length;
      for (const blocks of [Math.floor(count / 2), count]) {
        await followed.importUpTo(blocks);
        await followed.follow();
        await audit();
        expect(logged).toEqual([]);
        const { behind, findings } = await state();
        expect(findings).toBe(0);
        // Of chains whose branches spend the same output one waits until it is undone.
        if (!name.startsWith('chain-forks')) expect(behind).toBe(0);
      }
    });
  });

  it('accepts a transfer between groups', async () => {
    await applyGenesis();
    await apply(first([await paidCoins(payee, coin)]));
    await jobOf(network)();
    expect(await state()).toEqual({ findings: 0, behind: 0 });
  });

  it.each<[string, () => Promise<Block>, string, RegExp]>([
    [
      'more in the outputs than in the inputs',
      async () => first([await mintedCoins(payee, coin, 1_000n * coin)]),
      'ExistInvalidTx(InvalidCoinBalance)',
      /^transaction [0-9a-f]{64}: .*1000 \{COIN\} \(1000000000000000000000 atto\{Coin\}\) is missing/,
    ],
    [
      'an output without an input',
      async () => {
        const { unsigned } = await paidCoins(payee, coin);
        const invented = { key: 'ab'.repeat(32), hint: unsigned.inputs[0]!.outputReference.hint };
        const inputs = [{ ...unsigned.inputs[0]!, outputReference: invented }];
        return first([signTransaction({ ...unsigned, inputs }, [(await developmentKeys())[0]!])]);
      },
      'ExistInvalidTx(NonExistInput)',
      /output (ab){32} is spent already, or never was/,
    ],
    [
      'the signature of somebody else',
      async () => first([signTransaction((await paidCoins(payee, coin)).unsigned, [payee])]),
      'ExistInvalidTx(InvalidSignature)',
      /does not verify/,
    ],
    [
      'a generated output without a script',
      async () => {
        const paid = await paidCoins(payee, coin);
        return first([{ ...paid, generatedOutputs: [assetOutput(payee.lockupScript, coin)] }]);
      },
      'ExistInvalidTx(GeneratedOutputForInterGroupTx)',
      /only a transaction within one group generates outputs/,
    ],
  ])('finds %s', async (_, forge, rule, detail) => {
    await applyGenesis();
    const block = await forge();
    await apply(block);
    const audit = jobOf(network);
    await audit();
    await bury(block);
    await audit();
    await audit();
    const { hash } = block.header;
    expect(logged).toEqual([
      { finding: { hash, chain, height: 1, rule, detail: expect.stringMatching(detail) as unknown } },
    ]);
    expect(await state()).toEqual({ findings: 1, behind: 0 });
  });

  it('finds a header that is served with other transactions', async () => {
    await applyGenesis();
    const [paid, other] = [first([await paidCoins(payee, coin)]), first([await paidCoins(payee, 2n * coin)])];
    await apply({ ...paid, transactions: other.transactions });
    await jobOf(network)();
    expect(logged).toMatchObject([{ finding: { hash: paid.header.hash, rule: 'InvalidTxsMerkleRoot' } }]);
  });

  it('waits for an output that may come, or a block that may go, and judges again after an undo', async () => {
    await applyGenesis();
    const before = first([await paidCoins(payee, coin)]);
    await apply(before);
    const audit = jobOf(network);
    await audit();
    expect(await state()).toEqual({ findings: 0, behind: 0 });
    // Of another chain and not yet undone: the same output twice.
    const twice = nextBlock(
      new MemoryNode(network),
      { from: 0, to: 3 },
      { transactions: [await paidCoins(testKeyOfGroup(3), coin)] },
    );
    await apply(twice);
    await audit();
    expect(await state()).toEqual({ findings: 0, behind: 1 });
    await index.reorganise(twice.header.chainIndex, 0, []);
    await index.reorganise(chain, 0, []);
    await audit();
    expect(await state()).toEqual({ findings: 0, behind: 0 });
    // What replaces an audited block is judged too.
    const minted = first([await mintedCoins(payee, coin, coin)]);
    await apply(minted);
    await audit();
    expect(logged).toMatchObject([{ finding: { hash: minted.header.hash, height: 1 } }]);
  });
});
