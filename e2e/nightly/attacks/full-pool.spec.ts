import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openNetwork, readLocalnetConfiguration, type LocalNetwork } from '@shardnode/localnet';
import { type Bus, type BusNetwork, createInProcessNetwork, senderName } from '@shardnode/core/bus';
import { openEmbeddedDatabase } from '@shardnode/core/database';
import { createLogger } from '@shardnode/core/observability';
import { peerSubject } from '@shardnode/messages';
import { bytesToHex, encode } from '@shardnode/protocol/encoding';
import { developmentNetwork } from '@shardnode/protocol/network';
import { transactionTemplateCodec, unsignedTransactionCodec } from '@shardnode/protocol/transaction';
import {
  type SpendableOutput,
  assetOutput,
  buildSignedTransfer,
  inventedOutput,
  unsignedTemplate,
} from '@shardnode/testing/builders';
import { developmentKeys, testKeyOfGroup, testKeysOfGroup, type TestKey } from '@shardnode/testing/keys';
import { type Answer, apiClient, type ApiClient } from '../../kit/api-client.js';
import { type SubmittedForm } from '../../kit/api-forms.js';
import { metricSum } from '../../kit/cluster/metrics.js';
import { describeNetwork } from '../../kit/deployment-under-test.js';
import { type Network, startNetwork } from '../../kit/network.js';
import { build, confirmed, mineOneBlock, oneCoin, outputsOf, signOffline, submit } from '../../kit/transfers.js';
import { waitFor } from '../../kit/wait-for.js';

const capacity = 400;
const group = 2;
const rounds = 10;
const [attacker, exchange, customer] = testKeysOfGroup(group, 3) as [TestKey, TestKey, TestKey];
const fee = 20_000n * 10n ** 11n;

/** Outputs of one owner, each spent by the next transaction. */
interface Chain {
  tip: SpendableOutput;
}

/** A chain costs its sender one fee for each block; whoever fills the pool with it refills one place for each block. */
describeNetwork('attack: a mempool that is filled with dependent transactions', () => {
  let network: Network;
  beforeAll(async () => {
    network = await startNetwork({ MINING: 'off', MEMPOOL_CAPACITY: String(capacity) });
  });
  afterAll(() => network?.remove());

  /** `count` mined outputs of the owner, made by one transaction. */
  const fund = async (owner: TestKey, count: number): Promise<SpendableOutput[]> => {
    const destinations = Array.from({ length: count }, () => ({
      address: owner.address,
      attoCoinAmount: String(10n * oneCoin),
    }));
    const { unsignedTx, txId } = await build(network.api, network.funded[group]!, destinations);
    await submit(network.api, unsignedTx, signOffline({ unsignedTx, txId }, network.funded[group]!));
    await mineOneBlock(network.api, group, group);
    await confirmed(network.api, txId);
    return outputsOf(unsignedTx).slice(0, count);
  };
  const send = (from: TestKey, spend: SpendableOutput, amount?: bigint) => {
    const outputs = amount === undefined ? [] : [assetOutput(customer.lockupScript, amount)];
    const { unsigned, inputSignatures } = buildSignedTransfer({
      settings: developmentNetwork,
      from,
      spend: [spend],
      outputs,
    });
    const body = {
      unsignedTx: bytesToHex(encode(unsignedTransactionCodec, unsigned)),
      signature: bytesToHex(inputSignatures[0]!),
    };
    const answer = network.api.send('POST', '/transactions/submit', { body });
    return { unsignedTx: body.unsignedTx, answer };
  };
  /** Makes the chain longer until it is refused. */
  const extend = async (chain: Chain): Promise<{ readonly placed: number; readonly refusal: Answer }> => {
    for (let placed = 0; ; placed++) {
      const { unsignedTx, answer } = send(attacker, chain.tip);
      const refusal = await answer;
      if (refusal.status !== 200) return { placed, refusal };
      chain.tip = outputsOf(unsignedTx)[0]!;
    }
  };
  const extendAll = async (chains: readonly Chain[]): Promise<number> => {
    let sum = 0;
    for (const chain of chains) sum += (await extend(chain)).placed;
    return sum;
  };
  /** Payments of an exchange that has split its outputs; the answers of those that were refused. */
  const payAll = async (outputs: readonly SpendableOutput[]): Promise<Answer[]> => {
    const refused: Answer[] = [];
    for (const output of outputs) {
      const answer = await send(exchange, output, output.output.amount - fee).answer;
      if (answer.status !== 200) refused.push(answer);
    }
    return refused;
  };
  const codeOf = ({ headers }: Answer) => headers['x-error-code'];

  it('60 parallel payments from one output pass, as long as the pool is less than half full', async () => {
    const { api, ready } = network;
    await api.put('/wallets', { password: 'pass-word-1', mnemonic: ready.mnemonic, walletName: 'hot' });
    const destinations = [{ address: testKeyOfGroup(0).address, amount: String(oneCoin) }];
    const sent = await Promise.all(
      Array.from({ length: 60 }, () => api.post<SubmittedForm>('/wallets/hot/transfer', { destinations })),
    );
    expect(new Set(sent.map(({ txId }) => txId)).size).toBe(60);
  });

  it('leaves a quarter of the places to others, and the places that each block frees', async () => {
    const [long, ...short] = (await fund(attacker, 5)).map((tip): Chain => ({ tip }));
    const first = await fund(exchange, capacity / 4 + 20);
    const later = await fund(exchange, 10 * rounds);
    const { placed, refusal } = await extend(long!);
    const more = await extendAll(short);
    const refused = await payAll(first);
    const taken = first.length - refused.length;
    let [refilled, late] = [0, 0];
    while (later.length > 0) {
      await mineOneBlock(network.api, group, group);
      refilled += await extendAll([long!, ...short]);
      late += 10 - (await payAll(later.splice(0, 10))).length;
    }
    process.stderr.write(
      `of ${capacity} places the attacker gets ${placed} with one chain (${codeOf(refusal)}), ${more} with short ones; ` +
        `${taken} of ${first.length} payments of another client are taken; ` +
        `beside ${rounds} blocks the attacker adds ${refilled}, and ${late} of ${10 * rounds} payments are taken\n`,
    );
    expect([refusal.status, codeOf(refusal)]).toEqual([503, 'TooManyUnminedAncestors']);
    expect(refusal.headers['retry-after']).toBe('1');
    expect([placed, more, taken]).toEqual([capacity / 2, capacity / 4, capacity / 4]);
    expect(new Set(refused.map(codeOf))).toEqual(new Set(['MempoolFull']));
    expect(late).toBe(10 * rounds);
  });
});

