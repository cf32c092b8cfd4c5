import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { seededRandom } from '@shardnode/testing/seeded-random';
import {
  groupRequests,
  type GroupRequestName,
  groupSubject,
  peerEvents,
  type PeerEventName,
  peerSubject,
  walletRequests,
  type WalletRequestName,
  walletSubject,
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
import { type z } from 'zod';
import { busNamespace as ns } from '../kit/cluster/cluster-servers.js';
import { groupNodeNames, type ProcessName } from '../kit/cluster/cluster-process.js';
import { logLines, logSummary } from '../kit/cluster/log-lines.js';
import { metricSum } from '../kit/cluster/metrics.js';
import { framed, joinRaw, type RawBus, type RawMessage, unreadable } from '../kit/cluster/raw-bus.js';
import { processNumbers, untilWritesGoOn } from '../kit/cluster/resumption.js';
import { openScenario, type Scenario } from '../kit/cluster/scenario.js';
import { describeCluster } from '../kit/deployment-under-test.js';
import { groups } from '../kit/chains.js';
import { isLong } from '../kit/network.js';
import { patience } from '../kit/patience.js';
import { waitFor } from '../kit/wait-for.js';

const seed = Number(process.env['SEED'] ?? 2026);
/** Payloads of each kind for each subject; of wallets fewer, because well-formed ones stretch keys. */
const tries = isLong ? 40 : 4;
const walletTries = isLong ? 10 : 2;
/** How often the same block comes. */
const repeats = 100;
/** Milliseconds. */
const times = { answer: 30_000, writesGoOn: 10_000 };
/** A group obeys: what the load spends next, while it waits to be mined, would be gone. */
const harmfulWhenRight: readonly GroupRequestName[] = ['command.mempool.clear'];

const isWrong =
  (form: z.ZodType) =>
  (payload: unknown): boolean =>
    !form.safeParse(payload).success;

describeCluster(`Poisoned messages on every subject, seed ${seed}`, () => {
  let scenario: Scenario;
  let pool: unknown[];
  let started: readonly string[];
  let began: number;
  const members = new Map<string, Promise<RawBus>>();
  const random = seededRandom(seed);
  const randomBytes = (length: number): Uint8Array => Uint8Array.from({ length }, () => Math.floor(random() * 256));

  const member = (user: string): Promise<RawBus> => {
    const known = members.get(user) ?? joinRaw(scenario.cluster, user);
    members.set(user, known);
    return known;
  };

  const metric = async (name: ProcessName, metricName: string, labels: string): Promise<number> =>
    metricSum(await scenario.cluster.process(name).metrics(), metricName, labels);
  const refusedMessages = (name: ProcessName, labels: string): Promise<number> =>
    metric(name, 'bus_messages_refused_total', labels);

  const sample = (arbitrary: fc.Arbitrary<unknown>, count: number, salt: number): unknown[] =>
    fc.sample(arbitrary, { numRuns: count, seed: seed + salt });

  /** Unreadable ones, readable ones of a wrong form, and right ones that say nonsense. */
  const messagesFor = (
    form: z.ZodType,
    sender: string,
    count: number,
    salt: number,
    isWanted: (payload: unknown) => boolean = () => true,
  ): readonly RawMessage[] => {
    const payloads = [
      'no object',
      ...sample(junkArbitrary(form, pool), count, salt),
      ...sample(payloadArbitrary(form, pool), count, salt),
    ];
    const readable = payloads
      .filter(isWanted)
      .map((payload) => framed(sender, payload))
      .filter((message) => message !== undefined);
    return [...unreadable(sender, randomBytes), ...readable];
  };

  /** Each request is answered, and never with a fault of the one that answers. */
  const expectAnswers = async (bus: RawBus, subject: string, messages: readonly RawMessage[]): Promise<number> => {
    const answers = await Promise.all(messages.map((message) => bus.request(subject, message, patience(times.answer))));
    // Followers of the feed get the codes of protocol 09 §2 in place of kinds.
    const faults = answers.filter(
      (answer) => answer === undefined || ['broken', 'Internal'].includes(answer.errorKind),
    );
    expect({ subject, faults }).toEqual({ subject, faults: [] });
    return answers.filter((answer) => ['invalid-request', 'InvalidRequest'].includes(answer?.errorKind ?? '')).length;
  };

  const expectAllIsWell = async (what: string): Promise<void> => {
    const milliseconds = await untilWritesGoOn(scenario, patience(times.writesGoOn));
    process.stderr.write(`${what}: transfers of all groups after ${milliseconds.toFixed(0)} ms\n`);
    expect(processNumbers(scenario)).toEqual(started);
    expect(scenario.load.defects).toEqual([]);
  };

  beforeAll(async () => {
    scenario = await openScenario('Poisoned messages', { load: { sendersPerGroup: 1, everyMs: 50 } });
    pool = await poisonPool();
    started = processNumbers(scenario);
    began = performance.now();
    scenario.load.begin();
  });
  afterAll(async () => {
    await Promise.all([...members.values()].map(async (bus) => (await bus).close()));
    await scenario?.remove();
  });

  it('as requests to each group: every one is answered, none with a fault, and each kind is counted', async () => {
    let [sent, invalid] = [0, 0];
    for (const [index, name] of (Object.keys(groupRequests) as GroupRequestName[]).entries()) {
      const { schema, senders } = groupRequests[name];
      await Promise.all(
        groups.map(async (group) => {
          // All who may send it take turns.
          const service = senders[group % senders.length]!;
          const user = service === 'group-node' ? `group-node-${(group + 1) % groups.length}` : service;
          const bus = await member(user);
          const form = schema.schemaFor(groups.length);
          const wanted = harmfulWhenRight.includes(name) ? isWrong(form) : () => true;
          const messages = messagesFor(form, user, tries, index * 10 + group, wanted);
          sent += messages.length;
          const refused = await expectAnswers(bus, groupSubject(ns, group, name), messages);
          invalid += refused;
          const counted = (reason: string): Promise<number> =>
            refusedMessages(groupNodeNames[group]!, `subject="${name}",reason="${reason}"`);
          expect(await counted('undecodable')).toBeGreaterThan(10);
          expect(await counted('schema')).toBeGreaterThan(0);
        }),
      );
    }
    process.stderr.write(`${sent} poisoned requests to groups, ${invalid} of them refused by their form\n`);
    expect(invalid).toBeGreaterThan(Object.keys(groupRequests).length * groups.length * 12);
    await expectAllIsWell('after poisoned requests');
  });

  it('as requests to the wallet-service', async () => {
    const bus = await member('gateway');
    for (const [index, name] of (Object.keys(walletRequests) as WalletRequestName[]).entries()) {
      const form = walletRequests[name].schema.schemaFor(groups.length);
      await expectAnswers(bus, walletSubject(ns, name), messagesFor(form, 'gateway', walletTries, index));
      const labels = `subject="wallet.${name}",reason="undecodable"`;
      expect(await refusedMessages('wallet-service', labels)).toBeGreaterThan(10);
    }
    const { status } = await scenario.api.send('POST', '/wallets', { body: { walletName: 'good', password: 'a b c' } });
    expect(status).toBe(200);
  });

  it('as events, on every subject of the table: dropped and counted; and nobody may speak for another group', async () => {
    for (const [index, event] of (Object.keys(peerEvents) as PeerEventName[]).entries()) {
      const form = peerEvents[event].schema.schemaFor(groups.length);
      for (const from of groups) {
        const user = `group-node-${from}`;
        const bus = await member(user);
        const chains = event === 'peer.tips' ? [{ from }] : groups.map((to) => ({ from, to }));
        for (const chain of chains) {
          const subject = peerSubject(ns, { event, ...chain });
          for (const message of messagesFor(form, user, tries, index)) bus.publish(subject, message);
          // Those with the groups of the subject get through to the handler.
          for (const payload of sample(payloadArbitrary(form, pool), tries, index)) {
            bus.publish(subject, framed(user, { ...(payload as object), ...chain })!);
          }
        }
        const liar = peerSubject(ns, { event, from: (from + 1) % groups.length, to: from });
        bus.publish(liar, framed(`group-node-${(from + 1) % groups.length}`, {})!);
        await bus.flush();
      }
      for (const name of groupNodeNames) {
        for (const reason of ['undecodable', 'schema']) {
          const labels = `subject="${event}",reason="${reason}"`;
          await waitFor(`${name} to count ${labels}`, async () => (await refusedMessages(name, labels)) > 0);
        }
      }
    }
    const liars = await Promise.all(groups.map((from) => member(`group-node-${from}`)));
    await waitFor('the server to refuse each liar', () =>
      liars.every(({ refused }) => refused.length >= Object.keys(peerEvents).length),
    );
    await expectAllIsWell('after poisoned events');
  });

  it('blocks that are well-formed: refused by the rule that they break, counted each time', async () => {
    const good = new MemoryNode(developmentNetwork);
    const foreign = nextBlock(good, { from: 1, to: 0 });
    const announce = async (from: number, to: number, block: Block, event: PeerEventName = 'peer.block') => {
      const bus = await member(`group-node-${from}`);
      const payload = event === 'peer.block' ? { block: block.raw } : { header: block.header.raw };
      const message = framed(bus.user, { from, to, ...payload })!;
      for (let i = 0; i < repeats; i++) bus.publish(peerSubject(ns, { event, from, to }), message);
      await bus.flush();
    };
    const cases: readonly [rule: string, taker: number, act: () => Promise<void>][] = [
      ['InvalidSender', 0, () => announce(2, 0, foreign)],
      ['InvalidSender', 1, () => announce(2, 0, nextBlock(good, { from: 3, to: 0 }), 'peer.header')],
      [
        'InvalidNetworkId',
        0,
        () => announce(3, 0, chainBlock({ from: 3, to: 0 }, { ...developmentNetwork, networkId: 7 })),
      ],
      ['InvalidPoW', 0, () => announce(2, 0, chainBlock({ from: 2, to: 0 }, undefined, withBadWork))],
      ['Undecodable', 0, () => announce(2, 0, { ...foreign, raw: foreign.raw.slice(0, -1) })],
    ];
    for (const [rule, taker, act] of cases) {
      const counted = (): Promise<number> =>
        metric(groupNodeNames[taker]!, 'group_node_blocks_refused_total', `rule="${rule}"`);
      const before = await counted();
      await act();
      await waitFor(`${repeats} blocks refused by ${rule}`, async () => (await counted()) >= before + repeats);
      expect({ rule, count: (await counted()) - before }).toEqual({ rule, count: repeats });
    }
    const operator = await member('operator');
    const wrongState = framed('operator', { block: withBadStateHash().raw })!;
    const answer = await operator.request(groupSubject(ns, 0, 'command.block.submit'), wrongState, times.answer);
    expect(answer).toMatchObject({ errorKind: 'refused', text: expect.stringContaining('InvalidDepStateHash') });
    await expectAllIsWell('after bad blocks');
  });

  it('are logged once for each kind and sender, and in the end nothing is lost and nothing doubled', async () => {
    const minutes = Math.ceil((performance.now() - began) / 60_000) + 1;
    for (const process of scenario.cluster.processes) {
      const counts = new Map<string, number>();
      for (const { msg, pattern, reason, reasons, sender, source, from, refusal } of logLines(process)) {
        const key = JSON.stringify([msg, pattern, reason, reasons, sender, source, from, refusal]);
        counts.set(key, (counts.get(key) ?? 0) + 1);
      }
      expect([...counts].filter(([, count]) => count > minutes)).toEqual([]);
    }
    process.stderr.write(`${logSummary(scenario.cluster)}\n`);
    await scenario.finish();
  });
});
