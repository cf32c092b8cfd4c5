import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Inject } from '@nestjs/common';
import { createInProcessNetwork, type BusContext } from '@shardnode/core/bus';
import { ServiceError } from '@shardnode/core/errors';
import { composeServices, type Service } from '@shardnode/core/lifecycle';
import { createMetrics, silentLogger } from '@shardnode/core/observability';
import { createService } from '@shardnode/core/service';
import {
  allGroups,
  firstGroup,
  groupClient,
  groupRouting,
  HandlesGroupRequest,
  HandlesPeerEvent,
  HandlesWalletRequest,
  mergedGroups,
  peerPublisher,
  walletClient,
  walletRouting,
  type ChainSelector,
  type GroupClient,
  type PeerEvents,
  type PeerPublisher,
  type TransactionDetailsReply,
  type WalletClient,
} from '@shardnode/messages';

const ns = 'testnet';
const groups = 4;
/** The id of the one transaction that the group has. */
const idIn = (group: number): string => String(group).repeat(64);
const nowhere = 'f'.repeat(64);
const groupToken = Symbol('group');
const heardToken = Symbol('heard');
/** Groups that refuse commands. */
const refusing = new Set<number>();
type Heard = { readonly group: number; readonly event: PeerEvents['peer.block']; readonly sender: number | undefined };

@Controller()
class GroupHandlers {
  constructor(
    @Inject(groupToken) private readonly group: number,
    @Inject(heardToken) private readonly heard: Heard[],
  ) {}
  @HandlesGroupRequest('read.chain.info')
  info(payload: ChainSelector): { readonly currentHeight: number } {
    return { currentHeight: this.group * 100 + payload.to };
  }
  @HandlesGroupRequest('read.transaction.details')
  async details(payload: { readonly txId: string }): Promise<TransactionDetailsReply> {
    if (payload.txId !== idIn(this.group)) throw new ServiceError('not-found', 'TxNotFound', 'not here');
    return { transaction: new Uint8Array([this.group]), blockHash: '', txIndex: 0 };
  }
  @HandlesGroupRequest('command.mempool.clear')
  clear(): { readonly removed: number } {
    if (refusing.has(this.group)) throw new ServiceError('unavailable', 'NotSynced', 'not now.');
    return { removed: 0 };
  }
  @HandlesPeerEvent('peer.block')
  async block(event: PeerEvents['peer.block'], context: BusContext): Promise<void> {
    this.heard.push({ group: this.group, event, sender: context.sender.member });
  }
}

@Controller()
class WalletHandlers {
  @HandlesWalletRequest('list')
  list(): { readonly wallets: readonly { readonly walletName: string; readonly locked: boolean }[] } {
    return { wallets: [{ walletName: 'w', locked: true }] };
  }
}

const http = { host: '127.0.0.1', port: 0 };

