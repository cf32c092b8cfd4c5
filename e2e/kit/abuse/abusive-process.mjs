/**
 * node abusive-process.mjs <base URL> <seconds> <own address>: all attacks at once, from an address of its own, so that
 * the server can tell it from others. Prints one line of JSON at the end: for each attack how often it was tried, and
 * which statuses came back how often.
 */
import { connect } from 'node:net';
import { setPriority } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';

// It shares the processors with the server here: on a machine of its own it would take none of the server's time.
setPriority(10);

const [baseUrl, seconds, localAddress] = process.argv.slice(2);
const { hostname: host, port } = new URL(baseUrl);
const endsAt = performance.now() + Number(seconds) * 1000;
const isOver = () => performance.now() >= endsAt;

const address = '1DrDyTr9RpRsQnDnXo2YRiPzPW4ooHX5LLoqXrqfMrpQH';
const million = 1_000_000;
const megabyte = 1024 * 1024;

const report = {};
const tried = (attack, count = 1) => {
  report[attack] ??= { tried: 0, statuses: {} };
  report[attack].tried += count;
};
const answered = (attack, status) => {
  const { statuses } = report[attack];
  statuses[status] = (statuses[status] ?? 0) + 1;
};

/** A connection that counts the statuses of what it receives; `gone` when it was closed before an answer. */
const open = (attack) => {
  const socket = connect({ host, port: Number(port), localAddress });
  let rest = '';
  let answers = 0;
  socket.setEncoding('latin1');
  socket.on('data', (part) => {
    const text = rest + part;
    let end = 0;
    for (const match of text.matchAll(/HTTP\/1\.1 (\d{3}) /g)) {
      answered(attack, match[1]);
      answers += 1;
      end = match.index + match[0].length;
    }
    rest = text.slice(Math.max(end, text.length - 12));
  });
  socket.on('error', () => undefined);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  void closed.then(() => answers === 0 && answered(attack, 'gone'));
  return { socket, closed, answers: () => answers };
};

const headOf = (method, path, headers = {}) =>
  [`${method} ${path} HTTP/1.1`, `Host: ${host}`, ...Object.entries(headers).map((pair) => pair.join(': '))].join(
    '\r\n',
  );

/** One request on a connection of its own. */
const ask = async (attack, method, path, body) => {
  tried(attack);
  const { socket, closed } = open(attack);
  const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) };
  socket.write(`${headOf(method, path, { ...length, Connection: 'close' })}\r\n\r\n`);
  if (body !== undefined) socket.write(body);
  await closed;
};

const again = async (attack) => {
  while (!isOver()) await attack();
};

/** 10,000 requests a second over 50 connections; who does not answer is not asked more. */
const flood = async () => {
  const [connectionCount, perTick, everyMs, mostPending] = [50, 2, 10, 20];
  const request = `${headOf('GET', '/infos/version')}\r\n\r\n`;
  const one = async () => {
    const { socket, closed, answers } = open('flood');
    let sent = 0;
    let isClosed = false;
    void closed.then(() => (isClosed = true));
    while (!isOver() && !isClosed) {
      if (sent - answers() < mostPending) {
        socket.write(request.repeat(perTick));
        sent += perTick;
        tried('flood', perTick);
      }
      await pause(everyMs);
    }
    socket.destroy();
  };
  await Promise.all(Array.from({ length: connectionCount }, () => again(one)));
};

/** 920 connections that send a byte a second, half of them headers, half bodies: the other attacks have the rest. */
const slow = async () => {
  const one = async (index) => {
    const attack = index % 2 === 0 ? 'slow headers' : 'slow bodies';
    tried(attack);
    const { socket, closed } = open(attack);
    socket.write(
      index % 2 === 0
        ? `${headOf('GET', '/infos/version')}\r\nX-Slow: `
        : `${headOf('POST', '/transactions/build', { 'Content-Length': 1_000 })}\r\n\r\n`,
    );
    const dripping = setInterval(() => socket.write('a'), 1_000);
    await Promise.race([closed, pause(Math.max(0, endsAt - performance.now()))]);
    clearInterval(dripping);
    socket.destroy();
    await pause(100);
  };
  await Promise.all(Array.from({ length: 920 }, (_, index) => again(() => one(index))));
};

/** 100 MB, announced or in pieces, as long as somebody reads them. */
const largeBody = async (isAnnounced) => {
  const attack = isAnnounced ? 'large bodies, announced' : 'large bodies, in pieces';
  tried(attack);
  const { socket, closed } = open(attack);
  const framing = isAnnounced ? { 'Content-Length': 100 * megabyte } : { 'Transfer-Encoding': 'chunked' };
  socket.write(`${headOf('POST', '/transactions/build', framing)}\r\n\r\n`);
  const part = Buffer.alloc(megabyte, 0x20);
  let isClosed = false;
  void closed.then(() => (isClosed = true));
  for (let sent = 0; sent < 100 && !isClosed && !isOver(); sent++) {
    if (!isAnnounced) socket.write(`${megabyte.toString(16)}\r\n`);
    const isTaken = socket.write(part);
    if (!isAnnounced) socket.write('\r\n');
    if (!isTaken) await Promise.race([closed, new Promise((resolve) => socket.once('drain', resolve)), pause(5_000)]);
  }
  if (!isAnnounced) socket.end('0\r\n\r\n');
  await Promise.race([closed, pause(2_000)]);
  socket.destroy();
};

const listOf = (item) => `[${`${item},`.repeat(million - 1)}${item}]`;
const longLists = [
  `{"fromPublicKey":"00","destinations":${listOf('1')}}`,
  `{"fromPublicKey":"00","destinations":${listOf('{}')}}`,
  listOf('[]'),
];
const deepNesting = ['['.repeat(100_000) + ']'.repeat(100_000), '{"destinations":'.repeat(100_000)];
const deepPages = [
  `/addresses/${address}/utxos?offset=2147483647&limit=5000`,
  `/addresses/${address}/utxos?offset=1000000`,
  '/blockflow/hashes?fromGroup=0&toGroup=0&height=2147483647',
  '/blockflow/blocks?fromTs=0&toTs=1800000',
  '/blockflow/blocks?fromTs=0&toTs=9007199254740991',
];

const inOrder = async (attack, values, send) => {
  for (let index = 0; !isOver(); index++) {
    await send(attack, values[index % values.length]);
    await pause(20);
  }
};
const post = (attack, body) => ask(attack, 'POST', '/transactions/build', body);
const get = (attack, path) => ask(attack, 'GET', path);

const attacks = [
  flood,
  slow,
  () => Promise.all([again(() => largeBody(true)), again(() => largeBody(false))]),
  () => Promise.all([1, 2].map(() => inOrder('long lists', longLists, post))),
  () => inOrder('deep nesting', deepNesting, post),
  () => inOrder('deep pages', deepPages, get),
];
// At its end it stops in the middle of everything, as such clients do.
await Promise.race([pause(Number(seconds) * 1000), ...attacks.map((attack) => attack())]);
process.stdout.write(`${JSON.stringify(report)}\n`, () => process.exit(0));
