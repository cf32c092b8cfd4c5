import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { resetConnection } from './reset-connection.js';

describe('a reset of a connection', () => {
  let server: Server;
  let near: Socket;
  let far: Socket;
  const errors: string[] = [];
  beforeEach(async () => {
    errors.length = 0;
    server = createServer({ allowHalfOpen: true });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    near = connect((server.address() as AddressInfo).port, '127.0.0.1');
    const [[accepted]] = await Promise.all([once(server, 'connection'), once(near, 'connect')]);
    far = accepted as Socket;
    near.on('error', (error) => errors.push(`near: ${error.message}`));
    far.on('error', (error) => errors.push(`far: ${error.message}`));
  });
  afterEach(async () => {
    far.destroy();
    await new Promise((resolve) => server.close(resolve));
  });

  it('is felt by the other side', async () => {
    resetConnection(near);
    await Promise.all([once(near, 'close'), new Promise((resolve) => far.once('close', resolve).resume())]);
    expect(errors).toEqual(['far: read ECONNRESET']);
  });

  it('closes one whose own end is under way', async () => {
    const closed = once(near, 'close');
    near.end('last words');
    resetConnection(near);
    await closed;
    expect(errors.filter((text) => text.startsWith('near'))).toEqual([]);
  });

  it('of one that has closed does nothing', async () => {
    near.destroy();
    await once(near, 'close');
    resetConnection(near);
    expect(errors).toEqual([]);
  });
});
