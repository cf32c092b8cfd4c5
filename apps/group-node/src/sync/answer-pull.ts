import { type PullReply, type PullRequest } from '@shardnode/messages';
import { hashesAfterLocator } from '@shardnode/protocol/dag';
import { type Hash } from '@shardnode/protocol/primitives';
import { type GroupState } from '../view/group-state.js';
import { importRoles, roleOf } from '../dag/roles.js';
import { type GroupStore } from '../store/index.js';

/** Bytes of a page, unless its first height alone has more: below the default limit of the message bus. */
const pageBytes = 700_000;

interface HeightOfPage {
  readonly canonical: Hash;
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
  const hashes = hashesAfterLocator(published, chain, locator).filter((hash) => published.has(hash));
  const bodies = kind === 'blocks' ? await store.blockBodies(hashes) : undefined;
  const heights = new Map<number, { canonical: Hash; items: Uint8Array[] }>();
  for (const hash of hashes) {
    const { header, height } = published.node(hash);
    const item = bodies ? bodies.get(hash) : header.raw;
    if (!item) continue;
    const entry = heights.get(height) ?? { canonical: hash, items: [] };
    entry.items.push(item);
    heights.set(height, entry);
  }
  const page = withinBudget([...heights.values()]);
  const last = page.at(-1)?.canonical;
  const lastHeight = last === undefined ? maxHeight : published.height(last);
  return { items: page.flatMap(({ items }) => items), kind, maxHeight, more: lastHeight < maxHeight, last };
};
