import { describe, expect, it } from '@jest/globals';
import { authorityOf, canonicalHost, hostAdvice, httpUrl, isLoopback, ownHostNames, reachableHost } from './index.js';

describe('a host', () => {
  it.each([
    ['127.0.0.1', '127.0.0.1', true],
    ['127.255.0.9', '127.255.0.9', true],
    ['localhost', 'localhost', true],
    ['LOCALHOST', 'localhost', true],
    ['::1', '::1', true],
    ['[::1]', '::1', true],
    ['0:0:0:0:0:0:0:1', '::1', true],
    ['0000::0001', '::1', true],
    ['::ffff:127.0.0.1', '127.0.0.1', true],
    ['[::FFFF:7F00:1]', '127.0.0.1', true],
    ['::ffff:10.1.2.255', '10.1.2.255', false],
    ['::', '::', false],
    ['0:0:0:0:0:0:0:0', '::', false],
    ['0.0.0.0', '0.0.0.0', false],
    ['FD00:0:0::2', 'fd00::2', false],
    ['::1:2', '::1:2', false],
    ['::127.0.0.1', '::7f00:1', false],
    ['128.0.0.1', '128.0.0.1', false],
    ['Node.Example', 'node.example', false],
    ['localhost.example', 'localhost.example', false],
    ['127.0.0.1.example', '127.0.0.1.example', false],
    ['group_node-0', 'group_node-0', false],
  ])('%s is %s, loopback: %s', (text, canonical, loopback) => {
    expect(canonicalHost(text)).toBe(canonical);
    expect(canonicalHost(canonical)).toBe(canonical);
    expect(isLoopback(text)).toBe(loopback);
  });

  it.each([
    ...['', ' ', '*', '127.1', '127.0.0.01', '2130706433', '0x7f000001', '0', '256.0.0.1', '1.2.3.4.5', 'node.1'],
    ...['127.0.0.1:80', 'localhost:80', '[::1]:80', 'http://127.0.0.1', '[127.0.0.1]', '[localhost]', '[::1', '::1]'],
    ...['::1%lo', 'fe80::1%eth0', ':::', 'a..b', '.a', 'a.', '-a', 'a-', 'a b', 'a/b', 'user@a', 'ä.example'],
    ...['a'.repeat(64), `${'a.'.repeat(127)}a`, 'localhost\n'],
  ])('%j is none', (text) => {
    expect(canonicalHost(text)).toBeUndefined();
    expect(isLoopback(text)).toBe(false);
  });

  it.each([
    ['127.1', 'write 127.0.0.1'],
    ['[::1]:80', 'write ::1; the port goes into HEALTH_PORT'],
    ['ws://[::]:80/x', 'write ::; the port goes into HEALTH_PORT'],
    ['::1%lo', 'write it without its zone'],
    ['two words', undefined],
  ])('%j is refused with advice: %s', (text, advice) => {
    expect(hostAdvice(text, 'HEALTH_PORT')).toBe(advice);
  });
});

describe('the address of a server', () => {
  it.each([
    ['127.0.0.1', '127.0.0.1:80'],
    ['node.example', 'node.example:80'],
    ['::1', '[::1]:80'],
    ['[::1]', '[::1]:80'],
    ['fd00::2', '[fd00::2]:80'],
    ['no host', 'no host:80'],
  ])('%s: %s', (host, authority) => {
    expect(authorityOf(host, 80)).toBe(authority);
    expect(httpUrl(host, 80)).toBe(`http://${authority}`);
  });

  it.each([
    ['0.0.0.0', '127.0.0.1'],
    ['::', '127.0.0.1'],
    ['::1', '::1'],
    ['10.0.0.1', '10.0.0.1'],
  ])('%s is reached at %s', (host, reached) => {
    expect(reachableHost(host)).toBe(reached);
  });
});

describe('the names of a service', () => {
  it.each([
    ['127.0.0.1', ['127.0.0.1', 'node.example']],
    ['localhost', ['localhost', 'node.example']],
    ['0.0.0.0', ['gateway', '0.0.0.0', 'node.example']],
    ['host.internal', ['gateway', 'host.internal', 'node.example']],
  ])('on %s are %j: its own where others than this machine may call', (host, names) => {
    expect(ownHostNames('gateway', { host, hostNames: ['node.example'] })).toEqual(names);
  });
});
