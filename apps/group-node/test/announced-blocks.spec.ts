import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type FeedEvents, type PeerEvents } from '@shardnode/messages';
import { decodeBlock } from '@shardnode/protocol/block';
import { developmentNetwork } from '@shardnode/protocol/network';
import { MemoryNode, nextBlock } from '@shardnode/testing/memory-node';
import { embeddedStores, type EmbeddedStores } from './support/embedded-stores.js';
import { openLoneNode } from './support/lone-node.js';

const settings = developmentNetwork;
let stores: EmbeddedStores;
beforeAll(async () => {
  stores = await embeddedStores();
});
afterAll(() => stores.remove());

describe('what clients are told of (protocol 07 §18)', () => {
  it('every block of the own chains once it is stored, canonical or not, and no other', async () => {
    const told: FeedEvents['feed.block'][] = [];
    const siblings: Partial<PeerEvents['peer.block'] & PeerEvents['peer.header']>[] = [];
    const publish = (name: string, payload: unknown): void => {
      if (name === 'feed.block') told.push(payload as FeedEvents['feed.block']);
      if (name === 'peer.block' || name === 'peer.header') siblings.push(payload as (typeof siblings)[0]);
    };
    const node = await openLoneNode(await stores.store(0), settings, { publish });
    const maker = new MemoryNode(settings);
    const first = nextBlock(maker, { from: 0, to: 0 });
    const rival = nextBlock(maker, { from: 0, to: 0 }, { timestamp: first.header.timestamp + 5n });
    const outgoing = nextBlock(maker, { from: 0, to: 3 });
    const incoming = nextBlock(maker, { from: 2, to: 0 });
    const given = [first, rival, outgoing, incoming, first];
    const outcomes: string[] = [];
    for (const { raw, header } of given) {
      const { from } = header.chainIndex;
      const source = from === 0 ? ({ kind: 'submitted' } as const) : ({ kind: 'announced', from } as const);
      outcomes.push((await node.intake.accept(raw, 'block', source)).kind);
    }
    expect(outcomes).toEqual(['added', 'added', 'added', 'added', 'known']);
    await node.settle();
    const hashes = told.map(({ block }) => decodeBlock(block, settings.groups).header.hash);
    expect(hashes.sort()).toEqual([first, rival, outgoing].map(({ header }) => header.hash).sort());
    expect(told.map(({ from, to, height }) => [from, to, height]).sort()).toEqual([
      [0, 0, 1],
      [0, 0, 1],
      [0, 3, 1],
    ]);
    expect(node.state.memory.published.hashesAt({ from: 0, to: 0 }, 1)).toHaveLength(2);
    // The body goes to the second holder of the chain, the header to the other siblings (protocol 03 §12.3).
    const ofSiblings = [first, rival, outgoing].flatMap(({ raw, header }) => [
      { ...header.chainIndex, block: raw },
      { ...header.chainIndex, header: header.raw },
    ]);
    expect(siblings).toHaveLength(6);
    expect(siblings).toEqual(expect.arrayContaining(ofSiblings));
    // Nor is a block imported a second time that waited for the writer while another copy was imported.
    const again = { header: first.header, block: first, role: 'own', origin: 'received' } as const;
    expect(await node.importer.import(again)).toEqual({ kind: 'known' });
    await node.stop();
  });
});
