import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Bus } from '@shardnode/core/bus';
import { ServiceError } from '@shardnode/core/errors';
import { createLogger, silentLogger } from '@shardnode/core/observability';
import {
  feedRequests,
  groupRequests,
  groupSubject,
  peerEvents,
  peerSubject,
  type GroupRequestName,
  type PeerEventName,
} from '@shardnode/messages';
import { type Block } from '@shardnode/protocol/block';
import { developmentNetwork } from '@shardnode/protocol/network';
import { MemoryNode, nextBlock } from '@shardnode/testing/memory-node';
import {
  chainBlock,
  junkArbitrary,
  payloadArbitrary,
  poisonPool,
  withBadStateHash,
  withBadWork,
} from '@shardnode/testing/poison';
import { fc } from '@shardnode/testing/properties';
import { TestNetwork, until } from '../support/network.js';

const settings = developmentNetwork;
const { groups } = settings;
const ns = 'test';
const seed = 20_26;
/** Payloads of each kind for each subject. */
const tries = 25;

interface Line {
  readonly level: number;
  readonly msg: string;
  readonly service?: string;
  readonly pattern?: string;
  readonly reason?: string;
  readonly sender?: string;
  readonly source?: string;
  readonly from?: number;
  readonly refusal?: { readonly code: string };
}

const lines: Line[] = [];
let network: TestNetwork;
const members = new Map<string, Bus>();

/** A member of the bus that is who it says: what the bus checks is the sender, not the program. */
const speaker = async (service: string, member?: number): Promise<Bus> => {
  const name = `${service} ${member}`;
  const known = members.get(name);
  if (known) return known;
  const { bus } = await network.bus.join({
    sender: member === undefined ? { service } : { service, member },
    logger: silentLogger,
  });
  members.set(name, bus);
  return bus;
};

const sample = (arbitrary: fc.Arbitrary<unknown>, salt: number): unknown[] =>
  fc.sample(arbitrary, { numRuns: tries, seed: seed + salt });

const metric = async (group: number, name: string, labels: string): Promise<number> => {
  const answer = await fetch(`http://127.0.0.1:${network['services'][group]!.port}/metrics`);
  const text = await answer.text();
  return text
    .split('\n')
    .filter((line) => line.startsWith(`${name}{`) && line.includes(labels))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
};
const refusedMessages = (group: number, labels: string) => metric(group, 'bus_messages_refused_total', labels);
const refusedBlocks = (group: number, rule: string) =>
  metric(group, 'group_node_blocks_refused_total', `rule="${rule}"`);

const heightOf = async (group: number, chain: { from: number; to: number }): Promise<number> =>
  (await network.client.request(group, 'read.chain.info', chain)).currentHeight;

/** All nodes answer, and what one mines the others have. */
const expectGoodBlocksAreTaken = async (): Promise<void> => {
  await network.bus.idle();
  await network.synced();
  for (const group of network.groups) {
    const chain = { from: group, to: (group + 1) % groups };
    await network.mine(chain.from, chain.to);
    const height = await heightOf(group, chain);
    await until(`all have block ${height} of (${chain.from}, ${chain.to})`, async () =>
      (await Promise.all(network.groups.map((other) => heightOf(other, chain)))).every((other) => other === height),
    );
  }
};

beforeAll(async () => {
  const logger = createLogger({
    level: 'warn',
    destination: { write: (line: string) => void lines.push(JSON.parse(line) as Line) },
  });
  network = await TestNetwork.open({ mining: 'off', logger });
});
afterAll(() => network.close());

