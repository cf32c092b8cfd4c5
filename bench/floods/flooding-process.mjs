/**
 * A hostile client in a process of its own. Reads its orders from standard input (`Orders` of flooding-client.ts), floods
 * until its time is over, and prints one line of JSON: how often it tried, and which statuses came back how often.
 */
import { connect } from 'node:net';
import { setPriority } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';

// It shares the processors with the server: on a machine of its own it would take none of the server's time.
setPriority(19);

const { baseUrl, address, seconds, connections, behaviour, requests } = JSON.parse(
  Buffer.concat(await process.stdin.toArray()).toString('utf8'),
);
const { hostname: host, port } = new URL(baseUrl);
const endsAt = performance.now() + seconds * 1000;
const isOver = () => performance.now() >= endsAt;
const remaining = () => pause(Math.max(0, endsAt - performance.now()));

const report = { tried: 0, statuses: {}, samples: {} };
const count = (status) => (report.statuses[status] = (report.statuses[status] ?? 0) + 1);

const bytesOf = ({ method, path, headers = {}, body }) => {
  const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) };
  const lines = Object.entries({ Host: `${host}:${port}`, ...length, ...headers }).map((pair) => pair.join(': '));
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body ?? ''}`);
};
const prepared = requests.map((request) => ({ bytes: bytesOf(request), isHead: request.method === 'HEAD' }));
/** Request number `turn` of a connection: all connections together go through the list. */
const requestOf = (index, turn) => prepared[(index + turn * connections) % prepared.length];

const headEnd = Buffer.from('\r\n\r\n');
const lastChunk = Buffer.from('0\r\n\r\n');

/** Finds the ends of responses without keeping their bodies. */
class Responses {
  #head = Buffer.alloc(0);
  #left = 0;
  #isChunked = false;
  #tail = Buffer.alloc(0);
  #isUpgraded = false;
  isHead = false;

  constructor(onResponse) {
    this.onResponse = onResponse;
  }

  add(part) {
    while (part.length > 0 && !this.#isUpgraded) {
      if (this.#isChunked) {
        this.#tail = Buffer.concat([this.#tail.subarray(-4), part.subarray(-5)]);
        if (!this.#tail.subarray(-5).equals(lastChunk)) return;
        this.#isChunked = false;
        return this.onResponse();
      }
      if (this.#left > 0) {
        const taken = Math.min(this.#left, part.length);
        this.#left -= taken;
        part = part.subarray(taken);
        if (this.#left === 0) this.onResponse();
        continue;
      }
      const all = Buffer.concat([this.#head, part]);
      const end = all.indexOf(headEnd);
      if (end < 0) return void (this.#head = all);
      const head = all.toString('latin1', 0, end);
      this.#head = Buffer.alloc(0);
      part = all.subarray(end + headEnd.length);
      const status = head.slice(9, 12);
      count(status);
      report.samples[status] ??= part.toString('latin1', 0, 200);
      this.#isUpgraded = status === '101';
      this.#left = this.isHead || status === '204' ? 0 : Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
      this.#isChunked = !this.isHead && /transfer-encoding: chunked/i.test(head);
      if (this.#isChunked) this.#tail = Buffer.alloc(0);
      else if (this.#left === 0) this.onResponse();
    }
  }
}

/** An open connection; `answered` waits for the next response or the end of the connection. */
const open = () => {
  const socket = connect({ host, port: Number(port), localAddress: address });
  let isClosed = false;
  let pending = 0;
  let wake = () => undefined;
  const responses = new Responses(() => {
    pending -= 1;
    wake();
  });
  socket.on('data', (part) => responses.add(part));
  socket.on('error', () => undefined);
  const closed = new Promise((resolve) =>
    socket.once('close', () => {
      isClosed = true;
      if (pending > 0) count('gone');
      wake();
      resolve();
    }),
  );
  return {
    socket,
    closed,
    isClosed: () => isClosed,
    send: ({ bytes, isHead }) => {
      responses.isHead = isHead;
      report.tried += 1;
      pending += 1;
      return socket.write(bytes);
    },
    /** Until fewer than `most` responses are pending. */
    answered: async (most = 1) => {
      while (pending >= most && !isClosed && !isOver()) await new Promise((resolve) => (wake = resolve));
    },
  };
};

/** Sends chunks until the body is refused. */
const sendChunks = async (index, chunks) => {
  const { socket, closed, isClosed } = open();
  report.tried += 1;
  const { method, path } = requests[index % requests.length];
  socket.write(`${method} ${path} HTTP/1.1\r\nHost: ${host}\r\nTransfer-Encoding: chunked\r\n\r\n`);
  while (!isOver() && !isClosed()) {
    if (socket.write(chunks)) await pause(0);
    else await Promise.race([closed, new Promise((resolve) => socket.once('drain', resolve)), remaining()]);
  }
  socket.destroy();
};

/** Work of one connection, repeated until the time is over. */
const behaviours = {
  /** The next request when the response is there. */
  ask: async (index) => {
    const connection = open();
    for (let turn = 0; !isOver() && !connection.isClosed(); turn++) {
      connection.send(requestOf(index, turn));
      await connection.answered();
    }
    connection.socket.destroy();
  },
  /** Up to 50 requests are pending on each connection. */
  pipeline: async (index) => {
    const connection = open();
    for (let turn = 0; !isOver() && !connection.isClosed(); turn++) {
      connection.send(requestOf(index, turn));
      await connection.answered(50);
    }
    connection.socket.destroy();
  },
  /** A connection for each request. */
  'connect and ask': async (index) => {
    for (let turn = 0; !isOver(); turn++) {
      const connection = open();
      connection.send(requestOf(index, turn));
      await connection.answered();
      connection.socket.destroy();
      await connection.closed;
    }
  },
  'connect and close': async () => {
    while (!isOver()) {
      const { socket, closed } = open();
      report.tried += 1;
      socket.once('connect', () => socket.destroy());
      await closed;
    }
  },
  'connect and wait': async () => {
    report.tried += 1;
    const { socket, closed } = open();
    await Promise.race([closed, remaining()]);
    socket.destroy();
  },
  /** Gives up 5 ms after each request. */
  'ask and leave': async (index) => {
    for (let turn = 0; !isOver(); turn++) {
      const connection = open();
      connection.send(requestOf(index, turn));
      await pause(5);
      connection.socket.destroy();
      await connection.closed;
    }
  },
  /** Closes its side after 20 requests, and reads. */
  'ask and half-close': async (index) => {
    for (let turn = 0; !isOver(); turn += 20) {
      const connection = open();
      for (let i = 0; i < 20; i++) connection.send(requestOf(index, turn + i));
      connection.socket.end();
      await Promise.race([connection.closed, remaining()]);
      connection.socket.destroy();
    }
  },
  /** Sends requests as long as the server reads them, and never reads a response. */
  'never read': async (index) => {
    const { socket, closed, isClosed, send } = open();
    socket.pause();
    for (let turn = 0; !isOver() && !isClosed(); turn++) {
      if (send(requestOf(index, turn))) await pause(0);
      else await Promise.race([closed, new Promise((resolve) => socket.once('drain', resolve)), remaining()]);
    }
    socket.destroy();
  },
  /** The beginning of a request, then a byte a second. */
  drip: async (index) => {
    const { socket, closed } = open();
    report.tried += 1;
    const { bytes } = requestOf(index, 0);
    const headLength = bytes.indexOf(headEnd);
    socket.write(index % 2 === 0 ? bytes.subarray(0, headLength) : bytes.subarray(0, headLength + headEnd.length + 1));
    if (index % 2 === 0) socket.write('\r\nX-Slow: ');
    const dripping = setInterval(() => socket.write('a'), 1_000);
    await Promise.race([closed, remaining()]);
    clearInterval(dripping);
    socket.destroy();
    await pause(100);
  },
  /** An endless body in chunks of one byte. */
  crumbs: (index) => sendChunks(index, Buffer.from('1\r\n \r\n'.repeat(10_000))),
  /** An endless body in chunks of a megabyte. */
  lumps: (index) => sendChunks(index, Buffer.from(`100000\r\n${' '.repeat(0x100000)}\r\n`)),
  /** Upgrades to WebSocket, then pings as long as they are read. */
  ping: async (index) => {
    const { socket, closed, isClosed } = open();
    report.tried += 1;
    socket.write(requestOf(index, 0).bytes);
    const ping = Buffer.from([0x89, 0x84, 1, 2, 3, 4, 5, 6, 7, 8]);
    const pings = Buffer.concat(Array.from({ length: 100 }, () => ping));
    await pause(50);
    while (!isOver() && !isClosed()) {
      report.tried += 100;
      if (!socket.write(pings))
        await Promise.race([closed, new Promise((resolve) => socket.once('drain', resolve)), remaining()]);
      await pause(1);
    }
    socket.destroy();
  },
};

const again = async (index) => {
  while (!isOver()) {
    await behaviours[behaviour](index);
    // A refused connection is tried again, but not in a loop that never yields.
    await pause(1);
  }
};
await Promise.race([remaining(), ...Array.from({ length: connections }, (_, index) => again(index))]);
const unanswered = report.tried - Object.values(report.statuses).reduce((sum, each) => sum + each, 0);
if (unanswered > 0) report.statuses.unanswered = unanswered;
process.stdout.write(`${JSON.stringify(report)}\n`, () => process.exit(0));
