import { describe, expect, it } from '@jest/globals';
import { genesisBlocks } from '@shardnode/protocol/block';
import { developmentNetwork } from '@shardnode/protocol/network';
import { chainBlock } from '@shardnode/testing/poison';
import { createStoppedClock } from '@shardnode/testing/clocks';
import { type Obstacle } from '../intake/index.js';
import { type GroupState } from '../view/group-state.js';
import { splitText, SplitWatch } from './split-watch.js';

const { hash: block } = chainBlock({ from: 1, to: 2 }).header;
const genesis = genesisBlocks(developmentNetwork).map(({ header }) => header.hash);

const open = () => {
  const clock = createStoppedClock();
  const here = new Set(genesis);
  const lines: [level: string, fields: object][] = [];
  const network = { obstacle: { block, cause: 'InvalidWorkTarget' } as Obstacle | undefined };
  const watch = new SplitWatch({
    state: {
      settings: developmentNetwork,
      memory: { published: { tips: () => genesis.slice(0, 1) } },
    } as unknown as GroupState,
    clock,
    logger: {
      error: (fields: object) => void lines.push(['error', fields]),
      info: (fields: object) => void lines.push(['info', fields]),
    } as never,
    obstacleOf: (hash) => (here.has(hash) ? undefined : network.obstacle),
  });
  /** Looks ten times a second; each second the sibling announces its heads, if it has some. */
  const pass = (seconds: number, heads?: readonly string[]): void => {
    for (let look = 0; look < seconds * 10; look++) {
      if (heads && look % 10 === 0) watch.record(1, heads);
      clock.advance(100);
      watch.look();
    }
  };
  return { watch, pass, lines, here, network };
};

describe('the watch for a split', () => {
  it('has one error for it and one line for its end, and tells block, chain and cause meanwhile', () => {
    const { watch, pass, lines, here } = open();
    pass(30, [...genesis, block]);
    expect([watch.split, lines]).toEqual([undefined, []]);
    pass(60, [...genesis, block]);
    const split = { sibling: 1, block, from: 1, to: 2, cause: 'InvalidWorkTarget' };
    expect(watch.split).toEqual(split);
    expect(splitText(split)).toBe(
      `group 1 builds on block ${block} of chain (1, 2), which InvalidWorkTarget refuses here`,
    );
    here.add(block);
    pass(1, [...genesis, block]);
    expect(watch.split).toBeUndefined();
    expect(lines).toEqual([
      ['error', { ...split, forMs: 30_000, suppressed: 0 }],
      ['info', { sibling: 1, block, forMs: expect.any(Number) }],
    ]);
  });

  it('does not count what is being imported, nor the time in which no blocks are taken', () => {
    const { watch, pass, network } = open();
    network.obstacle = undefined;
    pass(60, [block]);
    network.obstacle = { block, cause: 'missing' };
    pass(29, [block]);
    watch.pause();
    pass(29, [block]);
    expect(watch.split).toBeUndefined();
    pass(2, [block]);
    expect(watch.split).toMatchObject({ cause: 'missing' });
    watch.pause();
    pass(1, [block]);
    expect(watch.split).toBeDefined();
  });

  it('forgets the heads of a sibling that is silent', () => {
    const { watch, pass } = open();
    pass(31, [block]);
    expect(watch.split).toBeDefined();
    pass(10);
    expect(watch.split).toBeUndefined();
  });
});
