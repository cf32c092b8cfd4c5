import { describe, expect, it } from '@jest/globals';
import { Counter } from 'prom-client';
import { createLogger, createMetrics, nestLogger, newRequestId, runForRequest, isRequestId } from './index.js';

const recording = () => {
  const lines: Record<string, unknown>[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) };
  return { lines, logger: createLogger({ service: 'gateway', destination }) };
};

describe('logger', () => {
  it('adds service and request id', async () => {
    const { lines, logger } = recording();
    logger.info({ height: 5 }, 'outside');
    await runForRequest({ requestId: 'abc' }, async () => {
      await new Promise((resolve) => setImmediate(resolve));
      logger.warn('inside');
    });
    expect(lines[0]).toMatchObject({ service: 'gateway', height: 5, msg: 'outside' });
    expect(lines[0]).not.toHaveProperty('requestId');
    expect(lines[1]).toMatchObject({ requestId: 'abc', msg: 'inside' });
  });

  it('writes no secret', () => {
    const { lines, logger } = recording();
    logger.info(
      { password: 'hunter2', wallet: { mnemonic: 'hunter2', name: 'w' }, a: { b: { apiKey: 'hunter2' } } },
      'x',
    );
    expect(JSON.stringify(lines)).not.toContain('hunter2');
    expect(lines[0]).toMatchObject({ wallet: { name: 'w' } });
  });

  it('takes the lines of the framework, start-up details as debug', () => {
    const { lines, logger } = recording();
    nestLogger(logger).log('Mapped {/x, GET} route', 'RouterExplorer');
    nestLogger(logger).error(new Error('broken'), 'ExceptionsHandler');
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({ context: 'ExceptionsHandler', msg: 'broken' });
  });
});

describe('request ids', () => {
  it('differ, and are accepted from outside only in their form', () => {
    expect(new Set(Array.from({ length: 1_000 }, newRequestId)).size).toBe(1_000);
    expect(isRequestId(newRequestId())).toBe(true);
    for (const text of ['', 'a b', 'a\n', 'x'.repeat(65), 5, undefined]) expect(isRequestId(text)).toBe(false);
  });
});

describe('metrics', () => {
  it('of two services in one process are separate', async () => {
    const [a, b] = [createMetrics({ service: 'a' }), createMetrics({ service: 'b' })];
    new Counter({ name: 'blocks_total', help: 'x', registers: [a.registry] }).inc();
    new Counter({ name: 'blocks_total', help: 'x', registers: [b.registry] }).inc(5);
    expect(await a.registry.metrics()).toContain('blocks_total{service="a"} 1');
    expect(await b.registry.metrics()).toContain('blocks_total{service="b"} 5');
    a.close();
    b.close();
  });
});