/** A sibling announces transactions that nobody has validated: their inputs are of its group. */
describe('attack: a mempool that a group-node which is taken over fills with announcements', () => {
  let network: LocalNetwork;
  let api: ApiClient;
  let sibling: Bus | undefined;
  const folder = mkdtempSync(join(tmpdir(), 'shardnode-attack-'));
  const from = 1;
  const to = 0;

  beforeAll(async () => {
    const configuration = readLocalnetConfiguration({
      PORT: '0',
      WS_PORT: '0',
      DATA_DIR: folder,
      DEV_WALLET: 'false',
      MINING: 'off',
      MEMPOOL_CAPACITY: String(capacity),
    });
    const inner = createInProcessNetwork();
    const joinAs: BusNetwork['join'] = async (options) => {
      const connection = await inner.join(options);
      if (senderName(options.sender) === `group-node-${from}`) sibling = connection.bus;
      return connection;
    };
    const bus = { join: joinAs, close: () => inner.close() };
    const logger = createLogger({ level: 'silent' });
    network = await openNetwork(configuration, await openEmbeddedDatabase({ dataDir: folder }), logger, { bus });
    await network.start();
    api = apiClient(() => `http://127.0.0.1:${network.port}`);
  });
  afterAll(async () => {
    api?.close();
    await network?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const metricsOfReceiver = async (): Promise<string> => {
    const { port } = network.inner.find(({ name }) => name === `group-node-${to}`)!;
    return (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  };
  const announce = (number: number): void => {
    const { reference } = inventedOutput(assetOutput(testKeyOfGroup(from).lockupScript, 1n), `invented ${number}`);
    const template = unsignedTemplate([reference], [testKeyOfGroup(to).lockupScript]);
    const payload = { from, to, template: encode(transactionTemplateCodec, template) };
    sibling!.publish(peerSubject('localnet', { event: 'peer.tx', from, to }), payload);
  };

  it('gets its share of the places, the rest is counted, and others are served', async () => {
    const announced = 5_000;
    for (let number = 0; number < announced; number++) announce(number);
    const refusedOrTaken = (metrics: string): number =>
      metricSum(metrics, 'group_node_blocks_refused_total') + metricSum(metrics, 'group_node_mempool_transactions');
    const metrics = await waitFor('all announcements to be judged', async () => {
      const text = await metricsOfReceiver();
      return refusedOrTaken(text) >= announced && text;
    });
    const shown = metricSum(metrics, 'group_node_mempool_transactions');
    const [funded] = await developmentKeys();
    const built = await build(api, funded!, [{ address: testKeyOfGroup(to).address, attoCoinAmount: String(oneCoin) }]);
    const body = { unsignedTx: built.unsignedTx, signature: signOffline(built, funded!) };
    const { status } = await api.send('POST', '/transactions/submit', { body });
    process.stderr.write(`of ${announced} announcements ${shown} are shown; a payment is answered ${status}\n`);
    expect(status).toBe(200);
    expect(shown).toBe(Math.ceil(capacity / 4 / 3));
  });
});
