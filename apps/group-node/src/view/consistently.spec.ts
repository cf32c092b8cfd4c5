import { describe, expect, it } from '@jest/globals';
import { type NodeReads } from './reads.js';
import { type ShownView } from './shown-view.js';
import { consistently } from './address-outputs.js';

type Reads = Parameters<typeof consistently>[0];

const view = (base: string): ShownView => ({ base }) as unknown as ShownView;

const nodeThatShows = (shown: ShownView): { readonly node: Reads; show: (next: ShownView) => void } => {
  const state = { shown } as unknown as NodeReads['state'];
  const importer = { isCommitting: false, settled: async () => undefined } as unknown as NodeReads['importer'];
  return { node: { state, importer } as unknown as Reads, show: (next) => Object.assign(state, { shown: next }) };
};

describe('a read of the projection with the view in front of it', () => {
  it('runs once while nothing moves', async () => {
    const { node } = nodeThatShows(view('a'));
    let reads = 0;
    expect(await consistently(node, async () => ++reads)).toBe(1);
  });

  it.each([
    ['a block between groups, over the same base', 'a'],
    ['an intra-group block, over another base', 'b'],
  ])('runs again over the new view after %s', async (_what, base) => {
    const next = view(base);
    const { node, show } = nodeThatShows(view('a'));
    const seen: ShownView[] = [];
    const result = await consistently(node, async (shown) => {
      seen.push(shown);
      if (seen.length === 1) show(next);
      return shown;
    });
    expect(result).toBe(next);
    expect(seen).toHaveLength(2);
  });

  it('ends when the view moves at every read', async () => {
    const { node, show } = nodeThatShows(view('a'));
    let reads = 0;
    await consistently(node, async () => {
      reads += 1;
      show(view('a'));
    });
    expect(reads).toBe(5);
  });
});
