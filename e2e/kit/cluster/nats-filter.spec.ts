import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { connect, type NatsConnection, type RequestError } from '@nats-io/transport-node';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startNats, type ServerProcess } from '@shardnode/core/servers';
import { describeWithServers } from '@shardnode/testing/servers';
import { waitFor } from '../wait-for.js';
import { FaultProxy, requireHit } from './fault-proxy.js';
import { NatsFrameReader } from './nats-frames.js';

describe('frames of NATS', () => {
  const text =
    'INFO {"a":1}\r\nMSG a.b 1 5\r\nhello\r\nHMSG c 2 reply 12 14\r\nNATS/1.0\r\n\r\nhi\r\nPING\r\nPUB x 0\r\n\r\nPUB y in 4\r\n\r\nzz\r\n';
  const expected = [
    ['INFO', undefined],
    ['MSG', 'a.b'],
    ['HMSG', 'c'],
    ['PING', undefined],
    ['PUB', 'x'],
    ['PUB', 'y'],
  ];

  it.each([1, 2, 3, 7, 1_000])('are whole however the bytes are cut: into %i', (size) => {
    const reader = new NatsFrameReader();
    const bytes = Buffer.from(text);
    const frames = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
      reader.push(bytes.subarray(i * size, (i + 1) * size)),
    ).flat();
    expect(frames.map(({ verb, subject }) => [verb, subject])).toEqual(expected);
    expect(Buffer.concat(frames.map(({ bytes: part }) => part)).toString()).toBe(text);
  });
});

describeWithServers(['nats'], 'a fault proxy before NATS', () => {
  let folder: string;
  let nats: ServerProcess;
  let proxy: FaultProxy;
  let direct: NatsConnection;
  let through: NatsConnection;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'shardnode-kit-'));
    nats = await startNats({ folder: join(folder, 'nats') });
    proxy = await FaultProxy.open('test to nats', nats.port, 'nats');
    direct = await connect({ servers: nats.url });
    through = await connect({
      servers: `nats://127.0.0.1:${proxy.port}`,
      maxReconnectAttempts: -1,
      reconnectTimeWait: 20,
    });
  });
  afterEach(() => proxy.heal());
  afterAll(async () => {
    await through?.close();
    await direct?.close();
    await proxy?.close();
    await nats?.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Sends numbers through the proxy or towards it, and gives those that arrive. */
  const numbersThatArrive = async (from: NatsConnection, to: NatsConnection, count: number): Promise<number[]> => {
    const arrived: number[] = [];
    const subscription = to.subscribe('numbers', {
      callback: (_, message) => void arrived.push(Number(message.string())),
    });
    await to.flush();
    for (let i = 0; i < count; i++) from.publish('numbers', String(i));
    await from.flush();
    await to.flush();
    await pause(60);
    subscription.unsubscribe();
    return arrived;
  };
  const all = Array.from({ length: 300 }, (_, i) => i);

  it('passes all messages, large ones too', async () => {
    expect(await numbersThatArrive(through, direct, 300)).toEqual(all);
    expect(await numbersThatArrive(direct, through, 300)).toEqual(all);
    const large = new Uint8Array(5_000_000).fill(7);
    direct.subscribe('large', { max: 1, callback: (_, message) => void message.respond(message.data) });
    await direct.flush();
    const answer = await through.request('large', large, { timeout: 10_000 });
    expect(Buffer.compare(answer.data, large)).toBe(0);
  });

  it('loses the same share of messages in both directions, and no connection with them', async () => {
    proxy.lose(0.3, { seed: 5 });
    for (const [from, to] of [
      [through, direct],
      [direct, through],
    ] as const) {
      const arrived = await numbersThatArrive(from, to, 300);
      expect(arrived.length).toBeGreaterThan(170);
      expect(arrived.length).toBeLessThan(250);
      expect(arrived).toEqual([...arrived].sort((a, b) => a - b));
    }
    requireHit(proxy, 'lost');
    expect(proxy.hits.connections).toBe(1);
  });

  it('loses only what a test wants to lose', async () => {
    proxy.lose(1, { concerns: (subject) => subject !== 'numbers' });
    expect(await numbersThatArrive(through, direct, 10)).toHaveLength(10);
    await expect(through.request('nobody', '', { timeout: 100 })).rejects.toThrow();
  });

  it('repeats and reorders', async () => {
    proxy.repeat(0.2);
    const repeated = await numbersThatArrive(through, direct, 300);
    expect(repeated.length).toBeGreaterThan(330);
    expect([...new Set(repeated)]).toEqual(all);
    await proxy.heal();
    proxy.reorder(0.2);
    const reordered = await numbersThatArrive(direct, through, 300);
    expect(reordered).not.toEqual(all);
    expect([...reordered].sort((a, b) => a - b)).toEqual(all);
    requireHit(proxy, 'repeated');
    requireHit(proxy, 'reordered');
  });

  it('cut off, a client comes back by itself', async () => {
    proxy.cut();
    const failure = through.request('anything', '', { timeout: 100 }).catch((error: RequestError) => error);
    expect(await failure).toBeInstanceOf(Error);
    await proxy.heal();
    await waitFor('the client to be back', () => through.rtt().then(() => true));
  });
});
