import { describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, connect, type AddressInfo, type Socket } from 'node:net';
import { type NatsConnection } from '@nats-io/transport-node';
import { gatherWrites } from './socket.js';

const connected = async (): Promise<{ readonly client: Socket; readonly peer: Socket; close(): void }> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [[peer]] = (await Promise.all([once(server, 'connection'), once(client, 'connect')])) as [[Socket], unknown];
  const close = (): void => {
    client.destroy();
    peer.destroy();
    server.close();
  };
  return { client, peer, close };
};

describe('gatherWrites', () => {
  it('combines the writes of each event-loop tick into one, in order', async () => {
    const { client, peer, close } = await connected();
    try {
      const connection = { protocol: { transport: { socket: client } } } as unknown as NatsConnection;
      const parts: string[] = [];
      peer.on('data', (data: Buffer) => parts.push(data.toString()));
      for (const text of ['a', 'b', 'c']) {
        gatherWrites(connection);
        client.write(text);
        await Promise.resolve();
      }
      expect(client.bytesWritten).toBe(3); // as the stream counts: what is corked, too
      expect(client.writableLength).toBe(3);
      await once(peer, 'data');
      expect(parts).toEqual(['abc']);
      expect(client.writableCorked).toBe(0);
      gatherWrites(connection);
      client.write('d');
      await once(peer, 'data');
      expect(parts).toEqual(['abc', 'd']);
    } finally {
      close();
    }
  });

  it('ignores a connection without a socket', () => {
    expect(() => gatherWrites({} as NatsConnection)).not.toThrow();
  });
});
