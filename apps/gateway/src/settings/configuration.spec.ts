import { describe, expect, it } from '@jest/globals';
import { readGatewaySettings } from './configuration.js';

const sentence = (shown: string, advice = ''): string =>
  `HOST must be an IP address like 127.0.0.1 or ::1, or the name of a host, not ${JSON.stringify(shown)}${advice}.`;

describe('HOST of a gateway', () => {
  it.each([
    ['127.0.0.1', '127.0.0.1'],
    ['127.0.0.2', '127.0.0.2'],
    ['localhost', 'localhost'],
    ['LocalHost', 'localhost'],
    ['::1', '::1'],
    ['[::1]', '::1'],
    ['0:0:0:0:0:0:0:1', '::1'],
    ['[0:0::0:1]', '::1'],
    ['::ffff:127.0.0.1', '127.0.0.1'],
    ['::ffff:7f00:2', '127.0.0.2'],
  ])('%s is loopback and needs no key: %s', (HOST, host) => {
    expect(readGatewaySettings({ HOST }).HOST).toBe(host);
  });

  it.each(['0.0.0.0', '::', '[::]', '::ffff:0.0.0.0', 'fd00::2', '::1:1', '::127.0.0.1', '10.0.0.1', 'node.example'])(
    '%s can be reached from outside and needs a key',
    (HOST) => {
      expect(() => readGatewaySettings({ HOST })).toThrow(/^HOST \S+ can be reached from outside, so set API_KEY/);
      expect(() => readGatewaySettings({ HOST, API_KEY: 'k'.repeat(32) })).not.toThrow();
    },
  );

  it.each([
    ['127.0.0.1:8080', ': write 127.0.0.1; the port goes into PORT'],
    ['localhost:8080', ': write localhost; the port goes into PORT'],
    ['[::1]:8080', ': write ::1; the port goes into PORT'],
    [':8080', ': the port goes into PORT'],
    ['http://127.0.0.1', ': write 127.0.0.1; the port goes into PORT'],
    ['https://[::1]:8080/docs', ': write ::1; the port goes into PORT'],
    ['tcp://node.example', ': write node.example; the port goes into PORT'],
    ['127.1', ': write 127.0.0.1'],
    ['127.0.1', ': write 127.0.0.1'],
    ['2130706433', ': write 127.0.0.1'],
    ['0x7f.1', ': write 127.0.0.1'],
    ['127.0.0.010', ': write 127.0.0.8'],
    ['0', ': write 0.0.0.0'],
    ['node.example.', ': write node.example'],
    ['fe80::1%eth0', ': write it without its zone'],
    ['256.0.0.1', ''],
    ['1.2.3.4.5', ''],
    ['*', ''],
    ['two words', ''],
    ['-node', ''],
    ['[::1', ''],
    ['[127.0.0.1]', ''],
    ['::1::', ''],
  ])('%s is refused with one sentence', (HOST, advice) => {
    expect(() => readGatewaySettings({ HOST })).toThrow(
      expect.objectContaining({ name: 'ConfigurationError', problems: [sentence(HOST, advice)] }),
    );
  });
});
