import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { developmentKeys } from '@shardnode/testing/keys';
import { MemoryNode, nextBlock } from '@shardnode/testing/memory-node';
import { coin, TestNetwork, until } from '../support/network.js';

const gone = { kind: 'not-found', code: 'StateNotAvailable' };

describe('a network that prunes', () => {
  let network: TestNetwork;
  beforeEach(async () => {
    network = await TestNetwork.open({ mining: 'off', pruningHorizon: 2 });
  });
  afterEach(() => network.close());

  const entries = (hash: string) =>
    network.client.request(0, 'read.inspection.state-entries', { hash, prefix: '', limit: 1 });
  /** A round of all chains of group 0, so that none holds pruning back. */
  const round = async (): Promise<string> => {
    for (const to of [1, 2, 3]) await network.mine(0, to);
    return (await network.mine(0, 0)).blockHash;
  };

  it('tells of states that are gone, goes on, and starts again without them', async () => {
    const rich = await developmentKeys();
    const blocks = [await round()];
    for (let i = 0; i < 5; i++) {
      await network.transfer(rich[0]!, [{ key: rich[1]!, amount: coin }]);
      blocks.push(await round());
    }
    await until('the first state is gone', async () => {
      const outcome = await entries(blocks[0]!).then(
        () => undefined,
        (error: unknown) => error,
      );
      if (outcome) expect(outcome).toMatchObject(gone);
      return outcome !== undefined;
    });
    expect((await entries(blocks.at(-1)!)).entries).toHaveLength(1);
    await network.restart();
    await expect(entries(blocks[0]!)).rejects.toMatchObject(gone);
    expect((await entries(blocks.at(-1)!)).entries).toHaveLength(1);
    const before = await network.balance(rich[0]!);
    await network.transfer(rich[0]!, [{ key: rich[1]!, amount: coin }]);
    await round();
    expect(await network.balance(rich[0]!)).toBeLessThan(before);
    expect(await (await network.store(0)).checkProjection()).toMatchObject({ equal: true });
    // A fork from there cannot be judged any more.
    const { raw } = nextBlock(new MemoryNode(network.settings), { from: 0, to: 0 });
    await expect(network.client.request(0, 'command.block.submit', { block: raw })).rejects.toMatchObject({
      kind: 'refused',
      code: 'StateNotAvailable',
    });
  }, 120_000);
});
