import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { request as rawRequest } from 'node:http';
import { connect } from 'node:net';
import { Writable } from 'node:stream';
import { Body, Controller, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import { listenOn } from '@shardnode/core/http-server';
import { ServiceError, type ErrorKind, errorKinds, httpStatusOfKind } from '@shardnode/core/errors';
import { createLogger, createMetrics, currentContext, currentRequestId } from '@shardnode/core/observability';
import { createService, type RunningService } from '@shardnode/core/service';

@Controller('things')
class ThingController {
  @Post('transfer')
  @HttpCode(200)
  transfer(@Body() body: unknown): unknown {
    return body;
  }
  @Post('fail/:kind')
  fail(@Param('kind') kind: ErrorKind): never {
    throw new ServiceError(kind, 'SomeCode', 'what went wrong', { group: 2, retryAfterSeconds: 7 });
  }
  @Post('fail-without-time/:kind')
  failWithoutTime(@Param('kind') kind: ErrorKind): never {
    throw new ServiceError(kind, 'SomeCode', 'what went wrong');
  }
  @Get('missing')
  missing(): never {
    throw new ServiceError('not-found', 'NotFound', 'x not found', { resource: 'x' });
  }
  @Get('fault')
  async fault(): Promise<never> {
    throw new TypeError('secret inner text');
  }
  @Post('request-id')
  @HttpCode(200)
  async requestId(): Promise<unknown> {
    await new Promise((resolve) => setImmediate(resolve));
    return { requestId: currentRequestId(), client: currentContext()?.client };
  }
  @Get('slow')
  async slow(): Promise<unknown> {
    await new Promise((resolve) => setTimeout(resolve, 200));
    return { done: true };
  }
  @Delete('nothing')
  nothing(): void {}
}

const logLines: string[] = [];
const logSink = new Writable({
  write(chunk, _encoding, done) {
    logLines.push(String(chunk));
    done();
  },
});

const createTestService = (
  settings: { corsOrigins?: string[]; ready?: () => string | undefined } = {},
): RunningService =>
  createService({
    name: 'test-service',
    module: { controllers: [ThingController] },
    http: {
      host: '127.0.0.1',
      port: 0,
      bodyLimit: 100_000,
      corsOrigins: settings.corsOrigins ?? ['https://ours.example'],
    },
    readiness: [{ name: 'database', notReadyBecause: () => settings.ready?.() }],
    logger: createLogger({ service: 'test-service', destination: logSink }),
    metrics: createMetrics({ service: 'test-service', processMetrics: true }),
  });

describe('http server', () => {
  let service: RunningService;
  let notReady: string | undefined;
  let base: string;
  beforeAll(async () => {
    service = createTestService({ ready: () => notReady });
    await service.start();
    base = `http://127.0.0.1:${service.port}`;
  });
  afterAll(() => service.stop());

  const send = async (method: string, path: string, body?: string, headers: Record<string, string> = {}) => {
    const response = await fetch(base + path, { method, body, headers });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      text,
      json: (text.startsWith('{') ? JSON.parse(text) : {}) as Record<string, unknown>,
    };
  };
  const good = '{"destinations":[{"address":"a","amount":1}]}';

  it.each(['application/json', 'text/plain', 'application/x-www-form-urlencoded', 'nonsense', 'multipart/form-data'])(
    'reads the body as JSON when the header says %s',
    async (contentType) => {
      const { status, text, headers } = await send('POST', '/things/transfer', good, { 'content-type': contentType });
      expect([status, text]).toEqual([200, good]);
      expect(headers.get('content-type')).toBe('application/json');
    },
  );

  it('answers what it is handed without a socket as over one, also with an error; not before it was started', async () => {
    const overSocket = await send('POST', '/things/transfer', good);
    const handed = await service.handle({ method: 'POST', url: '/things/transfer', body: JSON.parse(good) as object });
    expect(handed).toMatchObject({ status: 200, text: overSocket.text });
    expect(handed.headers['content-type']).toBe('application/json');
    const missing = await service.handle({ method: 'GET', url: '/nothing' });
    expect(missing.status).toBe((await send('GET', '/nothing')).status);
    const unstarted = createTestService();
    await expect(unstarted.handle({ method: 'GET', url: '/things' })).rejects.toThrow('was not started');
    await unstarted.stop();
  });

  it.each(['100-continue', 'nonsense'])('answers as ever when a client expects %s', async (expectation) => {
    const text = await new Promise<string>((resolve, reject) => {
      const headers = { expect: expectation };
      const request = rawRequest(`${base}/things/transfer`, { method: 'POST', headers }, (response) => {
        response.setEncoding('utf8');
        let all = `${response.statusCode} `;
        response.on('data', (chunk: string) => (all += chunk)).on('end', () => resolve(all));
      });
      request.on('error', reject);
      request.end(good);
    });
    expect(text).toBe(`200 ${good}`);
  });

  it('reads the body as JSON without a header', async () => {
    const text = await new Promise<string>((resolve, reject) => {
      const request = rawRequest(`${base}/things/transfer`, { method: 'POST' }, (response) => {
        response.setEncoding('utf8');
        let all = '';
        response.on('data', (chunk: string) => (all += chunk)).on('end', () => resolve(all));
      });
      request.on('error', reject);
      request.end(good);
    });
    expect(text).toBe(good);
  });

  it.each([
    ['{"destinations":', /body \(is not valid JSON/],
    ['{"password": hunter2}', /is not valid JSON/],
    [`{"destinations":${'['.repeat(5000)}`, /nested deeper/],
    ['['.repeat(50_000) + ']'.repeat(50_000), /nested deeper/],
  ])('answers 400 to the body %.30s', async (body, text) => {
    const { status, json } = await send('POST', '/things/transfer', body);
    expect(status).toBe(400);
    expect(json.detail).toMatch(text);
    expect(json.detail).not.toMatch(/hunter2/);
  });

  it('refuses a body over the limit and stays up', async () => {
    const { status, json } = await send('POST', '/things/transfer', `"${'a'.repeat(100_001)}"`);
    expect(status).toBe(413);
    expect(json.detail).toBe('The body is larger than 100000 bytes');
    expect((await send('POST', '/things/transfer', good)).status).toBe(200);
  });

  it.each([
    ['GET', '/nowhere', 404],
    ['GET', '/things/transfer', 405],
    ['HEAD', '/things/missing', 404],
    ['HEAD', '/health/live', 200],
    ['HEAD', '/things/transfer', 405],
    ['OPTIONS', '/things/missing', 405],
    ['POST', '/things/missing', 405],
    ['PUT', '/things/fail/abc', 405],
    ['GET', '/things/%zz', 400],
    ['GET', '/health/live/', 200],
  ])('%s %s answers %i in JSON', async (method, path, expected) => {
    const { status, headers, json } = await send(method, path);
    expect(status).toBe(expected);
    expect(headers.get('content-type')).toBe('application/json');
    if (method !== 'HEAD' && status !== 200) expect(typeof json.detail).toBe('string');
    if (status === 405) expect(headers.get('allow')).toMatch(/GET|POST/);
  });

  it.each(errorKinds)('maps the kind %s to its status', async (kind) => {
    const { status, json, headers } = await send('POST', `/things/fail/${kind}`);
    expect(status).toBe(httpStatusOfKind[kind]);
    expect(json).toMatchObject({ detail: 'what went wrong', code: 'SomeCode', group: 2 });
    expect(json.requestId).toBe(headers.get('x-request-id'));
    expect(headers.get('retry-after')).toBe('7');
  });

  it('puts the resource before the detail', async () => {
    const { text } = await send('GET', '/things/missing');
    expect(text).toMatch(/^\{"resource":"x","detail":"x not found"/);
  });

  it('tells nothing of a fault, but logs it with the request id', async () => {
    const { status, text, headers } = await send('GET', '/things/fault');
    expect(status).toBe(500);
    expect(text).toContain('Internal server error');
    expect(text).not.toContain('inner text');
    const id = headers.get('x-request-id') ?? '';
    expect(logLines.find((line) => line.includes('inner text') && line.includes(id))).toBeDefined();
  });

  it('carries the request id of the caller into the handler', async () => {
    const { json, headers } = await send('POST', '/things/request-id', '{}', { 'x-request-id': 'mine-1' });
    expect(json).toEqual({ requestId: 'mine-1', client: '127.0.0.1' });
    expect(headers.get('x-request-id')).toBe('mine-1');
    const other = await send('POST', '/things/request-id', '{}', { 'x-request-id': 'bad id"' });
    expect(other.json.requestId).toBe(other.headers.get('x-request-id'));
    expect(other.json.requestId).not.toContain('bad');
  });

  it('answers nothing with an empty body', async () => {
    const { status, text } = await send('DELETE', '/things/nothing');
    expect([status, text]).toEqual([200, '']);
  });

  it('allows listed origins only', async () => {
    const preflight = (origin: string) =>
      send('OPTIONS', '/things/transfer', undefined, { origin, 'access-control-request-method': 'POST' });
    const listed = await preflight('https://ours.example');
    expect(listed.status).toBe(204);
    expect(listed.headers.get('access-control-allow-origin')).toBe('https://ours.example');
    const other = await preflight('https://other.example');
    expect(other.status).toBe(403);
    expect(other.headers.get('access-control-allow-origin')).toBeNull();
  });

  it('shows health and metrics', async () => {
    notReady = 'no connection';
    const ready = await send('GET', '/health/ready');
    expect([ready.status, ready.json]).toEqual([
      503,
      {
        ready: false,
        reasons: ['database: no connection'],
        problems: [
          { check: 'database', reason: 'no connection', since: expect.any(String), seconds: expect.any(Number) },
        ],
      },
    ]);
    expect(ready.headers.get('retry-after')).toBe('1');
    const failing = await send('GET', '/metrics');
    expect(failing.text).toContain('service_ready{service="test-service"} 0');
    expect(failing.text).toMatch(/service_problem_seconds\{check="database",service="test-service"\} [0-9.]+\n/);
    notReady = undefined;
    const well = await send('GET', '/health/ready');
    expect([well.status, well.json]).toEqual([200, { ready: true, reasons: [], problems: [] }]);
    const { text } = await send('GET', '/metrics');
    expect(text).toMatch(/event_loop_delay_p99_seconds\{service="test-service"\} [0-9.e-]+\n/);
    expect(text).toContain('route="/things/transfer",status="200"');
  });

  it.each(errorKinds.map((kind) => [kind, [429, 503].includes(httpStatusOfKind[kind]) ? '1' : null] as const))(
    'an error of kind %s says when to ask again where that helps: %s',
    async (kind, seconds) => {
      const { headers } = await send('POST', `/things/fail-without-time/${kind}`);
      expect(headers.get('retry-after')).toBe(seconds);
    },
  );

  it('while it stops, what comes on an open connection is told to ask again', async () => {
    const other = createTestService();
    await other.start();
    const socket = connect(other.port, '127.0.0.1');
    let received = '';
    socket.on('data', (bytes) => (received += bytes.toString()));
    const ended = new Promise((resolve) => socket.once('close', resolve));
    socket.write('GET /things/missing HTTP/1.1\r\nHost: localhost\r\n');
    await new Promise((resolve) => setTimeout(resolve, 50));
    const stopped = other.stop();
    socket.write('X-Request-Id: r\r\n\r\n');
    await Promise.all([stopped, ended]);
    expect(received).toMatch(/^HTTP\/1\.1 503 /);
    expect(received).toMatch(/^retry-after: 1\r$/im);
    expect(received).toMatch(/^x-error-code: Stopping\r$/im);
    expect(received).toContain('{"detail":"The server is stopping: ask again","code":"Stopping","requestId":"r"}');
  });

  it('finishes what is in flight when it stops', async () => {
    const other = createTestService();
    await other.start();
    const inFlight = fetch(`http://127.0.0.1:${other.port}/things/slow`);
    await new Promise((resolve) => setTimeout(resolve, 50));
    await other.stop();
    expect(await (await inFlight).json()).toEqual({ done: true });
    await expect(fetch(`http://127.0.0.1:${other.port}/things/slow`)).rejects.toThrow();
  });

  it('fails to start on a busy port', async () => {
    const other = createService({
      name: 'other',
      module: {},
      http: { host: '127.0.0.1', port: service.port },
      logger: createLogger({ destination: logSink }),
      metrics: createMetrics({ service: 'other' }),
    });
    await expect(other.start()).rejects.toMatchObject({ code: 'EADDRINUSE' });
    await other.stop();
  });

  it('takes a free port instead of a busy one where any will do', async () => {
    const other = createService({
      name: 'other',
      module: {},
      http: { host: '127.0.0.1', port: service.port, orAnyPort: true },
      logger: createLogger({ destination: logSink }),
      metrics: createMetrics({ service: 'other' }),
    });
    await other.start();
    expect(other.port).not.toBe(service.port);
    expect((await fetch(`http://127.0.0.1:${other.port}/health/ready`)).status).toBe(200);
    await other.stop();
  });

  it('takes a free port also when the wanted one is taken between the question and the start', async () => {
    const asked: number[] = [];
    await listenOn({ host: '127.0.0.1', port: 1, orAnyPort: true }, (port) => {
      asked.push(port);
      return asked.length > 1 ? Promise.resolve() : Promise.reject(Object.assign(new Error(), { code: 'EADDRINUSE' }));
    });
    expect(asked.at(-1)).toBe(0);
  });
});
