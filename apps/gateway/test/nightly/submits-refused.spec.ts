import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { systemClock } from '@shardnode/core/lifecycle';
import { openTracing } from '@shardnode/core/observability';
import { bytesToHex, decode, encode, hexToBytes } from '@shardnode/protocol/encoding';
import { unsignedTransactionCodec } from '@shardnode/protocol/transaction';
import { queueFull } from '@shardnode/messages';
import { until } from '@shardnode/testing/waiting';
import { type GatewayConfiguration } from '../../src/index.js';
import { startFakeNetwork, type FakeNetwork } from '../fakes/fake-network.js';

const unsignedTx =
  '00040080004e20c1174876e8000137a444479fa782e8b88d4f95e28b3b2417e5bc30d33a5ae8486d4a8885b82b224259c1e6000381818e63bd9e35a5489b52a430accefc608fd60aa2c7c0d1b393b5239aedf6b002c40de0b6b3a7640000003388bf9e9f790f1b598910e40c96d3def81465a66b30477b6650ec9ba28b590c00000000000000000000c6d3c20de6fb3cb00f000000bee85f379545a2ed9f6cceb331288842f378cf0f04012ad4ac8824aae7d6f80a00000000000000000000';
const signature =
  '0e6f0e113692e59a6aebdae933ad515699fc9d8e1141e45757bc142f9fc111db1d56cb526fe46895e558fc1514df57628aa6ee6a7d64bd5bae1888d19f10e817';
/** The same transaction with an input of another group, and with more bytes: hints that follow each other lead anywhere. */
const spending = (turn: number, bytes = 0): string => {
  const unsigned = decode(unsignedTransactionCodec, hexToBytes(unsignedTx));
  const [{ outputReference, ...input }] = unsigned.inputs as [(typeof unsigned.inputs)[number]];
  const inputs = [{ ...input, outputReference: { ...outputReference, hint: outputReference.hint + 2 * turn } }];
  const [{ ...output }, ...others] = unsigned.fixedOutputs as [(typeof unsigned.fixedOutputs)[number]];
  const fixedOutputs = [{ ...output, additionalData: new Uint8Array(bytes) }, ...others];
  return bytesToHex(encode(unsignedTransactionCodec, { ...unsigned, inputs, fixedOutputs }));
};

let signatures = 0;
/** Each submit has its own: a repeated one would not wait. */
const newSignature = (): string => signature.slice(0, -8) + (++signatures).toString(16).padStart(8, '0');

/** Submits that break off; more than four slow groups have room for. */
const broken = 900;
/** Bytes of a submit that counts as 32: three are more than a group may have that does very few in time. */
const large = 31 * 16_384;

