import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { WebSocket } from 'ws';
import { until } from '@shardnode/testing/waiting';
import { describeNetwork } from './kit/deployment-under-test.js';
import { groups } from './kit/chains.js';
import { type Network, startNetwork } from './kit/network.js';
import { confirmed, oneCoin, transfer } from './kit/transfers.js';

interface PushedBlock {
  readonly method: string;
  readonly params: {
    readonly hash: string;
    readonly chainFrom: number;
    readonly chainTo: number;
    readonly transactions: readonly { readonly unsigned: { readonly txId: string } }[];
  };
}

describeNetwork('the push of blocks (protocol 07 §18)', () => {
  let network: Network;
  const pushed: PushedBlock[] = [];
  let socket: WebSocket;
  beforeAll(async () => {
    network = await startNetwork();
    const { nodes } = await network.api.get<{ nodes: { address: string; wsPort: number }[] }>('/infos/self-clique');
    socket = new WebSocket(`ws://${nodes[0]!.address}:${nodes[0]!.wsPort}/events`);
    socket.on('message', (data) => pushed.push(JSON.parse((data as Buffer).toString()) as PushedBlock));
    await new Promise<void>((resolve, reject) => socket.once('open', resolve).once('error', reject));
  });
  afterAll(async () => {
    socket?.terminate();
    await network?.remove();
  });

  it('tells of every block that a transfer makes, each once, as the API gives it', async () => {
    const { api, funded } = network;
    const sent = await Promise.all(
      groups.map((group) =>
        transfer(api, funded[group]!, [
          { address: funded[(group + 1) % 4]!.address, attoCoinAmount: oneCoin.toString() },
        ]),
      ),
    );
    for (const { txId } of sent) await confirmed(api, txId);
    const has = (txId: string): boolean =>
      pushed.some(({ params }) => params.transactions.some(({ unsigned }) => unsigned.txId === txId));
    await until('all transfers in pushed blocks', () => sent.every(({ txId }) => has(txId)));
    const blocks = [...pushed];
    expect(new Set(blocks.map(({ params }) => params.hash)).size).toBe(blocks.length);
    for (const { method, params } of blocks) {
      expect(method).toBe('block_notify');
      expect(params).toEqual(await api.get(`/blockflow/blocks/${params.hash}`));
    }
  });
});
