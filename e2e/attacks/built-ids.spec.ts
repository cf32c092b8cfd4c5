import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openNetwork, readLocalnetConfiguration, type LocalNetwork } from '@shardnode/localnet';
import { openEmbeddedDatabase } from '@shardnode/core/database';
import { createLogger } from '@shardnode/core/observability';
import { type BuiltTransaction, type SweepReply } from '@shardnode/messages';
import { sign } from '@shardnode/protocol/crypto';
import { bytesToHex, decode, encode, hexToBytes } from '@shardnode/protocol/encoding';
import {
  transactionId,
  transactionTemplateCodec,
  type UnsignedTransaction,
  unsignedTransactionCodec,
} from '@shardnode/protocol/transaction';
import { developmentKeys, type TestKey, testKeyOfGroup, testKeysOfGroup } from '@shardnode/testing/keys';
import { preparedClusterFile } from '@shardnode/testing/prepared-clusters';
import { apiClient, type Answer, type ApiClient } from '../kit/api-client.js';
import { type BuiltForm, type FixedOutput, type SubmittedForm } from '../kit/api-forms.js';
import { metricSum } from '../kit/cluster/metrics.js';
import { type Answering, answeringBus } from '../kit/taken-over-group.js';
import { balanceOf, build, confirmed, oneCoin, signOffline, transfer } from '../kit/transfers.js';

const victim = testKeyOfGroup(0);
const [payee, thief] = testKeysOfGroup(2, 2) as [TestKey, TestKey];
const fromPublicKey = bytesToHex(victim.publicKey);

/** Of `POST /transactions/decode-unsigned-tx`. */
interface Decoded {
  readonly unsignedTx: { readonly fixedOutputs: readonly FixedOutput[] };
}

const toThief = (unsigned: UnsignedTransaction): UnsignedTransaction => ({
  ...unsigned,
  fixedOutputs: unsigned.fixedOutputs.map((output) => ({ ...output, lockupScript: thief.lockupScript })),
});

/** Builds honestly, names the id of a theft, and puts the signature of the client under the theft. */
const swapping = (): Answering => {
  const thefts = new Map<string, UnsignedTransaction>();
  const withIdOfTheft = (built: BuiltTransaction): BuiltTransaction => {
    const theft = toThief(decode(unsignedTransactionCodec, built.unsignedTx));
    thefts.set(built.txId, theft);
    return { ...built, txId: transactionId(theft) };
  };
  return async (name, payload, honest) => {
    if (name === 'read.building.transfer') return withIdOfTheft((await honest(payload)) as BuiltTransaction);
    if (name === 'read.building.sweep') {
      const sweep = (await honest(payload)) as SweepReply;
      return { ...sweep, transactions: sweep.transactions.map(withIdOfTheft) };
    }
    if (name !== 'command.mempool.submit') return honest(payload);
    const template = decode(transactionTemplateCodec, (payload as { readonly template: Uint8Array }).template);
    const unsigned = thefts.get(transactionId(template.unsigned)) ?? template.unsigned;
    return honest({ template: encode(transactionTemplateCodec, { ...template, unsigned }) });
  };
};

/** Takes a transaction, and says that it was another one. */
const misnaming: Answering = async (name, payload, honest) => {
  const reply = (await honest(payload)) as object;
  return name === 'command.mempool.submit' ? { ...reply, txId: 'ab'.repeat(32), fromGroup: 3, toGroup: 3 } : reply;
};

describe('a group-node that is taken over, and names other ids to clients with keys of their own', () => {
  let answering: Answering | undefined;
  let network: LocalNetwork;
  let api: ApiClient;
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
    network = await openNetwork(configuration, databases, logger, { bus: answeringBus(() => answering) });
    await network.start();
    api = apiClient(() => `http://127.0.0.1:${network.port}`);
    const [funded] = await developmentKeys();
    const { txId } = await transfer(api, funded!, [
      { address: victim.address, attoCoinAmount: String(100n * oneCoin) },
    ]);
    await confirmed(api, txId);
  });
  afterAll(async () => {
    answering = undefined;
    api?.close();
    await network?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const refusedCount = async (): Promise<number> => {
    const metrics = await (await fetch(`http://127.0.0.1:${network.port}/metrics`)).text();
    return metricSum(metrics, 'gateway_builds_refused_total');
  };
  const buildOne = (): Promise<Answer> =>
    api.send('POST', '/transactions/build', {
      body: { fromPublicKey, destinations: [{ address: payee.address, attoCoinAmount: String(oneCoin) }] },
    });
  const buildSweep = (): Promise<Answer> =>
    api.send('POST', '/transactions/sweep-address/build', { body: { fromPublicKey, toAddress: payee.address } });

  /** As docs/exchange.md says: looks at the decoded transaction, signs the id of the answer, and submits. */
  const signedAndSubmitted = async ({ status, text }: Answer): Promise<void> => {
    if (status !== 200) return;
    const answer = JSON.parse(text) as BuiltForm | { readonly unsignedTxs: readonly BuiltForm[] };
    for (const { unsignedTx, txId } of 'unsignedTxs' in answer ? answer.unsignedTxs : [answer]) {
      const decoded = await api.post<Decoded>('/transactions/decode-unsigned-tx', { unsignedTx });
      expect(decoded.unsignedTx.fixedOutputs[0]!.address).toBe(payee.address);
      const signature = bytesToHex(sign(hexToBytes(txId), victim.privateKey));
      await api.send('POST', '/transactions/submit', { body: { unsignedTx, signature } });
      await confirmed(api, txId);
    }
  };

  it.each<[string, () => Promise<Answer>]>([
    ['a transfer', buildOne],
    ['a sweep', buildSweep],
  ])('%s with the id of a theft: nothing is answered to sign', async (title, ask) => {
    const counted = await refusedCount();
    const logged = logLines.length;
    answering = swapping();
    const answer = await ask();
    await signedAndSubmitted(answer);
    answering = undefined;
    const stolen = await balanceOf(api, thief.address);
    process.stderr.write(`${title}: ${answer.status}, ${stolen} attoCoin stolen\n`);
    expect(stolen).toBe(0n);
    expect([answer.status, answer.headers['x-error-code']]).toEqual([500, 'BuiltTransactionDiffers']);
    expect(Object.keys(JSON.parse(answer.text) as object)).toEqual(['detail']);
    // Cached for a moment.
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await refusedCount()).toBe(counted + 1);
    const lines = logLines.slice(logged).filter((line) => line.includes('transaction of a group-node not answered'));
    expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
      expect.objectContaining({
        service: 'gateway',
        group: 0,
        part: 'txId',
        requestId: answer.headers['x-request-id'],
      }),
    ]);
  });

  it('a submit that is answered with another id and other groups: the client gets its own', async () => {
    const built = await build(api, victim, [{ address: payee.address, attoCoinAmount: String(oneCoin) }]);
    answering = misnaming;
    const sent = await api.post<SubmittedForm>('/transactions/submit', {
      unsignedTx: built.unsignedTx,
      signature: signOffline(built, victim),
    });
    answering = undefined;
    expect(sent).toEqual({ txId: built.txId, fromGroup: 0, toGroup: 2 });
    await confirmed(api, sent.txId);
    expect(await balanceOf(api, payee.address)).toBe(oneCoin);
  });
});
