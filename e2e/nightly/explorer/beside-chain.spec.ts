import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openEmbeddedDatabase } from '@shardnode/core/database';
import { developmentKeys, testKeysOfGroup, type TestKey } from '@shardnode/testing/keys';
import { differences, type Snapshot } from '../../../apps/explorer/test/trees/snapshot.js';
import { storedIndex } from '../../../apps/explorer/test/trees/stored-index.js';
import { apiClient } from '../../kit/api-client.js';
import { groups } from '../../kit/chains.js';
import { type Deployment, type Ready } from '../../kit/deployment.js';
import { embeddedDeployment } from '../../kit/embedded-deployment.js';
import { type SyncForm } from '../../kit/explorer/embedded-explorer.js';
import { patience } from '../../kit/patience.js';
import { confirmed, fundingTransfer, oneCoin, transfer } from '../../kit/transfers.js';
import { waitFor } from '../../kit/wait-for.js';

const kills = 10;
const sendersOfGroup = 2;

describe('the explorer of npm start, killed under load', () => {
  let deployment: Deployment;
  let ready: Ready;
  let isStopping = false;
  const sent: string[] = [];
  const failures: unknown[] = [];
  const indexFolder = (): string => join(deployment.dataDir, 'explorer');

  /** The explorer's process, by the folder of its index. */
  const explorerPid = (): number | undefined => {
    const isExplorer = (pid: string): boolean => {
      try {
        return readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`INDEX_DIR=${indexFolder()}\0`);
      } catch {
        return false; // ended just now
      }
    };
    const found = readdirSync('/proc').find((name) => /^\d+$/.test(name) && isExplorer(name));
    return found === undefined ? undefined : Number(found);
  };
  const untilSynced = (): Promise<unknown> =>
    waitFor(
      'the explorer to be synced',
      async () => {
        const sync = (await (await fetch(`${ready.explorerUrl}/infos/sync`)).json()) as SyncForm;
        return sync.synced && sync.chains.every(({ height, nodeHeight }) => height === nodeHeight);
      },
      { timeoutMs: patience(60_000), everyMs: 100 },
    );
  /** The index of a network that does not run. */
  const indexOf = async (): Promise<Snapshot> => {
    const { identity } = JSON.parse(readFileSync(join(deployment.dataDir, 'database.json'), 'utf8')) as {
      identity: string;
    };
    const databases = await openEmbeddedDatabase({ dataDir: indexFolder(), identity });
    try {
      return await storedIndex(databases.service('explorer'));
    } finally {
      await databases.close();
    }
  };

  beforeAll(async () => {
    deployment = embeddedDeployment({ EXPLORER: 'on', EXPLORER_PORT: '0', MINING_HEARTBEAT: '0' });
    ready = await deployment.start();
  });
  afterAll(() => deployment?.remove());

  it(`fails no request of the chain in ${kills} kills`, async () => {
    const api = apiClient(() => deployment.baseUrl);
    const funded = await developmentKeys();
    const senders = groups.flatMap((group) => testKeysOfGroup(group, sendersOfGroup));
    for (const group of groups) {
      const own = senders.filter((sender) => sender.group === group);
      const amount = (1_000n * oneCoin).toString();
      await fundingTransfer(
        api,
        funded[group]!,
        own.map(({ address }) => ({ address, attoCoinAmount: amount })),
      );
    }
    const send = async (from: TestKey): Promise<void> => {
      for (let i = 0; !isStopping; i++) {
        try {
          const { address } = funded[(from.group + i) % groups.length]!;
          const { txId } = await transfer(api, from, [{ address, attoCoinAmount: oneCoin.toString() }]);
          await confirmed(api, txId);
          sent.push(txId);
        } catch (error) {
          failures.push(error);
        }
      }
    };
    const sending = senders.map(send);
    for (let kill = 0; kill < kills; kill++) {
      const pid = await waitFor('the explorer', explorerPid, { timeoutMs: patience(60_000) });
      await pause(kill * 150);
      process.kill(pid, 'SIGKILL');
      await waitFor('its end', () => !existsSync(`/proc/${pid}`));
    }
    isStopping = true;
    await Promise.all(sending);
    expect(failures).toEqual([]);
    expect(sent.length).toBeGreaterThan(kills);
    api.close();
  });

  it('ends with an index as one that is built afresh', async () => {
    await untilSynced();
    await deployment.stop();
    const index = await indexOf();
    rmSync(indexFolder(), { recursive: true });
    ready = await deployment.start();
    await untilSynced();
    await deployment.stop();
    expect(differences(index, await indexOf())).toEqual([]);
    process.stderr.write(`explorer of npm start: ${sent.length} transfers, ${kills} kills\n`);
  });
});
