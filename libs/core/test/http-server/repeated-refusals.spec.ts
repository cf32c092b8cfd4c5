import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';
import { type AnswerAtOnce, type LookAtOnce } from '@shardnode/core/http-server';
import { createMetrics, silentLogger } from '@shardnode/core/observability';
import { createService, type RunningService } from '@shardnode/core/service';

/** Milliseconds until a connection that nobody uses is closed. */
const keepAlive = 1_000;

/** A submit that takes a while. */
const slow = 99;

@Controller()
class Submits {
  @Post('submit')
  @HttpCode(200)
  async submit(@Body() body: { number: number }): Promise<unknown> {
    if (body.number === slow) await pause(50);
    return { taken: body.number };
  }

  @Get('state')
  state(): unknown {
    return { state: 'well' };
  }
}

/** What the service says of itself. */
const seen = { isFull: false, looks: 0, again: 0 };

const refusal = (requestId: string): AnswerAtOnce => ({
  route: '/submit',
  text: JSON.stringify({ detail: 'full – come again', requestId }),
  refusal: { status: 503, headers: ['retry-after', '1', 'x-error-code', 'Full'] },
});

const look: LookAtOnce = ({ method, url }, requestId) => {
  if (method !== 'POST' || url !== '/submit') return undefined;
  seen.looks += 1;
  if (!seen.isFull) return undefined;
  const again = (nextId: string): AnswerAtOnce | undefined => {
    if (!seen.isFull) return undefined;
    seen.again += 1;
    return refusal(nextId);
  };
  return { ...refusal(requestId()), again };
};

interface Answer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: unknown;
}

/** A connection of which every byte is known. */
class Client {
  private received = Buffer.alloc(0);
  readonly socket: Socket;

  constructor(port: number) {
    this.socket = connect(port, '127.0.0.1');
    this.socket.setNoDelay(true);
    this.socket.on('data', (chunk) => (this.received = Buffer.concat([this.received, chunk])));
  }

  /** The next answer. */
  async answer(): Promise<Answer> {
    for (;;) {
      const end = this.received.indexOf('\r\n\r\n');
      const [line, ...lines] = this.received.toString('utf8', 0, Math.max(0, end)).split('\r\n');
      const headers = new Map(lines.map((text) => text.split(': ') as [string, string]));
      const rest = this.received.subarray(end + 4);
      const length = Number(headers.get('content-length') ?? headers.get('Content-Length'));
      if (end !== -1 && rest.length >= length) {
        this.received = rest.subarray(length);
        return { status: Number(line!.slice(9, 12)), headers, body: JSON.parse(rest.toString('utf8', 0, length)) };
      }
      await once(this.socket, 'data');
    }
  }

  async say(text: string): Promise<Answer> {
    this.socket.write(text);
    return this.answer();
  }

  get left(): number {
    return this.received.length;
  }
}

