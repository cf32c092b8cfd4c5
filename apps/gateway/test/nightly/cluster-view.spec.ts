import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { type NodeReportReply } from '@shardnode/messages';
import { networkIdentity } from '@shardnode/messages/network';
import { developmentNetwork } from '@shardnode/protocol/network';
import { type FakeNetwork, startFakeNetwork } from '../fakes/fake-network.js';

const report = (group: number, height: number): NodeReportReply => ({
  group,
  synced: group !== 1,
  mempoolSize: 3,
  networkId: 4,
  genesis: [],
  heights: Array.from({ length: 16 }, (_, chain) => (chain === 5 ? height : 7)),
  buffered: 0,
  clock: '1',
  tips: Array.from({ length: 16 }, () => 1),
  mempool: { size: 3, capacity: 10, oldestSeconds: 130 },
  siblings: [{ group: (group + 1) % 4, blocksBehind: 2, behindForSeconds: 5, clockOffsetMs: -40 }],
  health: {
    ready: group !== 1,
    reasons: group === 1 ? ['synced: it waits for <group 3>'] : [],
    problems:
      group === 1
        ? [
            {
              check: 'synced',
              reason: 'it waits for <group 3>',
              action: 'It goes on by itself.',
              since: '2026-01-01T00:00:00.000Z',
              seconds: 200,
            },
          ]
        : [],
    version: '1.2.3',
    uptimeSeconds: 90_000,
  },
});

describe('the view of all services', () => {
  let network: FakeNetwork;
  beforeAll(async () => {
    network = await startFakeNetwork({ apiKey: 'a'.repeat(40) });
    network.groups['read.node.report'] = (_request, group) => report(group, group === 1 ? 4 : 9);
    network.wallet['health'] = () => report(0, 0).health!;
    await network.stopGroup(3);
  });
  afterAll(() => network?.stop());

  it('says in /health/live who answers, and of which network', async () => {
    const answer = await fetch(`${network.base}/health/live`);
    expect(await answer.json()).toEqual({
      live: true,
      service: 'gateway',
      namespace: 'test',
      network: networkIdentity(developmentNetwork),
    });
  });

  it('needs no key, and tells of each service whether it is ready, and what is wrong', async () => {
    const answer = await fetch(`${network.base}/health/cluster`);
    expect(answer.status).toBe(200);
    const view = (await answer.json()) as {
      ready: boolean;
      groups: Record<string, unknown>[];
      services: Record<string, unknown>[];
    };
    expect(view).toMatchObject({ ready: false, networkId: 4 });
    expect(view.groups.map(({ service, ready, blocksBehind }) => [service, ready, blocksBehind])).toEqual([
      ['group-node-0', true, 0],
      ['group-node-1', false, 5],
      ['group-node-2', true, 0],
      ['group-node-3', false, undefined],
    ]);
    expect(view.groups[1]).toMatchObject({
      reasons: ['synced: it waits for <group 3>'],
      heights: [
        [7, 7, 7, 7],
        [7, 4, 7, 7],
        [7, 7, 7, 7],
        [7, 7, 7, 7],
      ],
      version: '1.2.3',
      mempool: { size: 3, capacity: 10, oldestSeconds: 130 },
    });
    expect(view.groups[3]!['reasons']).toEqual([expect.stringMatching(/group 3/)]);
    expect(view.services.map(({ service, ready }) => [service, ready])).toEqual([
      ['gateway', false],
      ['wallet-service', true],
    ]);
  });

  it('is a page for a browser, in which nothing is executed', async () => {
    const answer = await fetch(`${network.base}/health/cluster`, { headers: { accept: 'text/html,*/*' } });
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(answer.headers.get('content-security-policy')).toMatch(/default-src 'none'/);
    const page = await answer.text();
    expect(page).toContain('it waits for &lt;group 3&gt;, for 3 min');
    expect(page).toContain('<td class="bad">4</td>');
    expect(page).toContain('3 of 10, oldest 2 min');
    expect(page).toContain('-40 ms');
  });

  it('/health/ready names the group that is silent, and what to do', async () => {
    network.groups['read.node.status'] = (_request, group) =>
      group === 1
        ? { group, synced: false, reason: 'it waits', mempoolSize: 0, blocksBehind: 5, behindForMs: 2_000 }
        : { group, synced: true, mempoolSize: 0 };
    const behind = await fetch(`${network.base}/health/ready`);
    expect(behind.status).toBe(503);
    expect(((await behind.json()) as { problems: unknown[] }).problems).toEqual([
      expect.objectContaining({
        check: 'group-nodes',
        group: 1,
        blocksBehind: 5,
        seconds: 2,
        action: expect.any(String),
      }),
    ]);
    network.groups['read.node.status'] = (_request, group) => ({ group, synced: true, mempoolSize: 0 });
    // What is not ready is asked anew soon.
    await pause(50);
    const silent = await fetch(`${network.base}/health/ready`);
    expect(((await silent.json()) as { problems: unknown[] }).problems).toEqual([
      expect.objectContaining({ check: 'group-nodes', group: 3, reason: expect.stringContaining('group 3') }),
    ]);
  });
});
