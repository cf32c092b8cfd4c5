import { createServer, type AddressInfo, type Server } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { ConfigurationError } from '../configuration/index.js';
import { DatabaseError } from '../database/database-error.js';
import { silentLogger } from '../observability/index.js';
import {
  isDatabaseAway,
  natsAnswers,
  reasonOf,
  redisAnswers,
  StartFailure,
  startFailureText,
  StopAsked,
  waitForServer,
} from './index.js';

const refused = (): Error => Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), { code: 'ECONNREFUSED' });
const options = { server: 'NATS', setting: 'NATS_URL', logger: silentLogger };

describe('waiting for a server', () => {
  it('ends when the server answers, and logs the wait until then', async () => {
    const lines: { server?: string; reason?: string; msg?: string }[] = [];
    const logger = pino({}, { write: (line) => void lines.push(JSON.parse(line) as object) });
    let attempts = 0;
    const attempt = async (): Promise<string> => {
      if (++attempts < 3) throw refused();
      return 'here';
    };
    expect(await waitForServer(attempt, { ...options, logger, logEveryMs: 1 })).toBe('here');
    expect(lines.length).toBeGreaterThan(0);
    expect(lines[0]).toMatchObject({ server: 'NATS', reason: refused().message, msg: 'waiting for a server' });
  });

  it('gives up with one sentence that names the variable', async () => {
    const waiting = waitForServer(() => Promise.reject(refused()), { ...options, patienceMs: 0 });
    await expect(waiting).rejects.toThrow(
      'NATS does not answer, 0 s long (connect ECONNREFUSED 127.0.0.1:1); start it, or say with NATS_URL where it is.',
    );
    await expect(waiting).rejects.toBeInstanceOf(StartFailure);
  });

  it('does not wait for a server that refuses', async () => {
    const refusal = new DatabaseError('AccessRefused', 'It refuses.', 'Look.');
    await expect(waitForServer(() => Promise.reject(refusal), { ...options, isAway: isDatabaseAway })).rejects.toBe(
      refusal,
    );
    await expect(
      waitForServer(() => Promise.reject(new Error('no')), { ...options, isAway: isDatabaseAway }),
    ).rejects.toThrow('NATS refuses this service (no); check NATS_URL.');
    expect(isDatabaseAway(new DatabaseError('Unreachable', 'Away.', 'Start it.'))).toBe(true);
  });

  it('ends at once when the process is asked to stop', async () => {
    const controller = new AbortController();
    const waiting = waitForServer(() => Promise.reject(refused()), { ...options, signal: controller.signal });
    controller.abort(new StopAsked());
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('names the first of several failures', () => {
    expect(reasonOf(new AggregateError([refused(), new Error('b')]))).toBe(refused().message);
    expect(reasonOf(Object.assign(new Error(''), { code: 'ECONNREFUSED' }))).toBe('ECONNREFUSED');
    expect(reasonOf(new DatabaseError('Unreachable', 'It is away.', 'Start it.'))).toBe('It is away');
  });
});

describe('the server at an address', () => {
  let server: Server | undefined;
  const listening = async (greeting: string, answer = ''): Promise<string> => {
    server = createServer((socket) => {
      if (greeting !== '') socket.write(greeting);
      socket.on('data', () => socket.write(answer));
      socket.on('error', () => undefined);
    });
    await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
    return `127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  afterEach(() => void server?.close());

  it('is NATS if one of several addresses sends INFO', async () => {
    const place = await listening('INFO {}\r\n');
    await natsAnswers(['nats://127.0.0.1:1', `nats://${place}`]);
    await expect(natsAnswers(['nats://127.0.0.1:1'])).rejects.toThrow('ECONNREFUSED');
  });

  it('is not NATS if it sends anything else', async () => {
    const place = await listening('220 mail\r\n');
    await expect(natsAnswers([`nats://${place}`])).rejects.toThrow('something else listens there');
  });

  it('is Redis if it answers a ping, even with NOAUTH', async () => {
    const place = await listening('', '-NOAUTH Authentication required.\r\n');
    await redisAnswers(`redis://:secret@${place}/1`);
  });
});

describe('the text of a failed start', () => {
  const system = (code: string, more: object = {}) =>
    Object.assign(new Error('x'), { code, address: '127.0.0.1', port: 80, ...more });

  it.each([
    [
      'wrong settings',
      new ConfigurationError(['GROUP is not set.', 'PORT must be a number.']),
      'GROUP is not set.\nPORT must be a number.',
    ],
    ['a database', new DatabaseError('WriterExists', 'It is held.', 'Stop it.'), 'It is held. Stop it.'],
    ['a server', new StartFailure('NATS does not answer.'), 'NATS does not answer.'],
    [
      'a port',
      system('EADDRINUSE'),
      'Another program listens on 127.0.0.1:80 already; stop it, or choose another port with HEALTH_PORT.',
    ],
    [
      'a port of IPv6',
      system('EADDRINUSE', { address: '::1' }),
      'Another program listens on [::1]:80 already; stop it, or choose another port with HEALTH_PORT.',
    ],
    ...['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EINVAL'].map((code): [string, Error, string] => [
      `an interface that is not there (${code})`,
      system(code, { address: 'fd00::9', syscall: 'listen' }),
      'This machine has no interface fd00::9; set HEALTH_HOST to one that it has, for example 127.0.0.1.',
    ]),
    [
      'a name without an address',
      system('ENOTFOUND', { syscall: 'getaddrinfo', hostname: 'node.example' }),
      'The name node.example has no address on this machine; set HEALTH_HOST to one that it has, for example 127.0.0.1.',
    ],
    ['a connection of ours', system('EINVAL', { syscall: 'connect' }), undefined],
    ['a fault of ours', new Error('a bug'), undefined],
    ['another fault of ours', system('ERR_X'), undefined],
  ])('%s', (_, error, text) => {
    expect(startFailureText(error, ' with HEALTH_PORT', 'HEALTH_HOST')).toBe(text);
  });
});
