import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { developmentNetwork } from '@shardnode/protocol/network';
import { MemoryNode, nextBlock } from '@shardnode/testing/memory-node';
import { embeddedStores, type EmbeddedStores } from '../support/embedded-stores.js';
import { openLoneNode } from '../support/lone-node.js';

let stores: EmbeddedStores;
beforeAll(async () => {
  stores = await embeddedStores();
});
afterAll(() => stores.remove());

/** Submits that wait for the writer at any time, and milliseconds that each of them takes. */
const load = { waiting: 50, takes: 2 };
const heights = 30;
/** Of a sibling of group 0. */
const chain = { from: 1, to: 1 };

describe('a group with more submits than it can do', () => {
  it('follows its siblings, whose blocks build on each other, without waiting for its submits each time', async () => {
    const node = await openLoneNode(await stores.store(0));
    let [ended, done] = [false, 0];
    const submits = Array.from({ length: load.waiting }, async () => {
      while (!ended) {
        await node.queue.run('admit', () => new Promise((resolve) => setTimeout(resolve, load.takes)));
        done += 1;
      }
    });
    const maker = new MemoryNode(developmentNetwork);
    const outcomes = Array.from({ length: heights }, () => {
      const { raw, header } = nextBlock(maker, chain);
      maker.importBlock(raw);
      return node.intake.accept(header.raw, 'header', { kind: 'announced', from: chain.from });
    });
    await Promise.all(outcomes);
    await node.intake.imported();
    expect(node.state.memory.dag.maxHeight(chain)).toBe(heights);
    // In the order of arrival each height would have waited for all submits.
    expect(done).toBeLessThan(load.waiting);
    ended = true;
    await Promise.all(submits);
    expect(done).toBeGreaterThanOrEqual(load.waiting);
    await node.stop();
  });
});
