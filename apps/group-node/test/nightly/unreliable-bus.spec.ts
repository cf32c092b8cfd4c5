import { afterEach, describe, expect, it } from '@jest/globals';
import { type GroupRequestName, type GroupRequests } from '@shardnode/messages';
import { developmentKeys, testKeyOfGroup, type TestKey } from '@shardnode/testing/keys';
import { coin, TestNetwork, until } from '../support/network.js';

const groups = [0, 1, 2, 3];

describe('messages that are lost, repeated and reordered', () => {
  let network: TestNetwork;
  afterEach(() => network.close());

  /** Asks again as long as question or answer get lost: a submit may be repeated (decision 23). */
  const persistently = async <Name extends GroupRequestName>(
    group: number,
    name: Name,
    payload: GroupRequests[Name]['request'],
  ): Promise<GroupRequests[Name]['reply']> => {
    for (let attempt = 0; ; attempt++) {
      try {
        return await network.client.request(group, name, payload, { deadlineMs: 500 });
      } catch (error) {
        if ((error as { kind?: string }).kind !== 'unavailable' || attempt > 20) throw error;
      }
    }
  };

  const allTips = async (): Promise<string[]> =>
    Promise.all(
      groups.map(async (group) => {
        const tips: string[] = [];
        for (const from of groups) {
          for (const to of groups) {
            const { currentHeight } = await network.client.request(group, 'read.chain.info', { from, to });
            const height = currentHeight;
            tips.push((await network.client.request(group, 'read.chain.hashes', { from, to, height })).hashes[0]!);
          }
        }
        return tips.join();
      }),
    );

  it('end in the same chains, with every transfer in them and every coin accounted for', async () => {
    network = await TestNetwork.open();
    const rich = await developmentKeys();
    network.setChaos({ seed: 7, lose: 0.15, repeat: 0.2, reorder: 0.3, delayMs: 40 });
    const submitted: { group: number; txId: string }[] = [];
    const send = async (from: TestKey, to: TestKey): Promise<void> => {
      const template = await network.signedTransfer(from, [{ key: to, amount: coin }], persistently);
      const { txId } = await persistently(from.group, 'command.mempool.submit', { template });
      submitted.push({ group: from.group, txId });
    };
    for (let round = 0; round < 4; round++) {
      await Promise.all(groups.map((from) => send(rich[from]!, testKeyOfGroup((from + round) % 4))));
    }
    network.setChaos(undefined);
    await network.synced();
    await until('all nodes see the same tips', async () => new Set(await allTips()).size === 1);
    for (const { group, txId } of submitted) expect((await network.status(group, txId)).type).toBe('Confirmed');
    const { held, created, burned } = await network.countMoney([
      ...rich,
      ...groups.map((group) => testKeyOfGroup(group)),
    ]);
    expect(held + burned).toBe(4n * 10n ** 24n + created);
  });
});
