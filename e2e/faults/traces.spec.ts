import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { developmentKeys, testKeyOfGroup } from '@shardnode/testing/keys';
import { apiClient } from '../kit/api-client.js';
import { Cluster } from '../kit/cluster/cluster.js';
import { groupNodeNames, type ProcessName } from '../kit/cluster/cluster-process.js';
import { logLines } from '../kit/cluster/log-lines.js';
import { describeCluster } from '../kit/deployment-under-test.js';
import { patience } from '../kit/patience.js';
import { type CollectedSpan, startTraceCollector, type TraceCollector } from '../kit/trace-collector.js';
import { confirmed, oneCoin, transfer } from '../kit/transfers.js';
import { waitFor } from '../kit/wait-for.js';

const password = 'a password that no trace has';
const mnemonicSize = 24;

describeCluster('what a request leaves behind', () => {
  let cluster: Cluster;
  let collector: TraceCollector;
  let mnemonic: string;
  beforeAll(async () => {
    collector = await startTraceCollector();
    cluster = new Cluster({
      settings: {
        LOG_LEVEL: 'debug',
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OTEL_BSP_SCHEDULE_DELAY: '100',
      },
    });
    await cluster.start();
  });
  afterAll(async () => {
    await cluster?.remove();
    await collector?.close();
  });

  const send = async (method: string, path: string, id: string, body?: unknown): Promise<unknown> => {
    const answer = await fetch(`${cluster.baseUrl}${path}`, {
      method,
      headers: { 'x-request-id': id },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    expect([answer.status, answer.headers.get('x-request-id')]).toEqual([200, id]);
    return answer.json();
  };

  /** A wallet of group 0 that has coins and pays some of them: through gateway, wallet-service and group-nodes. */
  const payFromWallet = async (id: string): Promise<void> => {
    const made = await send('POST', '/wallets', 'make', { password, walletName: 'payer', mnemonicSize });
    ({ mnemonic } = made as { mnemonic: string });
    const { address } = (await send('POST', '/wallets/payer/derive-next-address?group=0', 'derive')) as {
      address: string;
    };
    await send('POST', '/wallets/payer/change-active-address', 'activate', { address }).catch(() => undefined);
    const api = apiClient(() => cluster.baseUrl);
    const [rich] = await developmentKeys();
    const { txId } = await transfer(api, rich!, [{ address, attoCoinAmount: `${10n * oneCoin}` }]);
    await confirmed(api, txId);
    api.close();
    const to = { address: testKeyOfGroup(0, 9).address, attoCoinAmount: `${oneCoin}` };
    await send('POST', '/wallets/payer/transfer', id, { destinations: [to] });
  };

  it('its id is in the logs of every service that served it', async () => {
    await payFromWallet('pay-1');
    const linesOf = (name: ProcessName) =>
      logLines(cluster.process(name), 20).filter((line) => line['requestId'] === 'pay-1');
    await waitFor('each of them to have logged it', () =>
      (['gateway', 'wallet-service', groupNodeNames[0]] as const).every((name) => linesOf(name).length > 0),
    );
    for (const name of [groupNodeNames[1], groupNodeNames[2]]) expect(linesOf(name)).toEqual([]);
  });

  it('its trace spans gateway, wallet-service and group-node, with parents right', async () => {
    const traceOf = (): readonly CollectedSpan[] => {
      const root = collector.spans.find(({ attributes }) => attributes['request.id'] === 'pay-1');
      return root ? collector.spans.filter(({ traceId }) => traceId === root.traceId) : [];
    };
    const named = (service: string, name: RegExp): CollectedSpan[] =>
      traceOf().filter((span) => span.service === service && name.test(span.name));
    await waitFor('the whole trace', () => named('group-node-0', /^import commit$/).length > 0, {
      timeoutMs: patience(10_000),
    });
    const parent = ({ parentSpanId }: CollectedSpan): CollectedSpan | undefined =>
      traceOf().find(({ spanId }) => spanId === parentSpanId);
    const path: string[] = [];
    await waitFor('every parent to be there', () => {
      path.length = 0;
      let span: CollectedSpan | undefined = named('group-node-0', /^import commit$/)[0];
      for (; span; span = parent(span)) path.unshift(`${span.service}: ${span.name}`);
      return path[0]?.startsWith('gateway: POST');
    });
    expect(path).toEqual([
      'gateway: POST /wallets/:wallet_name/transfer',
      'gateway: rpc.wallet.transfer',
      'wallet-service: wallet-service rpc.wallet.transfer',
      'wallet-service: rpc.group.0.command.mempool.submit',
      'group-node-0: group-node-0 rpc.group.0.command.mempool.submit',
      'group-node-0: import commit',
    ]);
    const names = traceOf().map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['import', 'import header-rules', 'import block-rules']));
    for (const span of named('group-node-0', /^import (header|block)-rules$/))
      expect(parent(span)?.name).toBe('import');
  });

  it('traces hold no secret', () => {
    const received = collector.received();
    expect(received.length).toBeGreaterThan(1_000);
    for (const secret of [password, mnemonic, mnemonic.split(' ').slice(0, 3).join(' ')]) {
      expect(received).not.toContain(secret);
    }
  });
});
