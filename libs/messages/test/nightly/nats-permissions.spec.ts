import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Controller } from '@nestjs/common';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  openNatsNetwork,
  type BusConnection,
  type BusContext,
  type BusRouting,
  type Sender,
} from '@shardnode/core/bus';
import { silentLogger } from '@shardnode/core/observability';
import { startNats, type ServerProcess } from '@shardnode/core/servers';
import { createMetrics } from '@shardnode/core/observability';
import { createService, type RunningService } from '@shardnode/core/service';
import {
  busAccounts,
  groupClient,
  groupRouting,
  HandlesGroupRequest,
  HandlesPeerEvent,
  HandlesWalletRequest,
  peerPublisher,
  renderBusAccounts,
  walletClient,
  walletRouting,
} from '@shardnode/messages';
import { describeWithServers } from '@shardnode/testing/servers';
import { until } from '@shardnode/testing/waiting';

const ns = 'testnet';
const groups = 4;
const heard: string[] = [];

@Controller()
class GroupHandlers {
  @HandlesGroupRequest('read.chain.info')
  info(): { readonly currentHeight: number } {
    return { currentHeight: 7 };
  }
  @HandlesGroupRequest('read.node.status')
  status(): { readonly group: number; readonly synced: boolean; readonly mempoolSize: number } {
    return { group: 0, synced: true, mempoolSize: 0 };
  }
  @HandlesGroupRequest('command.mining.mine-one')
  mine(): { readonly blockHash: string } {
    return { blockHash: '00' };
  }
  @HandlesPeerEvent('peer.tips')
  tips(_payload: unknown, context: BusContext): void {
    heard.push(context.subject);
  }
  @HandlesPeerEvent('peer.header')
  header(_payload: unknown, context: BusContext): void {
    heard.push(context.subject);
  }
  @HandlesPeerEvent('peer.block')
  block(_payload: unknown, context: BusContext): void {
    heard.push(context.subject);
  }
}

@Controller()
class WalletHandlers {
  @HandlesWalletRequest('list')
  list(): { readonly wallets: never[] } {
    return { wallets: [] };
  }
}

