import { expect, it } from '@jest/globals';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Controller, Get } from '@nestjs/common';
import { createMetrics, openTracing, silentLogger } from '@shardnode/core/observability';
import { createService, type RunningService } from '@shardnode/core/service';

@Controller('answer')
class AnswerController {
  @Get()
  answer(): unknown {
    return { answer: 42 };
  }
}

const createTestService = (): RunningService =>
  createService({
    name: 'test-service',
    module: { controllers: [AnswerController] },
    http: { host: '127.0.0.1', port: 0 },
    logger: silentLogger,
    metrics: createMetrics({ service: 'test-service' }),
  });

const ask = async (): Promise<unknown> => {
  const service = createTestService();
  await service.start();
  try {
    return await (await fetch(`http://127.0.0.1:${service.port}/answer`)).json();
  } finally {
    await service.stop();
  }
};

it('a request has its span where traces are wanted', async () => {
  const bodies: string[] = [];
  const collector = createServer((request, response) => {
    void text(request).then((body) => {
      bodies.push(body);
      response.setHeader('content-type', 'application/json').end('{}');
    });
  });
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  const { port } = collector.address() as AddressInfo;
  const close = await openTracing({ endpoint: `http://127.0.0.1:${port}`, service: 'test-service' });
  try {
    expect(await ask()).toEqual({ answer: 42 });
  } finally {
    await close();
    collector.closeAllConnections();
    collector.close();
  }
  expect(bodies.join()).toContain('GET /answer');
});