describe('poisoned messages', () => {
  let pool: unknown[];
  beforeAll(async () => {
    pool = await poisonPool();
  });

  it('as requests, on every subject of the table: answered with what is wrong, never with a fault', async () => {
    const names = Object.keys(groupRequests) as GroupRequestName[];
    const outcomes = new Map<string, number>();
    for (const [index, name] of names.entries()) {
      const { schema, senders, deadlineMs } = groupRequests[name];
      const form = schema.schemaFor(groups);
      // Followers get the codes of protocol 09 §2.
      const isOfFeed = Object.hasOwn(feedRequests, name);
      const bus = await speaker(senders[0]!, senders[0] === 'group-node' ? 1 : undefined);
      const payloads = [...sample(junkArbitrary(form, pool), index), ...sample(payloadArbitrary(form, pool), index)];
      await Promise.all(
        payloads.map(async (payload) => {
          const isWellFormed = form.safeParse(payload).success;
          const error = await bus
            .request(groupSubject(ns, 0, name), payload, { deadlineMs })
            .then(() => undefined)
            .catch((thrown: unknown) => thrown);
          const outcome =
            error === undefined ? 'answered' : error instanceof ServiceError ? error.kind : 'no ServiceError';
          const code = error instanceof ServiceError ? error.code : '';
          outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
          // For the reader of a failure: which request.
          expect({ name, isFault: outcome === 'broken' || outcome === 'no ServiceError', payload }).toMatchObject({
            isFault: false,
          });
          // A follower gets the same code for a wrong address.
          if (isOfFeed && isWellFormed) return;
          const isInvalid = code === (isOfFeed ? 'InvalidRequest' : 'InvalidMessage');
          expect({ name, isWellFormed, isInvalid }).toMatchObject({ isInvalid: !isWellFormed });
        }),
      );
      const stranger = await speaker('explorer-of-strangers');
      await expect(stranger.request(groupSubject(ns, 0, name), payloads.at(-1), { deadlineMs })).rejects.toMatchObject({
        code: isOfFeed ? 'Internal' : 'SenderNotPermitted',
      });
      expect(await refusedMessages(0, `subject="${name}",reason="sender"`)).toBe(1);
      if (Object.keys((form as unknown as { shape: object }).shape).length > 0) {
        expect(await refusedMessages(0, `subject="${name}",reason="schema"`)).toBeGreaterThan(5);
      }
    }
    expect(outcomes.get('invalid-request')).toBeGreaterThan(names.length * 5);
    await expectGoodBlocksAreTaken();
  }, 120_000);

  it('as events, on every subject of the table: dropped and counted', async () => {
    for (const [index, event] of (Object.keys(peerEvents) as PeerEventName[]).entries()) {
      const form = peerEvents[event].schema.schemaFor(groups);
      const payloads = [...sample(junkArbitrary(form, pool), index), ...sample(payloadArbitrary(form, pool), index)];
      const hasTo = 'to' in (form as unknown as { shape: object }).shape;
      const chains = network.groups.flatMap((from) =>
        hasTo ? network.groups.map((to): { from: number; to?: number } => ({ from, to })) : [{ from }],
      );
      for (const chain of chains) {
        const bus = await speaker('group-node', chain.from);
        const liar = await speaker('group-node', (chain.from + 1) % groups);
        const subject = peerSubject(ns, { event, ...chain });
        for (const payload of payloads) {
          bus.publish(subject, payload);
          // Well-formed ones with the groups that the subject names get through to the handler.
          if (form.safeParse(payload).success) bus.publish(subject, { ...(payload as object), ...chain });
        }
        liar.publish(subject, payloads.at(-1));
      }
      await network.bus.idle();
      const of = (reason: string): Promise<number[]> =>
        Promise.all(network.groups.map((group) => refusedMessages(group, `subject="${event}",reason="${reason}"`)));
      expect(Math.min(...(await of('sender')))).toBeGreaterThan(0);
      expect(Math.min(...(await of('schema')))).toBeGreaterThan(5);
    }
    await expectGoodBlocksAreTaken();
  }, 120_000);

  it('that are well-formed: refused by the rule that they break, counted each time', async () => {
    const good = new MemoryNode(settings);
    const times = 300;
    const foreign = nextBlock(good, { from: 1, to: 0 });
    const announce = async (
      from: number,
      to: number,
      block: Block,
      as: 'peer.block' | 'peer.header' = 'peer.block',
    ) => {
      const bus = await speaker('group-node', from);
      const payload = as === 'peer.block' ? { block: block.raw } : { header: block.header.raw };
      for (let i = 0; i < times; i++) bus.publish(peerSubject(ns, { event: as, from, to }), { from, to, ...payload });
    };
    const cases: [rule: string, group: number, act: () => Promise<void>][] = [
      // Group 2 announces to group 0 a block of chain (1, 0).
      ['InvalidSender', 0, () => announce(2, 0, foreign)],
      ['InvalidSender', 1, () => announce(2, 0, nextBlock(good, { from: 3, to: 0 }), 'peer.header')],
      ['InvalidNetworkId', 0, () => announce(3, 0, chainBlock({ from: 3, to: 0 }, { ...settings, networkId: 7 }))],
      ['InvalidPoW', 0, () => announce(2, 0, chainBlock({ from: 2, to: 0 }, undefined, withBadWork))],
      ['Undecodable', 0, () => announce(2, 0, { ...foreign, raw: foreign.raw.slice(0, -1) })],
    ];
    for (const [rule, group, act] of cases) {
      const before = await refusedBlocks(group, rule);
      await act();
      await network.bus.idle();
      expect({ rule, count: (await refusedBlocks(group, rule)) - before }).toEqual({ rule, count: times });
    }
    const wrongState = withBadStateHash();
    await expect(network.client.request(0, 'command.block.submit', { block: wrongState.raw })).rejects.toMatchObject({
      kind: 'refused',
      code: 'InvalidDepStateHash',
    });
    await expectGoodBlocksAreTaken();
  });

  it('are logged once for each kind and sender, and never as a failure of a handler', () => {
    const keyOf = ({ service, msg, pattern, reason, sender, source, from, refusal }: Line): string =>
      [service, msg, pattern, reason, sender, source, from, refusal?.code].join(' ');
    const counts = new Map<string, number>();
    for (const line of lines) counts.set(keyOf(line), (counts.get(keyOf(line)) ?? 0) + 1);
    // Twice when the test takes more than a minute.
    expect([...counts].filter(([, count]) => count > 2)).toEqual([]);
    expect(lines.length).toBeLessThan(1_500);
    expect(lines.filter(({ msg }) => !/^(message|block|transaction|tips) refused$/.test(msg))).toEqual([]);
  });
});
