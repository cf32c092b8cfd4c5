import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { developmentMnemonic } from '@shardnode/testing/keys';
import { apiClient, type ApiClient } from '../kit/api-client.js';
import { Cluster } from '../kit/cluster/cluster.js';
import { type CutSide, type SeenStatement } from '../kit/cluster/postgres-taps.js';
import { describeCluster } from '../kit/deployment.js';
import { patience } from '../kit/patience.js';
import { waitFor } from '../kit/wait-for.js';

const mnemonic = developmentMnemonic.join(' ');
const walletName = 'hot';
const forgotten = 'the old password';
const isNewPassword = ({ text }: SeenStatement): boolean => /^UPDATE .* SET "secret" = /.test(text);

describeCluster('a forgotten password, and kill -9 of the wallet-service', () => {
  let cluster: Cluster;
  let api: ApiClient;
  let addresses: unknown;
  beforeAll(async () => {
    cluster = new Cluster();
    await cluster.start();
    api = apiClient(() => cluster.baseUrl);
    await api.put('/wallets', { password: forgotten, mnemonic, walletName });
    await api.post(`/wallets/${walletName}/derive-next-address?group=2`);
    addresses = await api.get(`/wallets/${walletName}/addresses`);
  });
  afterAll(async () => {
    api?.close();
    await cluster?.remove();
  });

  const restore = (password: string) => api.put('/wallets', { password, mnemonic, walletName });
  const statusOfUnlock = async (password: string): Promise<number> => {
    const { status } = await api.send('POST', `/wallets/${walletName}/unlock`, { body: { password } });
    return status;
  };

  it.each<[CutSide, string, string, string]>([
    ['before', 'the database got it: the old password counts', forgotten, 'never stored'],
    ['after', 'it was stored and nobody was told: the new one counts', 'stored', forgotten],
  ])('%s %s', async (side, _what, counts, refused) => {
    const service = cluster.process('wallet-service');
    const proxy = cluster.proxy('wallet-service', 'postgres');
    const fault = side === 'before' ? 'cutBefore' : 'cutAfter';
    const hits = proxy.hits[fault];
    proxy.cutAtStatement({
      side,
      matching: (statement) => {
        const isIt = isNewPassword(statement);
        if (isIt && side === 'before') void service.kill9();
        return isIt;
      },
    });
    const lost = restore(side === 'before' ? refused : counts).catch(() => undefined);
    await waitFor('the statement to be cut', () => proxy.hits[fault] > hits, {
      timeoutMs: patience(30_000),
      everyMs: 1,
    });
    await service.kill9();
    await lost;
    await service.start();
    expect(await statusOfUnlock(counts)).toBe(200);
    expect(await statusOfUnlock(refused)).toBe(401);
    expect(await api.get(`/wallets/${walletName}/addresses`)).toEqual(addresses);
    await restore('at last');
    expect(await statusOfUnlock('at last')).toBe(200);
    await restore(forgotten);
    expect(await api.get(`/wallets/${walletName}/addresses`)).toEqual(addresses);
  });
});
