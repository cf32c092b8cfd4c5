import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { silentLogger } from '@shardnode/core/observability';
import { peerSubject } from '@shardnode/messages';
import { type Block } from '@shardnode/protocol/block';
import { developmentNetwork } from '@shardnode/protocol/network';
import { buildMinedBlock } from '@shardnode/testing/builders';
import { testKeyOfGroup } from '@shardnode/testing/keys';
import { MemoryNode, nextBlock } from '@shardnode/testing/memory-node';
import { until } from '@shardnode/testing/waiting';
import { openEmbedded, type TestDatabase } from '../../../apps/explorer/test/support/databases.js';
import { mintedCoins } from '../../../apps/explorer/test/support/minted-coins.js';
import { coin, TestNetwork } from '../../../apps/group-node/test/support/network.js';
import { TestExplorer } from '../../kit/explorer/embedded-explorer.js';
import { patience } from '../../kit/patience.js';

const settings = developmentNetwork;
const { groups } = settings;
const minted = 1_000n * coin;
const chain = { from: 0, to: 2 };
const thief = testKeyOfGroup(2);
/** Milliseconds from the block to the alarm. */
const within = 10_000;

interface FindingRow {
  readonly hash: string;
  readonly rule: string;
  readonly height: number | null;
  readonly detail: string;
}

describe('who has the bus password of group-node 0 gives group 2 a block that mints coins', () => {
  let network: TestNetwork;
  let opened: TestDatabase;
  let explorer: TestExplorer;
  /** The block that mints. */
  let minting: Block;

  beforeAll(async () => {
    network = await TestNetwork.open({ mining: 'off' });
    opened = await openEmbedded();
    explorer = await TestExplorer.start({ bus: network.network, database: opened.database });
    await until('the explorer is live', async () => (await explorer.sync()).phase === 'live');
  });
  afterAll(async () => {
    await explorer.stop();
    await network.close();
    await opened.close();
  });

  /** A block of chain (0,2) with the coins, and one of chain (0,0) on top, through which other groups confirm it. */
  const forge = async (): Promise<readonly [minting: Block, confirming: Block]> => {
    const transactions = [await mintedCoins(thief, coin, minted)];
    const first = nextBlock(new MemoryNode(settings), chain, { transactions });
    const { hash, timestamp, target, depStateHash, blockDeps } = first.header;
    const confirming = buildMinedBlock({
      settings,
      chain: { from: 0, to: 0 },
      blockDeps: blockDeps.map((dep, place) => (place === groups - 1 + chain.to ? hash : dep)),
      depStateHash,
      timestamp: timestamp + 1n,
      target,
      transactions: [],
      miner: testKeyOfGroup(0).lockupScript,
    });
    return [first, confirming];
  };

  /** Speaks on the bus as group-node 0 does. */
  const attack = async (): Promise<void> => {
    const [first, confirming] = await forge();
    minting = first;
    const sender = { service: 'group-node', member: 0 };
    const { bus } = await network.network.join({ sender, logger: silentLogger });
    bus.publish(peerSubject('test', { event: 'peer.block', ...chain }), { ...chain, block: first.raw });
    const { hash } = first.header;
    const isTaken = (): Promise<boolean> =>
      network.explorer.request(2, 'read.block.get', { hash }).then(
        () => true,
        () => false,
      );
    await until('group 2 has the block', isTaken);
    const inGroup = { from: 0, to: 0 };
    const { raw: header } = confirming.header;
    bus.publish(peerSubject('test', { event: 'peer.header', ...inGroup }), { ...inGroup, header });
  };

  const findings = (): Promise<readonly FindingRow[]> =>
    opened.database.query<FindingRow>(
      'findings-of-test',
      `SELECT encode(block_hash, 'hex') AS hash, rule, height, detail FROM explorer.audit_findings`,
    );
  /** The finding of the minting block by a rule. */
  const alarm = async (rule: string): Promise<FindingRow> => {
    const began = performance.now();
    const ofBlock = async () => (await findings()).find((one) => one.hash === minting.header.hash && one.rule === rule);
    await until(`the alarm ${rule}`, async () => (await ofBlock()) !== undefined, patience(within));
    process.stderr.write(`${rule}: alarm after ${((performance.now() - began) / 1_000).toFixed(1)} s\n`);
    expect(await explorer.text('/metrics')).toMatch(/explorer_audit_findings\{[^}]*\} [1-9]/);
    return (await ofBlock())!;
  };

  it('while the owner runs: the coins can be spent, and the explorer names the block that the owner lacks', async () => {
    await attack();
    const raised = alarm('BlockWithoutOwner');
    await until('the coins are confirmed', async () => {
      await network.mine(2, 2);
      // The thief has the reward of the block, too.
      return (await network.balance(thief, false)) >= minted + coin;
    });
    const { txId } = await network.transfer(thief, [{ key: testKeyOfGroup(3), amount: minted / 2n }]);
    await network.mine(2, 3);
    await until('they are spent', async () => (await network.status(2, txId)).type === 'Confirmed');
    expect(await raised).toMatchObject({
      height: 1,
      detail: expect.stringMatching(/^group-node 0, .* group-node 2 has it: transaction .* is missing/) as unknown,
    });
  });

  it('when the owner is gone: the explorer has the block of its receiver, and names the transaction', async () => {
    await network.stopGroup(0);
    const isApplied = async () => (await explorer.get<{ hash?: string }>(`/blocks/${minting.header.hash}`)).hash;
    await until('the index has the block', async () => (await isApplied()) !== undefined);
    expect(await alarm('ExistInvalidTx(InvalidCoinBalance)')).toMatchObject({
      height: 1,
      detail: expect.stringContaining(`${minted / coin} {COIN}`) as unknown,
    });
  });
});