describe('submits that nobody has time for', () => {
  let network: FakeNetwork;
  let now = 0;
  /** The group of each request. */
  let asked: number[] = [];
  /** Answers the requests in flight, by group. */
  let answers: (() => void)[][];
  /** Groups that refuse their next one. */
  const refusing = new Set<number>();
  let areSilent = true;
  /** What `fill` has sent. */
  let sent: Promise<{ readonly status: number }>[] = [];
  const key = 'k'.repeat(32);
  const start = async (configuration: Partial<GatewayConfiguration> = {}) => {
    network = await startFakeNetwork(
      { apiKey: key, ...configuration },
      { clock: { ...systemClock, monotonic: () => now } },
    );
    network.groups['command.mempool.submit'] = async (_request, group) => {
      asked.push(group);
      if (refusing.delete(group)) throw queueFull([group], 1);
      if (areSilent) await new Promise<void>((resolve) => answers[group]!.push(resolve));
      return { txId: 'ab'.repeat(32), fromGroup: group, toGroup: group };
    };
  };
  const answerAll = (): void => {
    areSilent = false;
    for (const answer of answers.splice(0).flat()) answer();
    answers = [[], [], [], []];
  };
  beforeEach(() => {
    now = 0;
    asked = [];
    answers = [[], [], [], []];
    areSilent = true;
    refusing.clear();
    return start();
  });
  afterEach(() => {
    answerAll();
    return network.stop();
  });

  const submit = (
    turn: number,
    { bytes = 0, headers = { 'x-api-key': key } as Record<string, string>, path = '/transactions/submit' } = {},
  ) => network.send('POST', path, { unsignedTx: spending(turn, bytes), signature: newSignature() }, headers);
  /** Turns of each group. */
  const turnsOf = async (): Promise<number[][]> => {
    const turns: number[][] = [[], [], [], []];
    areSilent = false;
    for (let turn = 1; turns.some(({ length }) => length < 1); turn++) {
      await submit(turn);
      turns[asked.at(-1)!]!.push(turn);
    }
    areSilent = true;
    return turns;
  };
  /**
   * Every group has work in flight, has answered one while another one waited, and is silent ever since: it does very few
   * in time.
   */
  const fill = async (): Promise<void> => {
    const turns = await turnsOf();
    sent = [];
    for (const [group, [turn]] of turns.entries()) {
      for (const bytes of [0, large, large, large]) {
        const before = asked.length;
        sent.push(submit(turn!, { bytes }));
        await until('it is in flight', () => asked.length > before);
      }
      refusing.add(group);
      sent.push(submit(turn!));
      await until('one waits', () => !refusing.has(group));
      answers[group]!.shift()!();
      await sent.at(-5);
    }
    now += 60_000;
  };

  it('are refused with the names of all groups before they are read', async () => {
    await fill();
    const before = asked.length;
    const unread = await submit(0);
    expect([unread.status, unread.text]).toEqual([
      503,
      '{"detail":"Groups 0, 1, 2, 3 have more work than can be done in time: nothing was done, ask again in 30 s"}',
    ]);
    expect([unread.headers.get('retry-after'), unread.headers.get('x-error-code')]).toEqual(['30', 'QueueFull']);
    const noJson = await network.send('POST', '/multisig/submit', 'no JSON', {
      'x-api-key': key,
      'x-request-id': 'mine',
    });
    expect([noJson.status, noJson.headers.get('x-request-id')]).toEqual([503, 'mine']);
    expect(asked).toHaveLength(before);
    const metrics = await (await fetch(`${network.base}/metrics`)).text();
    expect(metrics).toMatch(
      /request_duration_seconds_count\{.*method="POST",route="\/multisig\/submit",status="503"\} 1\n/,
    );
  });

  it.each([
    ['requests are counted', { rateLimit: 100_000, rateLimitKey: 100_000 }, false],
    ['requests are traced', {}, true],
    ['they are counted and traced', { rateLimit: 100_000, rateLimitKey: 100_000 }, true],
  ])('are refused before they are read while %s, too', async (_what, configuration, isTraced) => {
    await network.stop();
    const collector = createServer((request, response) => {
      request.resume();
      response.setHeader('content-type', 'application/json').end('{}');
    });
    await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
    const { port } = collector.address() as AddressInfo;
    const endpoint = isTraced ? `http://127.0.0.1:${port}` : undefined;
    const closeTracing = await openTracing({ endpoint, service: 'gateway' });
    try {
      await start(configuration);
      await fill();
      const before = asked.length;
      const refused = await network.send('POST', '/transactions/submit', 'no JSON', { 'x-api-key': key });
      expect([refused.status, refused.headers.get('x-error-code'), asked.length]).toEqual([503, 'QueueFull', before]);
    } finally {
      await closeTracing();
      collector.closeAllConnections();
      collector.close();
    }
  });

  it('are read again when the groups have answered', async () => {
    await fill();
    answerAll();
    // The one that has waited for a minute is refused.
    const statuses = (await Promise.all(sent)).map(({ status }) => status);
    expect(statuses).toEqual(Array.from({ length: 4 }, () => [200, 200, 200, 200, 503]).flat());
    expect((await submit(0)).status).toBe(200);
  });

  it('are counted while they are read only: neither those that were read nor those that broke off keep others out', async () => {
    await fill();
    answerAll();
    const { hostname, port } = new URL(network.base);
    const head = `POST /transactions/submit HTTP/1.1\r\nHost: ${hostname}\r\nX-API-KEY: ${key}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`;
    const say = (text: string): Socket => {
      const socket = connect(Number(port), hostname).on('error', () => undefined);
      socket.write(text);
      return socket;
    };
    const sockets = Array.from({ length: broken }, () => say(head));
    // Connections are taken in order: after an answer over a later one those before it have been heard.
    for (let turn = 0; turn < 2; turn++) {
      const later = say(`GET /health/live HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`);
      await once(later, 'data');
      later.destroy();
    }
    const isRefusedUnread = async (): Promise<boolean> => (await submit(0)).text.includes('Groups 0, 1, 2, 3');
    // As many are being read as all groups together have room for.
    expect(await isRefusedUnread()).toBe(true);
    for (const socket of sockets) socket.destroy();
    // The first ones are read while the last sockets still close.
    for (let readInTurn = 0; readInTurn < 10;) {
      const isRefused = await isRefusedUnread();
      readInTurn = isRefused ? 0 : readInTurn + 1;
      if (isRefused) await pause(10);
    }
    // As many again, which end as they should.
    for (let turn = 0; turn < broken; turn++) expect(await isRefusedUnread()).toBe(false);
  });

  it('are nobody else’s: keys are looked at, and whatever else is asked goes its way', async () => {
    await fill();
    expect((await submit(0, { headers: {} })).status).toBe(401);
    expect((await submit(0, { path: '/transactions/submits' })).status).toBe(404);
    const decoded = await network.send(
      'POST',
      '/transactions/decode-unsigned-tx',
      { unsignedTx },
      { 'x-api-key': key },
    );
    expect(decoded.status).toBe(200);
  });
});
