import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { testKeyOfGroup } from '@shardnode/testing/keys';
import { type Answer } from '../kit/api-client.js';
import { describeNetwork } from '../kit/deployment-under-test.js';
import { type ApiDocument } from '../kit/fuzz/described-api.js';
import { type FuzzRequest, FuzzRequests, mayStretch } from '../kit/fuzz/fuzz-requests.js';
import { FuzzRun } from '../kit/fuzz/fuzz-run.js';
import { exampleValues, GoodValues } from '../kit/fuzz/good-values.js';
import { Judge } from '../kit/fuzz/judge.js';
import { RawClient } from '../kit/fuzz/raw-client.js';
import { isLong, type Network, startNetwork } from '../kit/network.js';
import { confirmed, oneCoin, transfer } from '../kit/transfers.js';

const seed = Number(process.env['SEED'] ?? 2026);
const count = Number(process.env['REQUESTS'] ?? (isLong ? 200_000 : 8_000));
const connections = 24;
const timeoutMs = 10_000;
/** After so many requests, what they took away is put back. */
const roundLength = 1_000;
/** As the examples have them: the first wallet stays, the second one may be deleted. */
const password = 'correct horse battery staple';
const hotWallet = 'exchange-hot-1';
const victim = 'exchange-miner-1';
const besieged = 'besieged';

/** Its coins are out of reach of the wallets. */
const saver = testKeyOfGroup(2);

/** Nothing of this kind is on the network, so they never answer 200. */
const neverDone = [
  'GET /blockflow/main-chain-block-by-ghost-uncle/{ghost_uncle_hash}',
  'GET /contracts/{address}/state',
  'GET /events/contract/{contractAddress}/current-count',
  'PUT /mempool/transactions/rebroadcast',
  // Once: its transaction is spent then.
  'POST /multisig/submit',
];

describeNetwork(`requests made from the description, seed ${seed}`, () => {
  let network: Network;
  beforeAll(async () => {
    network = await startNetwork();
    const { api } = network;
    await api.put('/wallets', { password, mnemonic: network.ready.mnemonic, walletName: hotWallet });
    await api.post('/wallets', { password, walletName: besieged });
    const attoCoinAmount = (1_000n * oneCoin).toString();
    const sent = await transfer(api, network.funded[0]!, [{ address: saver.address, attoCoinAmount }]);
    await confirmed(api, sent.txId);
  });
  afterAll(() => network?.remove());

  /** Wallets, coins of the active address, and mining as before; each may be in order, or pause after wrong passwords. */
  const putBack = async (): Promise<void> => {
    const { api, funded, ready } = network;
    const [active] = funded;
    await api.send('PUT', '/wallets', { body: { password, mnemonic: ready.mnemonic, walletName: hotWallet } });
    await api.send('POST', `/wallets/${hotWallet}/change-active-address`, { body: { address: active!.address } });
    const sent = await transfer(api, saver, [{ address: active!.address, attoCoinAmount: (5n * oneCoin).toString() }]);
    await confirmed(api, sent.txId);
    await api.send('POST', '/wallets', { body: { password, walletName: victim, isMiner: true } });
    await api.send('POST', `/wallets/${victim}/unlock`, { body: { password } });
    await api.send('POST', '/miners/cpu-mining?action=start-mining');
  };

  it(
    'are answered as described',
    async () => {
      const document = await network.api.get<ApiDocument>('/docs/openapi.json');
      const { headers: hashes } = await network.api.get<{ headers: string[] }>(
        '/blockflow/hashes?fromGroup=0&toGroup=0&height=1',
      );
      const now = Date.now();
      const more = { fromTs: [now - 60_000], toTs: [now + 60_000], block_hash: hashes, blockHash: hashes };
      const values = new GoodValues(document, exampleValues(document, more), seed);
      const requests = new FuzzRequests(values, { seed, count, wallets: { stretched: 20, victim, besieged } });
      const client = new RawClient(network.deployment.baseUrl, connections, timeoutMs);

      /** On a busy machine a group may have too much to do: it says when to come again, and is asked again then. */
      const send = async (request: FuzzRequest, tries = 5): Promise<Answer> => {
        const answer = await client.send(request);
        const { 'x-error-code': code, 'retry-after': seconds } = answer.headers;
        if (code !== 'QueueFull' || seconds === undefined || tries === 1) return answer;
        await pause(Number(seconds) * 1_000);
        return send(request, tries - 1);
      };
      let before: Promise<unknown> = Promise.resolve();
      const oneByOne = (request: FuzzRequest): Promise<Answer> => {
        const answer = before.then(() => send(request));
        before = answer.catch(() => undefined);
        return answer;
      };
      const run = new FuzzRun({
        requests,
        judge: new Judge(document),
        seed,
        connections,
        send: (request) => (mayStretch(request) ? oneByOne(request) : send(request)),
      });
      for (let first = 0; first < count; first += roundLength) {
        await putBack();
        await run.send(first, Math.min(first + roundLength, count));
      }
      client.close();

      expect(run.findings()).toEqual([]);
      // Fewer do not reach everything.
      if (count < 5_000) return;
      expect(run.without200(document).filter((name) => !neverDone.includes(name))).toEqual([]);
    },
    isLong ? 3_600_000 : 900_000,
  );

  it('leave a network that works', async () => {
    await putBack();
    const { api, funded, deployment } = network;
    const attoCoinAmount = oneCoin.toString();
    const sent = await transfer(api, saver, [{ address: funded[3]!.address, attoCoinAmount }]);
    await confirmed(api, sent.txId);
    expect(deployment.log()).not.toMatch(/unhandled|uncaught/i);
  });
});
