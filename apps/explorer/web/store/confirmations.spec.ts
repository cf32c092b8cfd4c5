import { describe, expect, it } from '@jest/globals';
import { confirmationsOf, countsOverTime, takenIn } from './confirmations.js';
import { type Block } from './forms.js';
import { Ledger, madeBlock } from './made-blocks.js';

const groups = 4;

const countsOf = async (ledger: Ledger, block: Block): Promise<readonly number[]> => {
  const { inChain, inSender, inReceiver } = confirmationsOf(block, await takenIn(ledger, block, groups), ledger.headOf);
  return [inChain, inSender, inReceiver];
};

describe('confirmations', () => {
  it('are one number inside a group', async () => {
    const ledger = new Ledger();
    const block = ledger.mine(1, 1);
    ledger.mine(1, 1);
    expect(await countsOf(ledger, block)).toEqual([2, 2, 2]);
  });

  it('between groups begin when each group has taken the block in', async () => {
    const ledger = new Ledger();
    ledger.mine(0, 0);
    const block = ledger.mine(0, 2);
    expect(await countsOf(ledger, block)).toEqual([1, 0, 0]);
    // Of the receiving group, before the sending one has carried the block: it cannot know of it.
    ledger.mine(2, 2);
    expect(await countsOf(ledger, block)).toEqual([1, 0, 0]);
    ledger.mine(0, 0);
    expect(await countsOf(ledger, block)).toEqual([1, 1, 0]);
    ledger.mine(2, 2);
    expect(await countsOf(ledger, block)).toEqual([1, 1, 1]);
    ledger.mine(0, 2);
    ledger.mine(0, 0);
    ledger.mine(0, 0);
    ledger.mine(2, 2);
    expect(await countsOf(ledger, block)).toEqual([2, 3, 2]);
  });

  it('of a genesis block begin with the first blocks that rest on it', async () => {
    const ledger = new Ledger();
    const block = ledger.headOf({ chainFrom: 0, chainTo: 2 });
    expect(await countsOf(ledger, block)).toEqual([1, 0, 0]);
    ledger.mine(0, 0);
    expect(await countsOf(ledger, block)).toEqual([1, 1, 0]);
    ledger.mine(2, 2);
    expect(await countsOf(ledger, block)).toEqual([1, 1, 1]);
  });

  it('are found through a later block of the chain', async () => {
    const ledger = new Ledger();
    const block = ledger.mine(3, 1);
    ledger.mine(3, 1);
    ledger.mine(3, 3);
    ledger.mine(1, 1);
    expect(await countsOf(ledger, block)).toEqual([2, 1, 1]);
  });
});

describe('counts over time', () => {
  const grown = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, i) => madeBlock(6, from + i)).toReversed();

  it('grow with each block of the chain', () => {
    const blocks = [...grown(3, 6), madeBlock(7, 5)];
    const { timestamp } = madeBlock(6, 3);
    expect(countsOverTime(madeBlock(6, 3), blocks, groups)).toEqual(
      [1, 2, 3, 4].map((count, i) => ({ timestamp: timestamp + i * 1_000, count })),
    );
    expect(countsOverTime(madeBlock(6, 3), [], groups)).toEqual([{ timestamp, count: 1 }]);
  });

  it('begin where the blocks are known without a gap', () => {
    const counts = countsOverTime(madeBlock(6, 3), grown(8, 9), groups);
    expect(counts.map(({ count }) => count)).toEqual([6, 7]);
  });
});