describe('typed clients over services in one process', () => {
  const network = createInProcessNetwork();
  const heard: Heard[] = [];
  const services: Service[] = [];
  const publishers: PeerPublisher[] = [];
  let client: GroupClient;
  let wallet: WalletClient;

  beforeAll(async () => {
    for (const group of [0, 1, 2, 3]) {
      const name = `group-node-${group}`;
      const sender = { service: 'group-node', member: group };
      const routing = groupRouting({ ns, group, groups });
      const { bus, server } = await network.join({ sender, routing, logger: silentLogger });
      publishers.push(peerPublisher(bus, ns, group));
      const providers = [
        { provide: groupToken, useValue: group },
        { provide: heardToken, useValue: heard },
      ];
      const module = { controllers: [GroupHandlers], providers };
      const metrics = createMetrics({ service: name });
      services.push(createService({ name, module, http, server, logger: silentLogger, metrics }));
    }
    const joined = await network.join({
      sender: { service: 'wallet-service' },
      routing: walletRouting(ns, groups),
      logger: silentLogger,
    });
    services.push(
      createService({
        name: 'wallet-service',
        module: { controllers: [WalletHandlers] },
        http,
        server: joined.server,
        logger: silentLogger,
        metrics: createMetrics({ service: 'wallet-service' }),
      }),
    );
    await composeServices('all', services).start();
    const { bus } = await network.join({ sender: { service: 'gateway' }, logger: silentLogger });
    client = groupClient(bus, { ns, groups });
    wallet = walletClient(bus, { ns });
  });
  afterAll(() => composeServices('all', services).stop());

  it('ask the group that is named, and the wallet-service', async () => {
    expect(await client.request(2, 'read.chain.info', { from: 2, to: 3 })).toEqual({ currentHeight: 203 });
    expect((await wallet.request('list', {})).wallets).toHaveLength(1);
    await expect(client.request(4, 'read.chain.info', { from: 2, to: 3 })).rejects.toThrow(RangeError);
  });

  it('ask all groups and merge', async () => {
    const replies = await allGroups(client, 'read.chain.info', { from: 0, to: 1 });
    expect(replies.map(({ currentHeight }) => currentHeight)).toEqual([1, 101, 201, 301]);
    const highest = await mergedGroups(client, 'read.chain.info', { from: 0, to: 1 }, (all) =>
      Math.max(...all.map(({ currentHeight }) => currentHeight)),
    );
    expect(highest).toBe(301);
  });

  it('find the one group that has it', async () => {
    expect(await firstGroup(client, 'read.transaction.details', { txId: idIn(2) })).toMatchObject({ group: 2 });
    expect(await firstGroup(client, 'read.transaction.details', { txId: nowhere })).toBeUndefined();
  });

  it('publish to those who take it', async () => {
    publishers[1]!.publish('peer.block', { from: 1, to: 3, block: new Uint8Array([1]) });
    publishers[1]!.publish('peer.block', { from: 1, to: 1, block: new Uint8Array([2]) });
    await network.idle();
    expect(heard.map(({ group, event, sender }) => [group, event.block[0], sender])).toEqual([
      [3, 1, 1],
      [2, 2, 1],
    ]);
    expect(() => publishers[1]!.publish('peer.header', { from: 2, to: 0, header: new Uint8Array(1) })).toThrow(
      RangeError,
    );
  });

  it('keep errors through a service that speaks HTTP too', async () => {
    const asked = client.request(0, 'read.transaction.details', { txId: nowhere });
    await expect(asked).rejects.toMatchObject({ kind: 'not-found', code: 'TxNotFound', detail: 'not here' });
  });

  it('say which groups have executed a command that others have not', async () => {
    refusing.add(1);
    await expect(allGroups(client, 'command.mempool.clear', {})).rejects.toMatchObject({
      kind: 'unavailable',
      code: 'NotSynced',
      detail: 'not now. Groups 0, 2, 3 did as asked, and may be asked again.',
    });
    for (const group of [0, 2, 3]) refusing.add(group);
    await expect(allGroups(client, 'command.mempool.clear', {})).rejects.toMatchObject({ detail: 'not now.' });
    refusing.clear();
    expect(await allGroups(client, 'command.mempool.clear', {})).toHaveLength(4);
  });

  it('name the group that does not answer, and do not hide it behind "nobody has it"', async () => {
    await services[3]!.stop();
    const failure = { kind: 'unavailable', detail: 'The group-node of group 3 is not available', data: { group: 3 } };
    await expect(client.request(3, 'read.chain.info', { from: 3, to: 0 })).rejects.toMatchObject(failure);
    await expect(allGroups(client, 'read.chain.info', { from: 0, to: 0 })).rejects.toMatchObject(failure);
    await expect(firstGroup(client, 'read.transaction.details', { txId: nowhere })).rejects.toMatchObject(failure);
    expect(await firstGroup(client, 'read.transaction.details', { txId: idIn(1) })).toMatchObject({ group: 1 });
  });
});
