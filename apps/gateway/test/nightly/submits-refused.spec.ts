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
import { type GatewayConfiguration } from '../../src/index.js';
import { startFakeNetwork, type FakeNetwork } from '../fakes/fake-network.js';

const unsignedTx =
  '00040080004e20c1174876e8000137a444479fa782e8b88d4f95e28b3b2417e5bc30d33a5ae8486d4a8885b82b224259c1e6000381818e63bd9e35a5489b52a430accefc608fd60aa2c7c0d1b393b5239aedf6b002c40de0b6b3a7640000003388bf9e9f790f1b598910e40c96d3def81465a66b30477b6650ec9ba28b590c00000000000000000000c6d3c20de6fb3cb00f000000bee85f379545a2ed9f6cceb331288842f378cf0f04012ad4ac8824aae7d6f80a00000000000000000000';
const signature =
  '0e6f0e113692e59a6aebdae933ad515699fc9d8e1141e45757bc142f9fc111db1d56cb526fe46895e558fc1514df57628aa6ee6a7d64bd5bae1888d19f10e817';
/** The same transaction with an input of another group: hints that follow each other lead anywhere. */
const spending = (turn: number): string => {
  const unsigned = decode(unsignedTransactionCodec, hexToBytes(unsignedTx));
  const [{ outputReference, ...input }] = unsigned.inputs as [(typeof unsigned.inputs)[number]];
  const inputs = [{ ...input, outputReference: { ...outputReference, hint: outputReference.hint + 2 * turn } }];
  return bytesToHex(encode(unsignedTransactionCodec, { ...unsigned, inputs }));
};

/** Submits that break off; more than four groups have room for when they have just said that they have none. */
const broken = 900;

describe('submits that nobody has time for', () => {
  let network: FakeNetwork;
  let now = 0;
  const asked: number[] = [];
  const key = 'k'.repeat(32);
  const start = async (configuration: Partial<GatewayConfiguration> = {}) => {
    network = await startFakeNetwork(
      { apiKey: key, ...configuration },
      { clock: { ...systemClock, monotonic: () => now } },
    );
    network.groups['command.mempool.submit'] = (_request, group) => {
      asked.push(group);
      throw queueFull(group);
    };
  };
  beforeEach(() => {
    now = 0;
    asked.length = 0;
    return start();
  });
  afterEach(() => network.stop());

  const submit = (
    turn: number,
    headers: Record<string, string> = { 'x-api-key': key },
    path = '/transactions/submit',
  ) => network.send('POST', path, { unsignedTx: spending(turn), signature }, headers);
  const lessonIn = ({ headers }: { headers: Headers }): [string, string][] =>
    [...headers].filter(([name]) => !['date', 'x-request-id', 'content-length'].includes(name));
  /** Every group has said that it has no time. */
  const fill = async () => {
    let last = await submit(0);
    for (let turn = 1; new Set(asked).size < 4; turn++) last = await submit(turn);
    return last;
  };

  it('are refused as a group would refuse them, with the names of all, before they are read', async () => {
    const usual = await fill();
    expect([usual.status, usual.body.detail]).toEqual([
      503,
      expect.stringMatching(/^Group \d has more work than can be done in time:/),
    ]);
    const before = asked.length;
    const unread = await submit(0);
    expect([unread.status, unread.text]).toEqual([
      503,
      '{"detail":"Groups 0, 1, 2, 3 have more work than can be done in time: nothing was done, ask again in 1 s"}',
    ]);
    expect(lessonIn(unread)).toEqual(lessonIn(usual));
    expect(unread.headers.get('retry-after')).toBe('1');
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

  it('are read again when one group may have time', async () => {
    await fill();
    now = 10_000;
    const before = asked.length;
    expect((await submit(0)).body.detail).toMatch(/^Group \d has more work than can be done in time:/);
    expect(asked).toHaveLength(before + 1);
  });

  it('are counted while they are read only: neither those that were read nor those that broke off keep others out', async () => {
    await fill();
    now = 10_000;
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
    /** What a group has said is not believed any more. */
    const isRefusedUnread = async (): Promise<boolean> => {
      now += 1_000;
      return ((await submit(0)).body.detail as string).includes('Groups 0, 1, 2, 3');
    };
    // As many are being read as all groups together have room for.
    expect(await isRefusedUnread()).toBe(true);
    for (const socket of sockets) socket.destroy();
    // The first ones that are read make the window of their group smaller, while the last sockets still close.
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
    expect((await submit(0, {})).status).toBe(401);
    expect((await submit(0, { 'x-api-key': key }, '/transactions/submits')).status).toBe(404);
    const decoded = await network.send(
      'POST',
      '/transactions/decode-unsigned-tx',
      { unsignedTx },
      { 'x-api-key': key },
    );
    expect(decoded.status).toBe(200);
  });
});
