import { createServer } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { limitConnections } from './connection-limits.js';

/** A connection from an address that this machine does not need to have. */
const socketFrom = (remoteAddress: string): Socket =>
  Object.defineProperty(new Socket(), 'remoteAddress', { value: remoteAddress });

describe('connections of a client', () => {
  const connect = (addresses: readonly string[]): boolean[] => {
    const server = createServer();
    limitConnections(server, 4, (address) => address === '192.0.2.1');
    return addresses.map((address) => {
      const socket = socketFrom(address);
      server.emit('connection', socket);
      return !socket.destroyed;
    });
  };

  it.each([
    ['an IPv4 address', ['192.0.2.7', '192.0.2.7', '192.0.2.7', '192.0.2.8'], [true, true, false, true]],
    ['that address in IPv6', ['192.0.2.7', '::ffff:192.0.2.7', '192.0.2.7'], [true, true, false]],
    [
      'the first half of an IPv6 address',
      ['2001:db8::1', '2001:db8::2', '2001:db8::3', '2001:db8:0:1::1'],
      [true, true, false, true],
    ],
    ['a trusted proxy', ['192.0.2.1', '192.0.2.1', '192.0.2.1'], [true, true, true]],
  ])('are counted for %s', (_what, addresses, open) => {
    expect(connect(addresses)).toEqual(open);
  });
});