const submit = (number: number | string, headers = ''): string => {
  const body = JSON.stringify({ number });
  return `POST /submit HTTP/1.1\r\nHost: here\r\n${headers}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
};
const state = 'GET /state HTTP/1.1\r\nHost: here\r\n\r\n';

const unlike = ({ status, headers, body }: Answer) => ({
  status,
  headers: [...headers].filter(([name]) => !['x-request-id', 'content-length', 'Date'].includes(name)),
  body: Object.keys(body as object),
});

describe('what was refused and comes again', () => {
  let service: RunningService;
  let client: Client;
  beforeAll(async () => {
    service = createService({
      name: 'test-service',
      module: { controllers: [Submits] },
      http: { host: '127.0.0.1', port: 0, connections: { keepAliveTimeoutMs: keepAlive } },
      lookAtOnce: look,
      logger: silentLogger,
      metrics: createMetrics({ service: 'test-service' }),
    });
    await service.start();
  });
  afterAll(() => service.stop());
  beforeEach(() => {
    Object.assign(seen, { isFull: true, looks: 0, again: 0 });
    client = new Client(service.port);
  });
  afterEach(() => void client.socket.destroy());

  /** The connection and its head are known. */
  const refuseTwice = async (headers?: string): Promise<Answer> => {
    const first = await client.say(submit(1, headers));
    expect(unlike(await client.say(submit(2, headers)))).toEqual(unlike(first));
    return first;
  };
  /** Those that were parsed, and those that were not. */
  const counted = () => [seen.looks, seen.again];

  it('gets the same answer, unparsed, with an id of its own', async () => {
    const first = await refuseTwice();
    expect(first).toMatchObject({ status: 503, body: { detail: 'full – come again' } });
    const ids = new Set([first.headers.get('x-request-id')]);
    for (let number = 3; number < 9; number++) {
      const next = await client.say(submit(number));
      expect(unlike(next)).toEqual(unlike(first));
      expect(Math.abs(Date.parse(next.headers.get('Date')!) - Date.now())).toBeLessThan(30_000);
      expect(next.body).toMatchObject({ requestId: next.headers.get('x-request-id') });
      ids.add(next.headers.get('x-request-id'));
    }
    expect(ids.size).toBe(7);
    expect(counted()).toEqual([2, 6]);
  });

  it('is served as soon as there is time, and refused unparsed again when there is none', async () => {
    await refuseTwice();
    for (let turn = 0; turn < 3; turn++) {
      seen.isFull = false;
      expect(await client.say(submit(3))).toMatchObject({ status: 200, body: { taken: 3 } });
      expect(await client.say(submit(4))).toMatchObject({ status: 200, body: { taken: 4 } });
      seen.isFull = true;
      expect((await client.say(submit(5))).status).toBe(503);
    }
    expect(counted()).toEqual([8, 3]);
  });

  it('is told the id that its client has given it', async () => {
    const headers = 'X-Request-Id: mine\r\n';
    await refuseTwice(headers);
    expect((await client.say(submit(3, headers))).headers.get('x-request-id')).toBe('mine');
    expect((await client.say(submit(3, 'X-Request-Id: that\r\n'))).headers.get('x-request-id')).toBe('that');
    expect(counted()).toEqual([3, 1]);
  });

  it('is parsed when its head differs by a byte', async () => {
    await refuseTwice('A: 1\r\n');
    for (const headers of ['A: 2\r\n', 'A:2\r\n', 'A: 2\r\nB: 3\r\n']) {
      const [looks, again] = counted();
      expect((await client.say(submit(3, headers))).status).toBe(503);
      expect(counted()).toEqual([looks! + 1, again!]);
      expect((await client.say(submit(4, headers))).status).toBe(503);
      expect(counted()).toEqual([looks! + 1, again! + 1]);
    }
  });

  it('may have a body of another length, which is left unread as a whole', async () => {
    await refuseTwice();
    expect(submit(1)).toContain('Length: 12\r\n');
    for (const number of [12, 1_234, 12_345_678]) expect((await client.say(submit(number))).status).toBe(503);
    expect(counted()).toEqual([2, 3]);
    // With a digit more it is another head.
    expect((await client.say(submit('x'.repeat(100)))).status).toBe(503);
    expect(counted()).toEqual([3, 3]);
    seen.isFull = false;
    expect((await client.say(submit(7))).body).toEqual({ taken: 7 });
  });

  it.each(['1x', '-2', '+9', '0x'])('is a bad request with a body of the length %s', async (length) => {
    await refuseTwice();
    await client.say(submit(3));
    const [, again] = counted();
    const answer = await client.say(submit(4).replace(/Length: 12/, `Length: ${length}`));
    expect(answer.status).toBe(400);
    expect(counted()[1]).toBe(again);
  });

  it.each([
    ['in two pieces, within its head', (text: string) => [text.slice(0, 20), text.slice(20)]],
    ['in two pieces, within its body', (text: string) => [text.slice(0, -3), text.slice(-3)]],
    ['byte by byte', (text: string) => [...text]],
  ])('is answered once when it comes %s', async (_how, pieces) => {
    await refuseTwice();
    for (let turn = 0; turn < 3; turn++) {
      for (const isFull of [true, false]) {
        seen.isFull = isFull;
        for (const piece of pieces(submit(3))) {
          client.socket.write(piece);
          await pause(2);
        }
        expect((await client.answer()).status).toBe(isFull ? 503 : 200);
      }
      seen.isFull = true;
      await refuseTwice();
    }
    expect(client.left).toBe(0);
  });

  it('is answered in order with others that come before there is an answer', async () => {
    await refuseTwice();
    client.socket.write(submit(3) + state + submit(4));
    const answers = [await client.answer(), await client.answer(), await client.answer()];
    expect(answers.map(({ status }) => status)).toEqual([503, 200, 503]);
    seen.isFull = false;
    client.socket.write(submit(5) + submit(6).slice(0, 30));
    expect((await client.answer()).body).toEqual({ taken: 5 });
    seen.isFull = true;
    expect((await client.say(submit(6).slice(30))).status).toBe(503);
    seen.isFull = false;
    client.socket.write(submit(slow));
    await pause(20);
    seen.isFull = true;
    client.socket.write(submit(slow));
    expect([(await client.answer()).status, (await client.answer()).status]).toEqual([200, 503]);
    expect(client.left).toBe(0);
  });

  it('does not keep others from their answers on its connection', async () => {
    await refuseTwice();
    expect((await client.say(state)).body).toEqual({ state: 'well' });
    const [looks, again] = counted();
    await refuseTwice();
    expect((await client.say(submit(3))).status).toBe(503);
    expect(counted()).toEqual([looks! + 2, again! + 1]);
    expect((await client.say('POST /submit HTTP/1.1\r\nHost: here\r\nContent-Length: none\r\n\r\n')).status).toBe(400);
  });

  it('is counted as others are', async () => {
    await refuseTwice();
    await client.say(submit(3));
    const metrics = await (await fetch(`http://127.0.0.1:${service.port}/metrics`)).text();
    const count = /duration_seconds_count\{.*route="\/submit",status="503"\} (\d+)\n/.exec(metrics)?.[1];
    expect(Number(count)).toBeGreaterThanOrEqual(3);
    const before = Number(count);
    await client.say(submit(4));
    expect(await (await fetch(`http://127.0.0.1:${service.port}/metrics`)).text()).toContain(
      `route="/submit",status="503"} ${before + 1}\n`,
    );
  });

  it('keeps its connection while it comes in time, and no longer', async () => {
    await refuseTwice();
    const closed = once(client.socket, 'close').then(() => 'closed');
    for (let turn = 0; turn < 12; turn++) {
      await pause(keepAlive / 5);
      expect((await client.say(submit(3))).status).toBe(503);
    }
    expect(counted()).toEqual([2, 12]);
    expect(await Promise.race([closed, pause(keepAlive / 2, 'open')])).toBe('open');
    expect(await closed).toBe('closed');
  });

  it('is read no faster than its client reads answers', async () => {
    await refuseTwice();
    client.socket.pause();
    const many = 4_000;
    for (let sent = 0; sent < many; sent++) client.socket.write(submit(3));
    await pause(200);
    client.socket.resume();
    for (let answered = 0; answered < many; answered++) expect((await client.answer()).status).toBe(503);
    expect(client.left).toBe(0);
  });
});