describeWithServers(['nats'], 'permissions of the NATS server', () => {
  let server: ServerProcess;
  const accounts = busAccounts(ns, groups);
  const passwords = Object.fromEntries(accounts.map(({ user }) => [user, `password-of-${user}`]));
  const closers: (() => Promise<unknown>)[] = [];
  const member = async (sender: Sender, user: string, routing?: BusRouting): Promise<BusConnection> => {
    const network = openNatsNetwork({ servers: [server.url], user, password: passwords[user], logger: silentLogger });
    closers.unshift(() => network.close());
    return network.join({ sender, routing, logger: silentLogger });
  };
  const startService = async (name: string, connection: BusConnection, controller: new () => object) => {
    const service: RunningService = createService({
      name,
      module: { controllers: [controller] },
      http: { host: '127.0.0.1', port: 0 },
      server: connection.server,
      logger: silentLogger,
      metrics: createMetrics({ service: name }),
    });
    await service.start();
    closers.unshift(() => service.stop());
  };
  const nodes: BusConnection[] = [];
  let gateway: BusConnection;
  let explorer: BusConnection;

  beforeAll(async () => {
    server = await startNats({
      folder: mkdtempSync(join(tmpdir(), 'permissions-')),
      configuration: renderBusAccounts(accounts, passwords),
    });
    for (let group = 0; group < groups; group++) {
      const routing = groupRouting({ ns, group, groups });
      const node = await member({ service: 'group-node', member: group }, `group-node-${group}`, routing);
      nodes.push(node);
      await startService(`group-node-${group}`, node, GroupHandlers);
    }
    const wallet = await member({ service: 'wallet-service' }, 'wallet-service', walletRouting(ns));
    await startService('wallet-service', wallet, WalletHandlers);
    gateway = await member({ service: 'gateway' }, 'gateway');
    explorer = await member({ service: 'explorer' }, 'explorer');
  });
  afterAll(async () => {
    for (const close of closers) await close();
    await server.remove();
  });

  it('let each service do its work', async () => {
    expect(
      await groupClient(gateway.bus, { ns, groups }).request(3, 'command.mining.mine-one', { from: 3, to: 1 }),
    ).toEqual({
      blockHash: '00',
    });
    expect(await walletClient(gateway.bus, { ns }).request('list', {})).toEqual({ wallets: [] });
    const sibling = groupClient(nodes[1]!.bus, { ns, groups });
    expect(await sibling.request(0, 'read.node.status', {})).toMatchObject({ synced: true });
    const reader = groupClient(explorer.bus, { ns, groups });
    expect(await reader.request(2, 'read.chain.info', { from: 2, to: 2 })).toEqual({ currentHeight: 7 });
    const publisher = peerPublisher(nodes[0]!.bus, ns, 0);
    publisher.publish('peer.block', { from: 0, to: 1, block: new Uint8Array(300) });
    publisher.publish('peer.header', { from: 0, to: 1, header: new Uint8Array(300) });
    publisher.publish('peer.tips', { from: 0, bestDependencies: Array(7).fill('00'.repeat(32)), sentAt: '1' });
    await until('all events', () => heard.length === 6);
    expect(heard.sort()).toEqual(
      ['peer.block.0.1', 'peer.header.0.1', 'peer.header.0.1', 'peer.tips.0', 'peer.tips.0', 'peer.tips.0'].map(
        (subject) => `${ns}.${subject}`,
      ),
    );
  });

  it('let no group-node speak for another, whatever it calls itself', async () => {
    heard.length = 0;
    // It claims to be group-node-0, which the receivers would believe.
    const liar = await member({ service: 'group-node', member: 0 }, 'group-node-1');
    peerPublisher(liar.bus, ns, 0).publish('peer.block', { from: 0, to: 2, block: new Uint8Array(300) });
    peerPublisher(liar.bus, ns, 0).publish('peer.header', { from: 0, to: 2, header: new Uint8Array(300) });
    peerPublisher(nodes[0]!.bus, ns, 0).publish('peer.header', { from: 0, to: 3, header: new Uint8Array(300) });
    await until('all events', () => heard.length === 2);
    expect([...new Set(heard)]).toEqual([`${ns}.peer.header.0.3`]);
    const command = groupClient(liar.bus, { ns, groups }).request(2, 'command.mining.mine-one', { from: 2, to: 2 });
    await expect(command).rejects.toMatchObject({ kind: 'broken', code: 'SenderNotPermitted' });
  });

  it('keep the explorer from commands, from the wallets and from the answers to others', async () => {
    const commands = groupClient(explorer.bus, { ns, groups });
    const startedAt = performance.now();
    await expect(commands.request(0, 'command.mining.mine-one', { from: 0, to: 0 })).rejects.toMatchObject({
      code: 'SenderNotPermitted',
    });
    await expect(walletClient(explorer.bus, { ns }).request('list', {})).rejects.toMatchObject({
      code: 'SenderNotPermitted',
    });
    expect(performance.now() - startedAt).toBeLessThan(1_000);
    const raw: NatsConnection = await connect({ servers: server.url, user: 'explorer', pass: passwords['explorer']! });
    closers.unshift(() => raw.close());
    const spied: string[] = [];
    for (const subject of [
      '>',
      '_INBOX.>',
      '_INBOX.gateway.>',
      `${ns}.rpc.>`,
      `${ns}.rpc.wallet.list`,
      `${ns}.peer.>`,
    ]) {
      raw.subscribe(subject, { callback: (error, message) => void (error ?? spied.push(message.subject)) });
    }
    await raw.flush();
    expect(await walletClient(gateway.bus, { ns }).request('list', {})).toEqual({ wallets: [] });
    peerPublisher(nodes[0]!.bus, ns, 0).publish('peer.header', { from: 0, to: 3, header: new Uint8Array(300) });
    await raw.flush();
    expect(spied).toEqual([]);
  });

  it('tell a service at its start what it may not listen to', async () => {
    const routing = groupRouting({ ns, group: 2, groups });
    const wrong = await member({ service: 'group-node', member: 2 }, 'group-node-3', routing);
    await expect(startService('group-node-2', wrong, GroupHandlers)).rejects.toThrow(
      /does not let group-node-2 listen to testnet\.rpc\.group\.2\..*check its permissions/,
    );
  });
});
