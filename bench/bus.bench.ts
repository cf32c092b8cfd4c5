/** A request between two services of one process: what the bus costs over a plain call. */
import 'reflect-metadata';
import { Controller } from '@nestjs/common';
import { createInProcessNetwork } from '@shardnode/core/bus';
import { createMetrics, runWithRequestId, silentLogger } from '@shardnode/core/observability';
import { createService } from '@shardnode/core/service';
import { groupClient, groupRouting, HandlesGroupRequest, type ChainSelector } from '@shardnode/messages';
import { firstValueFrom } from 'rxjs';
import { printRows, seconds } from './rows.js';

const duration = seconds * 1000;

@Controller()
class Handlers {
  @HandlesGroupRequest('read.chain.info')
  info(payload: ChainSelector): { readonly currentHeight: number } {
    return { currentHeight: payload.from };
  }
}

const microsecondsOf = async (call: () => Promise<unknown>): Promise<number> => {
  for (let index = 0; index < 2_000; index++) await call();
  const startedAt = performance.now();
  let count = 0;
  while (performance.now() - startedAt < duration) {
    for (let index = 0; index < 100; index++) await call();
    count += 100;
  }
  return ((performance.now() - startedAt) / count) * 1000;
};

const ns = 'bench';
const network = createInProcessNetwork();
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
const client = groupClient(gateway.bus, { ns, groups: 4 });
const payload = { from: 0, to: 1 };
const handlers = new Handlers();
const ask = (): Promise<unknown> => client.request(0, 'read.chain.info', payload);
const rows: [string, number][] = [
  ['plain asynchronous call', await microsecondsOf(async () => handlers.info(payload))],
  ['typed client', await microsecondsOf(ask)],
  ['typed client within a request id', await runWithRequestId('bench', () => microsecondsOf(ask))],
  [
    'client of the framework',
    await microsecondsOf(() => firstValueFrom(gateway.client.send(`${ns}.rpc.group.0.read.chain.info`, payload))),
  ],
];
printRows(rows.map(([what, microseconds]) => ({ row: what, figure: `${microseconds.toFixed(2)} µs` })));
await service.stop();
await network.close();
