import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openNetwork, readLocalnetConfiguration, type LocalNetwork } from '@shardnode/localnet';
import { openEmbeddedDatabase } from '@shardnode/core/database';
import { createLogger } from '@shardnode/core/observability';
import { developmentKeys, testKeyOfGroup } from '@shardnode/testing/keys';
import { preparedClusterFile } from '@shardnode/testing/prepared-clusters';
import { apiClient, type Answer, type ApiClient } from '../kit/api-client.js';
import { type SubmittedForm } from '../kit/api-forms.js';
import { metricSum } from '../kit/cluster/metrics.js';
import { type Harm, takenOverBus } from '../kit/taken-over-group.js';
import { balanceOf, confirmed, oneCoin, transfer } from '../kit/transfers.js';

const password = 'correct horse battery staple';
const payee = testKeyOfGroup(2, 70);
const thief = testKeyOfGroup(2, 71);
const coins = (amount: bigint): string => (Number(amount / 10n ** 12n) / 1e6).toLocaleString('en');

const toThief: Harm = (built) => ({
  ...built,
  fixedOutputs: built.fixedOutputs.map((output) => ({ ...output, lockupScript: thief.lockupScript })),
});
const changeToThief: Harm = (built) => ({
  ...built,
  fixedOutputs: built.fixedOutputs.map((output, index) =>
    index === 0 ? output : { ...output, lockupScript: thief.lockupScript },
  ),
});
/** The fee of a whole coin goes to whom the group-node mines for. */
const dearest: Harm = (built) => {
  const gasPrice = oneCoin / BigInt(built.gasAmount);
  const more = (gasPrice - built.gasPrice) * BigInt(built.gasAmount);
  const last = built.fixedOutputs.length - 1;
  return {
    ...built,
    gasPrice,
    fixedOutputs: built.fixedOutputs.map((output, index) =>
      index === last ? { ...output, amount: output.amount - more } : output,
    ),
  };
};
const lockedForEver: Harm = (built) => ({
  ...built,
  fixedOutputs: built.fixedOutputs.map((output) => ({ ...output, lockTime: 4_102_444_800_000n })),
});

describe('a group-node that is taken over, and builds for wallets', () => {
  let harm: Harm | undefined;
  let network: LocalNetwork;
  let api: ApiClient;
  let wallet = '';
  let wallets = 0;
  let active = '';
  const folder = mkdtempSync(join(tmpdir(), 'shardnode-attack-'));
  const logLines: string[] = [];

  beforeAll(async () => {
    const configuration = readLocalnetConfiguration({ PORT: '0', WS_PORT: '0', DATA_DIR: folder, DEV_WALLET: 'false' });
    const databases = await openEmbeddedDatabase({ dataDir: folder, preparedCluster: await preparedClusterFile({}) });
    const write = (chunk: Buffer, _encoding: string, done: () => void): void => {
      logLines.push(chunk.toString());
      done();
    };
    const logger = createLogger({ level: 'info', destination: new Writable({ write }) });
    network = await openNetwork(configuration, databases, logger, { bus: takenOverBus(() => harm) });
    await network.start();
    api = apiClient(() => `http://127.0.0.1:${network.port}`);
  });
  /** Each attack meets a wallet of its own with 100 coins. */
  beforeEach(async () => {
    harm = undefined;
    wallet = `victim-${(wallets += 1)}`;
    await api.post('/wallets', { password, walletName: wallet });
    active = (await api.get<{ activeAddress: string }>(`/wallets/${wallet}/addresses`)).activeAddress;
    const [funded] = await developmentKeys();
    const { txId } = await transfer(api, funded!, [{ address: active, attoCoinAmount: String(100n * oneCoin) }]);
    await confirmed(api, txId);
  });
  afterAll(async () => {
    harm = undefined;
    api?.close();
    await network?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const transferOne = (): Promise<Answer> =>
    api.send('POST', `/wallets/${wallet}/transfer`, {
      body: { destinations: [{ address: payee.address, amount: String(oneCoin) }] },
    });
  const sweepToOwn = (): Promise<Answer> =>
    api.send('POST', `/wallets/${wallet}/sweep-active-address`, { body: { toAddress: active } });
  const settled = async ({ status, text }: Answer): Promise<void> => {
    if (status !== 200) return;
    const answer = JSON.parse(text) as SubmittedForm | { readonly results: readonly SubmittedForm[] };
    const sent = 'results' in answer ? answer.results : [answer];
    for (const { txId } of sent) await confirmed(api, txId);
  };
  const refusedCount = async (): Promise<number> => {
    const { port } = network.inner.find(({ name }) => name === 'wallet-service')!;
    const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    return metricSum(metrics, 'wallet_service_signing_refused_total');
  };

  it('an honest one: both are signed, and what was asked for is paid', async () => {
    const before = await balanceOf(api, payee.address);
    const sent = await transferOne();
    expect(sent.status).toBe(200);
    await settled(sent);
    expect(await balanceOf(api, payee.address)).toBe(before + oneCoin);
    const swept = await sweepToOwn();
    expect(swept.status).toBe(200);
    await settled(swept);
    expect(await refusedCount()).toBe(0);
  });

  it.each<[string, Harm, () => Promise<Answer>]>([
    ['a transfer that pays the thief', toThief, transferOne],
    ['a transfer whose change goes to the thief', changeToThief, transferOne],
    ['a transfer with the highest fee', dearest, transferOne],
    ['a transfer whose outputs stay locked for decades', lockedForEver, transferOne],
    ['a sweep to the thief', toThief, sweepToOwn],
  ])('%s: nothing is signed', async (title, made, ask) => {
    const before = await balanceOf(api, active);
    const counted = await refusedCount();
    const logged = logLines.length;
    harm = made;
    const answer = await ask();
    harm = undefined;
    await settled(answer);
    const lost = before - (await balanceOf(api, active));
    process.stderr.write(`${title}: ${answer.status}, ${coins(lost)} coins lost\n`);
    expect(lost).toBe(0n);
    expect(await balanceOf(api, thief.address)).toBe(0n);
    expect(answer.status).toBe(500);
    expect(answer.headers['x-error-code']).toBe('BuiltTransactionDiffers');
    expect(await refusedCount()).toBe(counted + 1);
    const lines = logLines.slice(logged).filter((line) => line.includes('transaction of a group-node not signed'));
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0]!)).toMatchObject({
      service: 'wallet-service',
      requestId: answer.headers['x-request-id'],
    });
  });

  it('an honest one again: payments go on', async () => {
    const sent = await transferOne();
    expect(sent.status).toBe(200);
    await settled(sent);
  });
});
