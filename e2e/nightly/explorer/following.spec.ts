import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type Block } from '@shardnode/protocol/block';
import { addressOf } from '@shardnode/protocol/address';
import { hexToBytes } from '@shardnode/protocol/encoding';
import { developmentNetwork } from '@shardnode/protocol/network';
import { createChaos } from '@shardnode/testing/chaos';
import { developmentKeys, testKeyOfGroup } from '@shardnode/testing/keys';
import { EventStream } from '@shardnode/testing/event-stream';
import { sampleBytecode, sampleCode, u256 } from '@shardnode/testing/sample-contracts';
import { until } from '@shardnode/testing/waiting';
import { openEmbedded, type TestDatabase } from '../../../apps/explorer/test/support/databases.js';
import { differences } from '../../../apps/explorer/test/trees/snapshot.js';
import { storedIndex } from '../../../apps/explorer/test/trees/stored-index.js';
import { branchOf, makeHistory } from '../../../apps/group-node/test/support/histories.js';
import { coin, type Overrides, TestNetwork } from '../../../apps/group-node/test/support/network.js';
import { TestExplorer } from '../../kit/explorer/embedded-explorer.js';
import { untilHeadsEqual } from '../../kit/explorer/same-as-nodes.js';

const groups = 4;

describe('an explorer beside group-nodes in one process', () => {
  let network: TestNetwork;
  let opened: TestDatabase;
  let explorer: TestExplorer | undefined;
  const open = async (overrides: Overrides = {}): Promise<void> => {
    network = await TestNetwork.open({ mining: 'off', ...overrides });
  };
  const follow = async (): Promise<TestExplorer> =>
    (explorer = await TestExplorer.start({ bus: network.network, database: opened.database }));
  const untilEqual = (): Promise<void> => untilHeadsEqual(opened.database, network.explorer);
  const untilLive = (from: TestExplorer): Promise<void> =>
    until('it is live', async () => (await from.sync()).phase === 'live');

  /** An index that is built anew of the same chains has the same rows. */
  const expectAsBuiltAfresh = async (): Promise<void> => {
    const fresh = await openEmbedded();
    const other = await TestExplorer.start({ bus: network.network, database: fresh.database });
    await untilHeadsEqual(fresh.database, network.explorer);
    await other.stop();
    expect(differences(await storedIndex(opened.database), await storedIndex(fresh.database))).toEqual([]);
    await fresh.close();
  };

  beforeEach(async () => {
    opened = await openEmbedded();
  });
  /** Whether the index of the test was made by honest group-nodes alone. */
  let isHonest = true;
  afterEach(async () => {
    if (isHonest)
      expect(await opened.database.query('findings-of-test', 'SELECT * FROM explorer.audit_findings')).toEqual([]);
    isHonest = true;
    await explorer?.stop();
    explorer = undefined;
    await network.close();
    await opened.close();
  });

  it('builds its index of a history, and balances are those of the nodes', async () => {
    await open();
    await makeHistory(network, 12);
    const at = await follow();
    await untilEqual();
    await untilLive(at);
    const sync = await at.sync();
    expect(sync).toMatchObject({ synced: true, unresolvedInputs: 0, conflictInputs: 0 });
    expect(sync.chains.every(({ height, nodeHeight, state }) => height === nodeHeight && state === 'following')).toBe(
      true,
    );
    for (const key of [...(await developmentKeys()), ...[0, 1, 2, 3].map((group) => testKeyOfGroup(group))]) {
      const { balance } = await at.get<{ balance: string }>(`/addresses/${key.address}`);
      expect([key.address, BigInt(balance)]).toEqual([key.address, await network.balance(key, false)]);
    }
    const metrics = await at.text('/metrics');
    expect(metrics).toMatch(/explorer_chain_height\{.*chain_from="0",chain_to="0".*\} \d+/);
    expect(metrics).toMatch(/explorer_chain_lag_blocks\{.*chain_from="0",chain_to="0".*\} 0/);
    const isAudited = async (): Promise<boolean> =>
      /^explorer_audit_lag_blocks\{.*\} 0$/m.test(await at.text('/metrics'));
    await until('the supply audit has judged every block', isAudited);
  });

  it('shows a transfer as pending at once, and as confirmed after its block', async () => {
    await open();
    const at = await follow();
    await untilEqual();
    await untilLive(at);
    const [rich] = await developmentKeys();
    const stream = await EventStream.open(`${at.url}/stream?topics=blocks,pending`);
    await stream.untilCame('snapshot');
    const { txId } = await network.transfer(rich!, [{ key: testKeyOfGroup(2), amount: coin }]);
    const typeOf = async (): Promise<string | undefined> =>
      (await at.get<{ type?: string }>(`/transactions/${txId}`)).type;
    const sent = performance.now();
    await until('it is pending', async () => (await typeOf()) === 'Pending', 3_000);
    const pendingAfter = performance.now() - sent;
    expect((await stream.untilCame<{ added: { hash: string }[] }>('pending')).added).toMatchObject([{ hash: txId }]);
    const { blockHash } = await network.mine(rich!.group, 2);
    expect(await stream.untilCame('block')).toMatchObject({ hash: blockHash, txNumber: 2 });
    expect((await stream.untilCame<{ removed: string[] }>('pending', 2)).removed).toEqual([txId]);
    stream.close();
    await until('it is accepted', async () => (await typeOf()) === 'Accepted', 3_000);
    expect(pendingAfter).toBeLessThan(3_000);
    expect(await at.get('/mempool/transactions')).toEqual([]);
  });

  it('follows without announcements, by reconciliation alone', async () => {
    await open();
    await follow();
    await untilEqual();
    // Heartbeats, announcements and the events among the nodes are lost; requests are not.
    network.bus.setFaults({ ...createChaos({ seed: 3 }), arrivals: () => [] });
    await network.mine(1, 1);
    await network.mine(2, 2);
    await untilEqual();
  });

  it('follows over a bus that loses, repeats and reorders messages', async () => {
    await open();
    await follow();
    network.setChaos({ seed: 5, lose: 0.2, repeat: 0.2, reorder: 0.3, delayMs: 60 });
    for (let i = 0; i < 6; i++) await network.mine((i * 3) % groups, i % groups).catch(() => undefined);
    network.setChaos(undefined);
    await untilEqual();
    await expectAsBuiltAfresh();
  });

  it('takes a reorganisation over, whose result is as if the index were built afresh', async () => {
    await open();
    const at = await follow();
    const chain = { from: 1, to: 2 };
    const submit = (block: Block) => network.client.request(1, 'command.block.submit', { block: block.raw });
    const [first, second] = [branchOf(chain, 2, 1n), branchOf(chain, 3, 5n)];
    for (const block of first) await submit(block);
    await untilEqual();
    for (const block of second) await submit(block);
    await untilEqual();
    const isMain = async (block: Block): Promise<boolean> =>
      (await at.get<{ mainChain: boolean }>(`/blocks/${block.header.hash}`)).mainChain;
    expect(await Promise.all([...first, ...second].map(isMain))).toEqual([false, false, true, true, true]);
    expect(await at.text('/metrics')).toMatch(/explorer_undo_total\{.*\} 2\n/);
    await expectAsBuiltAfresh();
  });

  it('goes on with a group-node that was away, and with one whose database is new', async () => {
    await open();
    const at = await follow();
    await makeHistory(network, 4);
    await untilEqual();
    await network.stopGroup(3);
    const unreachable = async (): Promise<string> => {
      const { chains } = await at.sync();
      return chains
        .filter(({ state }) => state === 'unreachable')
        .map(({ chainFrom, chainTo }) => `${chainFrom}${chainTo}`)
        .join();
    };
    // The others have a second holder.
    await until('its chain is unreachable', async () => (await unreachable()) === '33');
    await network.mine(0, 0);
    const { height } = (await network.explorer.request(0, 'read.chain.heads', {})).heads[0]!;
    await until('other chains go on', async () => (await at.sync()).chains[0]!.height === height);
    await network.startGroup(3);
    await network.synced();
    await network.mine(3, 3);
    await untilEqual();
    await network.stopGroup(3);
    await network.wipe(3);
    await network.startGroup(3);
    await network.synced();
    await network.mine(3, 1);
    await untilEqual();
    await expectAsBuiltAfresh();
  });

  it('answers the state of a contract as its group-node has it', async () => {
    await open();
    const at = await follow();
    const rich = (await developmentKeys())[1]!;
    const bytecode = sampleBytecode('Counter', [u256(3)], [u256(10), u256(0)]);
    const { address } = await network.deploy(rich, hexToBytes(bytecode));
    const state = async (of: string): Promise<{ readonly status: number; readonly body: unknown }> => {
      const answer = await fetch(`${at.url}/contracts/${of}/state`);
      return { status: answer.status, body: await answer.json() };
    };
    const unknown = { status: 404, body: { resource: address, detail: `${address} not found` } };
    expect(await state(address)).toEqual(unknown);
    await network.mine(1, 1);
    const u256Form = (value: string) => ({ type: 'U256', value });
    expect(await state(address)).toMatchObject({
      status: 200,
      body: {
        address,
        bytecode: sampleCode('Counter'),
        immFields: [u256Form('3')],
        mutFields: [u256Form('10'), u256Form('0')],
        asset: { attoCoinAmount: coin.toString(), tokens: [] },
      },
    });
    // Of no group.
    expect((await state(addressOf({ kind: 'p2c', contractId: `${'ab'.repeat(31)}04` }))).status).toBe(404);
    expect((await state(rich.address)).status).toBe(400);

    await network.stopGroup(1);
    const away = { status: 503, body: { detail: 'The group-node of group 1 is not available' } };
    expect(await state(address)).toEqual(away);
    await network.startGroup(1);
  });

  it('stops a chain whose blocks the database refuses, and no other', async () => {
    await open();
    const at = await follow();
    await network.mine(1, 1);
    await untilEqual();
    const { database } = opened;
    // A block that no node has is in the way of the next one.
    isHonest = false;
    await database.script(`INSERT INTO explorer.blocks
      SELECT (jsonb_populate_record(b, jsonb_build_object('hash', '\\x${'ab'.repeat(32)}', 'block_id', 5, 'height', 2))).*
      FROM explorer.blocks b WHERE main_chain AND chain_from = 1 AND chain_to = 1 AND height = 1`);
    await network.mine(1, 1);
    await network.mine(2, 2);
    const chain = async (index: number) => (await at.sync()).chains[index]!;
    await until('the chain is stopped', async () => (await chain(5)).state === 'ChainStopped');
    await until('another one goes on', async () => (await chain(10)).height === 1);
    expect(await chain(5)).toMatchObject({ height: 1, nodeHeight: 2 });
    expect(await chain(10)).toMatchObject({ height: 1, state: 'following' });
  });

  it('runs its writer and its readers apart', async () => {
    await open();
    const parts = { bus: network.network, database: opened.database };
    explorer = await TestExplorer.start({ ...parts, mode: 'writer' });
    const reader = await TestExplorer.start({ ...parts, mode: 'reader' });
    const { blockHash } = await network.mine(1, 1);
    await untilEqual();
    expect(await reader.get(`/blocks/${blockHash}`)).toMatchObject({ hash: blockHash, mainChain: true });
    // It hears the heads of the nodes with the next heartbeats.
    const stream = await EventStream.open(`${reader.url}/stream`);
    await stream.untilCame('snapshot');
    const { blockHash: next } = await network.mine(2, 2);
    await until('the reader tells of a block', () =>
      stream.of<{ hash: string }>('block').some(({ hash }) => hash === next),
    );
    stream.close();
    await until('the reader knows that the index is up to date', async () => (await reader.sync()).synced);
    expect((await reader.sync()).phase).toBe('live');
    expect(await explorer.get(`/blocks/${blockHash}`)).toMatchObject({ detail: expect.stringContaining('not found') });
    expect(await explorer.text('/metrics')).toContain('explorer_chain_height');
    await reader.stop();
  });

  it('is checked on demand of operators, at the writer, and every process has the result', async () => {
    await open();
    const parts = { bus: network.network, database: opened.database };
    const adminToken = 'token-of-operators'.repeat(2);
    const writer = (explorer = await TestExplorer.start({ ...parts, mode: 'writer', adminToken }));
    const reader = await TestExplorer.start({ ...parts, adminToken, mode: 'reader' });
    const standby = await TestExplorer.start({ ...parts, adminToken });
    const without = await TestExplorer.start(parts);
    const demand = (from: TestExplorer, authorization?: string): Promise<Response> =>
      fetch(`${from.url}/utils/sanity-check`, {
        method: 'PUT',
        headers: authorization === undefined ? {} : { authorization },
      });
    const bearer = `Bearer ${adminToken}`;
    await network.mine(1, 1);
    await network.mine(1, 2);
    await untilEqual();
    await until('it is live', async () => (await reader.sync()).phase === 'live' && (await reader.sync()).synced);

    for (const authorization of [undefined, '', 'Bearer', `${bearer}x`, `Basic ${adminToken}`, adminToken]) {
      const refused = await demand(writer, authorization);
      expect([authorization, refused.status]).toEqual([authorization, 401]);
      expect(refused.headers.get('www-authenticate')).toBe('Bearer');
    }
    const path = '/utils/sanity-check';
    for (const other of [reader, without]) {
      const refused = await demand(other, bearer);
      expect([refused.status, await refused.json()]).toEqual([404, { resource: path, detail: `${path} not found` }]);
    }
    expect((await demand(standby, bearer)).status).toBe(503);
    expect(await reader.sync()).toMatchObject({ verify: null });

    const findings = async (): Promise<string | undefined> =>
      /explorer_verify_findings\{[^}]*\} (\d+)/.exec(await reader.text('/metrics'))?.[1];
    const both = await Promise.all([demand(writer, bearer), demand(writer, bearer)]);
    expect(both.map(({ status }) => status).sort()).toEqual([202, 409]);
    await until('the index is found sound', async () => (await reader.sync()).verify === 'ok');
    expect(await findings()).toBe('0');
    await opened.database.script('UPDATE explorer.addresses SET balance = balance + 1 WHERE address_id <= 2');
    await until('it starts', async () => (await demand(writer, bearer)).status === 202);
    await until('the index is found damaged', async () => (await reader.sync()).verify === 'failed');
    expect(await findings()).toBe('2');
    for (const other of [reader, standby, without]) await other.stop();
  });

  it('builds its index again when it is told to', async () => {
    await open();
    await follow();
    await network.mine(1, 1);
    await untilEqual();
    await explorer!.stop();
    await opened.database.script('UPDATE explorer.addresses SET balance = 7');
    const parts = { bus: network.network, database: opened.database };
    explorer = await TestExplorer.start({ ...parts, resync: true });
    await untilEqual();
    await expectAsBuiltAfresh();
  });

  it('refuses a database of another network', async () => {
    await open();
    await follow();
    await untilEqual();
    await explorer!.stop();
    explorer = undefined;
    const settings = { ...developmentNetwork, networkId: 7 };
    const start = TestExplorer.start({ bus: network.network, database: opened.database, settings });
    await expect(start).rejects.toThrow(/NetworkMismatch: .* network_id/);
  });
});
