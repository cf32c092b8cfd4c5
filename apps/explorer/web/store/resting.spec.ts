import { expect, it } from '@jest/globals';
import { type Block, type Chain } from './forms.js';
import { Ledger } from './made-blocks.js';
import { restingChains, restingOn } from './resting.js';

const groups = 4;
const nameOf = ({ chainFrom, chainTo }: Chain): string => `${chainFrom}${chainTo}`;

/** The first block of each chain that rests on one. */
const restingOnAll = async (ledger: Ledger, block: Block) => {
  const found = restingChains(block, groups).map((chain) => restingOn(ledger, block, chain, groups));
  return (await Promise.all(found)).filter((each) => each !== undefined);
};

it('knows which chains can rest on a block', () => {
  expect(restingChains({ chainFrom: 1, chainTo: 3 }, groups).map(nameOf)).toEqual(['10', '11', '12', '13']);
  expect(restingChains({ chainFrom: 1, chainTo: 1 }, groups).map(nameOf)).toEqual([
    ...['00', '22', '33'],
    ...['10', '11', '12', '13'],
  ]);
});

it('finds the first block of each chain that rests on a block, at any height', async () => {
  const ledger = new Ledger();
  for (const to of [1, 2, 1, 3]) ledger.mine(0, to);
  const block = ledger.mine(0, 2);
  expect(await restingOnAll(ledger, block)).toEqual([]);
  const carrying = [0, 1, 2].map((to) => ledger.mine(0, to));
  // Later ones of the same chains, and one of another group, which cannot name it.
  for (const to of [0, 1, 2]) ledger.mine(0, to);
  ledger.mine(2, 2);
  const found = await restingOnAll(ledger, block);
  expect(found.map(({ block: { hash } }) => hash)).toEqual(carrying.map(({ hash }) => hash));
  expect(found.map(({ isDirect }) => isDirect)).toEqual([true, true, true]);
});

it('tells a block that rests on it through a later one of its chain', async () => {
  const ledger = new Ledger();
  const block = ledger.mine(1, 1);
  ledger.mine(1, 1);
  const [of1, of3] = [ledger.mine(1, 2), ledger.mine(3, 3)];
  const found = await restingOnAll(ledger, block);
  expect(found.map(({ block: { hash }, isDirect }) => [hash, isDirect])).toEqual([
    [of3.hash, false],
    [expect.any(String), true],
    [of1.hash, false],
  ]);
});

it('passes over blocks that were made beside it', async () => {
  const ledger = new Ledger();
  const before = ledger.mine(0, 1);
  const block = ledger.mine(0, 2);
  const beside = { ...ledger.mine(0, 1), deps: before.deps };
  ledger.blocks[ledger.blocks.length - 1] = beside;
  const after = ledger.mine(0, 1);
  expect((await restingOn(ledger, block, { chainFrom: 0, chainTo: 1 }, groups))?.block.hash).toBe(after.hash);
});

it('finds what rests on a genesis block, which rests on none', async () => {
  const ledger = new Ledger();
  const genesis = { ...ledger.blocks[6]!, deps: Array<string>(2 * groups - 1).fill('0'.repeat(64)) };
  ledger.blocks[6] = genesis;
  const first = ledger.mine(1, 0);
  expect((await restingOnAll(ledger, genesis)).map(({ block: { hash } }) => hash)).toEqual([first.hash]);
});
