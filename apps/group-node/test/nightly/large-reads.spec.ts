import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type GroupRequests } from '@shardnode/messages';
import { decodeBlock } from '@shardnode/protocol/block';
import { TestNetwork } from '../support/network.js';

type Blocks = GroupRequests['read.chain.blocks'];

describe('blocks of an interval', () => {
  let network: TestNetwork;
  const toTs = Date.now() + 3_600_000;
  const fromTs = toTs - 5_000_000;
  beforeAll(async () => {
    network = await TestNetwork.open({ mining: 'off' });
    for (let round = 0; round < 3; round++) for (const to of [0, 1, 2, 3]) await network.mine(0, to);
  });
  afterAll(() => network.close());

  const read = (request: Partial<Blocks['request']>): Promise<Blocks['reply']> =>
    network.client.request(0, 'read.chain.blocks', { fromTs, toTs, ...request });
  const bodiesOf = ({ chains }: Blocks['reply']) => chains.flatMap(({ blocks }) => blocks.map(({ block }) => block));
  const timesOf = (reply: Blocks['reply']): number[] =>
    bodiesOf(reply)
      .map((block) => Number(decodeBlock(block, 4).header.timestamp))
      .sort((a, b) => a - b);

  it.each([false, true])('are cut by time where their bytes end, with events: %s', async (withEvents) => {
    const whole = await read({ withEvents });
    const all = timesOf(whole);
    expect([all.length, whole.until]).toEqual([12, undefined]);
    const bytes = bodiesOf(whole).reduce((sum, { length }) => sum + length, 0);
    expect(await read({ withEvents, maxBytes: bytes })).toEqual(whole);
    const found: number[] = [];
    for (let from = fromTs; ;) {
      const part = await read({ fromTs: from, withEvents, maxBytes: Math.ceil(bytes / 4) });
      found.push(...timesOf(part));
      if (part.until === undefined) break;
      expect(Math.max(...timesOf(part))).toBeLessThanOrEqual(part.until);
      from = part.until + 1;
    }
    expect(found).toEqual(all);
  });

  it('are none when the first does not fit', async () => {
    const reply = await read({ maxBytes: 1 });
    expect(bodiesOf(reply)).toEqual([]);
    expect(reply.until).toBe(timesOf(await read({}))[0]! - 1);
  });
});
