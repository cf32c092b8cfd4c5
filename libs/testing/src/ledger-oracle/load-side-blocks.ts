import { type GroupClient } from '@shardnode/messages';
import { decodeBlock } from '@shardnode/protocol/block';
import { mapBounded } from './map-bounded.js';

const zero = '0'.repeat(64);

export const isNotFound = (error: unknown): boolean => (error as { readonly kind?: unknown }).kind === 'not-found';

/** The block from any node that has it; undefined if none has. */
const findBody = async (client: GroupClient, hash: string): Promise<Uint8Array | undefined> => {
  for (let node = 0; node < client.groups; node++) {
    try {
      return (await client.request(node, 'read.chain.block', { hash })).block;
    } catch (error) {
      // For foreign chains nodes store only headers, no bodies.
      if (!isNotFound(error)) throw error;
    }
  }
  return undefined;
};

/**
 * The non-canonical blocks that canonical ones depend on; they exist while forks are open. A block that no node has is
 * omitted; the oracle then reports it.
 */
export const loadSideBlocks = async (
  client: GroupClient,
  canonical: readonly Uint8Array[],
  concurrency: number,
): Promise<Uint8Array[]> => {
  const known = new Set<string>([zero]);
  const headers = (raws: readonly Uint8Array[]) =>
    raws.map((raw) => decodeBlock(raw, client.groups, { genesis: 'accepted' }).header);
  let fresh = headers(canonical);
  const side: Uint8Array[] = [];
  while (fresh.length > 0) {
    for (const { hash } of fresh) known.add(hash);
    const missing = new Set(fresh.flatMap(({ blockDeps }) => blockDeps.filter((hash) => !known.has(hash))));
    for (const hash of missing) known.add(hash);
    const found = await mapBounded([...missing], concurrency, (hash) => findBody(client, hash));
    const bodies = found.filter((body) => body !== undefined);
    side.push(...bodies);
    fresh = headers(bodies);
  }
  return side;
};
