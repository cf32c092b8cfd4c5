import { describe, expect, it } from '@jest/globals';
import { type SealedHeader } from '@shardnode/protocol/block';
import { HeightIndexCheck } from './height-index-check.js';
import { type ChainRow } from './model.js';

const groups = 4;
const chain = { from: 1, to: 0 };

/** A header of chain (1, 0) with this parent. */
const headerOf = (hash: string, parent: string): SealedHeader =>
  ({ hash, chainIndex: chain, blockDeps: ['x', 'x', 'x', parent, 'x', 'x', 'x'] }) as unknown as SealedHeader;

interface Row {
  readonly hash: string;
  readonly parent: string;
  readonly height: number;
  readonly weight: number;
  readonly rank: number;
  readonly hasBody?: boolean;
}

/** Two branches above b: c and d lead, e is beside c. */
const sound: readonly Row[] = [
  { hash: 'a', parent: '', height: 0, weight: 0, rank: 0 },
  { hash: 'b', parent: 'a', height: 1, weight: 1, rank: 0 },
  { hash: 'c', parent: 'b', height: 2, weight: 2, rank: 0 },
  { hash: 'e', parent: 'b', height: 2, weight: 2, rank: 1 },
  { hash: 'd', parent: 'c', height: 3, weight: 3, rank: 0 },
];

const checkOf = (rows: readonly Row[], group = 1): HeightIndexCheck => {
  const check = new HeightIndexCheck(group, groups);
  for (const { hash, parent, height, weight, rank, hasBody = true } of rows) {
    const row: ChainRow = { hash, raw: new Uint8Array(), height, weight: BigInt(weight), rank, hasBody };
    check.add(row, headerOf(hash, parent));
  }
  return check;
};
const problemsOf = (rows: readonly Row[], tips = ['d', 'e']): readonly string[] =>
  checkOf(rows).problems([{ chain, hashes: tips }]);

const changed = (hash: string, change: Partial<Row>): readonly Row[] =>
  sound.map((row) => (row.hash === hash ? { ...row, ...change } : row));

describe('the check of heights, ranks and tips', () => {
  it('finds nothing in consistent rows', () => {
    expect(problemsOf(sound)).toEqual([]);
  });

  it('wants bodies of the chains of the group alone, and none of a genesis block', () => {
    expect(problemsOf(changed('a', { hasBody: false }))).toEqual([]);
    const headersAlone = sound.map((row) => ({ ...row, hasBody: false }));
    expect(checkOf(headersAlone, 0).problems([{ chain, hashes: ['d', 'e'] }])).toEqual([]);
  });

  it('names each inconsistency', () => {
    expect(problemsOf(changed('d', { height: 4 }))).toContain(
      'block d of chain (1, 0): its height is 4, that of its parent 2',
    );
    expect(problemsOf(changed('d', { parent: 'z' }))).toContain(
      'block d of chain (1, 0): its parent is not stored before it',
    );
    expect(problemsOf(changed('b', { hasBody: false }))).toEqual(['block b of chain (1, 0): its body is missing']);
    expect(problemsOf(changed('e', { rank: 0 }))).toEqual(['height 2 of chain (1, 0): its blocks have the ranks 0, 0']);
    const swapped = changed('e', { rank: 0 }).map((row) => (row.hash === 'c' ? { ...row, rank: 1 } : row));
    expect(problemsOf(swapped)).toEqual([
      'height 2 of chain (1, 0): the block of the heaviest branch is not the first',
    ]);
    expect(problemsOf(sound, ['d'])).toEqual(['chain (1, 0): its 1 stored tips are not the 2 of its headers']);
    expect(checkOf(sound).problems([])).toEqual(['chain (1, 0): its 0 stored tips are not the 2 of its headers']);
  });

  it('counts problems above the limit of the list', () => {
    const many = Array.from({ length: 50 }, (_, i): Row => ({
      hash: `h${i}`,
      parent: 'z',
      height: i + 1,
      weight: i,
      rank: 0,
    }));
    const problems = problemsOf(many, []);
    expect(problems).toHaveLength(21);
    expect(problems.at(-1)).toMatch(/^and \d+ more$/);
  });
});
