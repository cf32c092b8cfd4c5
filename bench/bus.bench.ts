/** A request between two services: what the bus costs over a plain call, in one process and over a NATS server. */
import 'reflect-metadata';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Controller } from '@nestjs/common';
import { createInProcessNetwork, openNatsNetwork, type BusNetwork } from '@shardnode/core/bus';
import { createMetrics, runForRequest, silentLogger } from '@shardnode/core/observability';
import { missingPrograms, startNats } from '@shardnode/core/servers';
import { createService } from '@shardnode/core/service';
import {
  groupClient,
  groupRouting,
  HandlesGroupRequest,
  HandlesPeerEvent,
  peerPublisher,
  type BlockReply,
  type ChainSelector,
} from '@shardnode/messages';
import { firstValueFrom } from 'rxjs';
import { counted, printRows, seconds, type Row } from './rows.js';

const duration = seconds * 1000;
const ns = 'bench';
const largeBlock = new Uint8Array(100_000).fill(7);
const payload = { from: 0, to: 1 };
let eventsHeard = 0;

@Controller()
class Handlers {
  @HandlesGroupRequest('read.chain.info')
  info(selector: ChainSelector): { readonly currentHeight: number } {
    return { currentHeight: selector.from };
  }
  @HandlesGroupRequest('read.chain.block')
  block(): BlockReply {
    return { block: largeBlock, height: 1, isCanonical: true };
  }
  @HandlesPeerEvent('peer.header')
  header(): void {
    eventsHeard++;
  }
}

const microsecondsOf = async (call: () => Promise<unknown>, batch = 100): Promise<number> => {
  for (let index = 0; index < 10 * batch; index++) await call();
  const startedAt = performance.now();
  let count = 0;
  while (performance.now() - startedAt < duration) {
    for (let index = 0; index < batch; index++) await call();
    count += batch;
  }
  return ((performance.now() - startedAt) / count) * 1000;
};

/** Calls per second with 64 in flight. */
const rateOf = async (call: () => Promise<unknown>): Promise<number> => {
  const startedAt = performance.now();
  let count = 0;
  const worker = async (): Promise<void> => {
    for (; performance.now() - startedAt < duration; count++) await call();
  };
  await Promise.all(Array.from({ length: 64 }, worker));
  return count / ((performance.now() - startedAt) / 1000);
};

/** Events per second, published in bursts of 100 and received. */
const publishRate = async (publish: () => void): Promise<number> => {
  eventsHeard = 0;
  let published = 0;
  const startedAt = performance.now();
  while (performance.now() - startedAt < duration) {
    for (let index = 0; index < 100; index++) publish();
    published += 100;
    while (eventsHeard < published) await new Promise((resolve) => setImmediate(resolve));
  }
  return published / ((performance.now() - startedAt) / 1000);
};

const startPair = async (network: BusNetwork) => {
  const { server } = await network.join({
    sender: { service: 'group-node', member: 0 },
    routing: groupRouting({ ns, group: 0, groups: 4 }),
    logger: silentLogger,
  });
  const service = createService({
    name: 'group-node-0',
    module: { controllers: [Handlers] },
    http: { host: '127.0.0.1', port: 0 },
    server,
    logger: silentLogger,
    metrics: createMetrics({ service: 'group-node-0' }),
  });
  await service.start();
  const gateway = await network.join({ sender: { service: 'gateway' }, logger: silentLogger });
  const sibling = await network.join({ sender: { service: 'group-node', member: 1 }, logger: silentLogger });
  const client = groupClient(gateway.bus, { ns, groups: 4 });
  const publisher = peerPublisher(sibling.bus, ns, 1);
  const header = new Uint8Array(300);
  return {
    ask: (): Promise<unknown> => client.request(0, 'read.chain.info', payload),
    askBlock: (): Promise<unknown> => client.request(0, 'read.chain.block', { hash: '00'.repeat(32) }),
    askFramework: (): Promise<unknown> =>
      firstValueFrom(gateway.client.send(`${ns}.rpc.group.0.read.chain.info`, payload)),
    publish: (): void => publisher.publish('peer.header', { from: 1, to: 2, header }),
    stop: async () => {
      await service.stop();
      await network.close();
    },
  };
};

const micro = (row: string, figure: number): Row => ({ row, figure: `${figure.toFixed(2)} µs` });

const inProcessRows = async (): Promise<Row[]> => {
  const pair = await startPair(createInProcessNetwork());
  const handlers = new Handlers();
  const rows = [
    micro('plain asynchronous call', await microsecondsOf(async () => handlers.info(payload))),
    micro('typed client', await microsecondsOf(pair.ask)),
    micro(
      'typed client within a request id',
      await runForRequest({ requestId: 'bench' }, () => microsecondsOf(pair.ask)),
    ),
    micro('client of the framework', await microsecondsOf(pair.askFramework)),
  ];
  await pair.stop();
  return rows;
};

const natsRows = async (): Promise<Row[]> => {
  if (missingPrograms(['nats']).length > 0) return [{ row: 'over NATS', figure: 'nats-server is not installed' }];
  const server = await startNats({ folder: mkdtempSync(join(tmpdir(), 'bench-nats-')) });
  const pair = await startPair(openNatsNetwork({ servers: [server.url], logger: silentLogger }));
  const rows = [
    micro('over NATS: round trip', await microsecondsOf(pair.ask, 10)),
    micro('over NATS: round trip, block of 100 kB', await microsecondsOf(pair.askBlock, 10)),
    { row: 'over NATS: 64 requests under way', figure: counted(await rateOf(pair.ask), '/s') },
    { row: 'over NATS: 64 requests for 100 kB', figure: counted(await rateOf(pair.askBlock), '/s') },
    { row: 'over NATS: events of 300 bytes, heard', figure: counted(await publishRate(pair.publish), '/s') },
  ];
  await pair.stop();
  await server.remove();
  return rows;
};

printRows([...(await inProcessRows()), ...(await natsRows())]);
