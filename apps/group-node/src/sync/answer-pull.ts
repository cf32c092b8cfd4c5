import { type PullReply, type PullRequest } from '@shardnode/messages';
import { type DagNode, hashesAfterLocator } from '@shardnode/protocol/dag';
import { type GroupState } from '../view/group-state.js';
import { importRoles, roleOf } from '../dag/roles.js';
import { type GroupStore } from '../store/index.js';

/** Bytes of a page, unless its first height alone has more: below the default limit of the message bus. */
const pageBytes = 700_000;

interface HeightOfPage {
  readonly canonical: DagNode;
  readonly items: readonly Uint8Array[];
}

/** As many whole heights as fit. */
const withinBudget = (heights: readonly HeightOfPage[]): HeightOfPage[] => {
  const page: HeightOfPage[] = [];
  let bytes = 0;
  for (const height of heights) {
    bytes += height.items.reduce((sum, item) => sum + item.length, 0);
    if (page.length > 0 && bytes > pageBytes) break;
    page.push(height);
  }
  return page;
};

/**
 * Serves `read.sync.pull` (protocol 03 §12.5): every branch above the last common height, ascending, whole heights, in
 * the form that the sender requests. A node without the bodies that the sender needs returns nothing. Only stored
 * blocks are returned.
 */
export const answerPull = async (
  state: GroupState,
  store: GroupStore,
  request: PullRequest,
): Promise<Omit<PullReply, 'sentAt'>> => {
  const { settings, group, memory } = state;
  const { published } = memory;
  const { chain, asker, locator } = request;
  const { form } = importRoles[roleOf(chain, asker, settings.groups)];
  const kind = form === 'block' ? 'blocks' : 'headers';
  const maxHeight = published.maxHeight(chain);
  if (kind === 'blocks' && roleOf(chain, group, settings.groups) === 'foreign') {
    return { items: [], kind, maxHeight, more: false };
  }
  const nodes = await memory.loaded(() =>
    hashesAfterLocator(published, chain, locator).flatMap((hash) =>
      published.has(hash) ? [published.node(hash)] : [],
    ),
  );
  const bodies = kind === 'blocks' ? await store.blockBodies(nodes.map(({ hash }) => hash)) : undefined;
  const heights = new Map<number, { canonical: DagNode; items: Uint8Array[] }>();
  for (const node of nodes) {
    const { hash, header, height } = node;
    const item = bodies ? bodies.get(hash) : header.raw;
    if (!item) continue;
    const entry = heights.get(height) ?? { canonical: node, items: [] };
    entry.items.push(item);
    heights.set(height, entry);
  }
  const page = withinBudget([...heights.values()]);
  const last = page.at(-1)?.canonical;
  const more = last !== undefined && last.height < maxHeight;
  return { items: page.flatMap(({ items }) => items), kind, maxHeight, more, last: last?.hash };
};
