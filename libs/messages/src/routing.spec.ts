import { describe, expect, it } from '@jest/globals';
import { subjectMatches } from '@shardnode/core/bus';
import {
  groupRequests,
  groupRouting,
  groupSubject,
  parseSubject,
  peerSubject,
  walletRequests,
  walletRouting,
  walletSubject,
} from './index.js';
import { type GroupRequestName, type PeerEventName, type WalletRequestName } from './index.js';

const ns = 'testnet';
const all = [0, 1, 2, 3];
const routeOf = (group: number, pattern: string, kind: 'request' | 'event') =>
  groupRouting({ ns, group, groups: 4 })(pattern, kind);
/** Groups that receive a subject. */
const hearersOf = (event: PeerEventName, subject: string): number[] =>
  all.filter((group) => routeOf(group, event, 'event')?.subjects.some((wanted) => subjectMatches(wanted, subject)));

describe('subjects', () => {
  it('of all requests and events are parsed to the parts they were built from', () => {
    for (const name of Object.keys(groupRequests) as GroupRequestName[]) {
      expect(parseSubject(groupSubject(ns, 3, name))).toEqual({ kind: 'group-request', ns, group: 3, name });
    }
    for (const name of Object.keys(walletRequests) as WalletRequestName[]) {
      expect(parseSubject(walletSubject(ns, name))).toEqual({ kind: 'wallet-request', ns, name });
    }
    for (const event of ['peer.block', 'peer.header', 'peer.tx'] as const) {
      expect(parseSubject(peerSubject(ns, { event, from: 1, to: 2 }))).toEqual({
        kind: 'peer-event',
        ns,
        event,
        from: 1,
        to: 2,
      });
    }
    expect(parseSubject(peerSubject(ns, { event: 'peer.tips', from: 1 }))).toMatchObject({
      event: 'peer.tips',
      from: 1,
    });
    expect(groupSubject(ns, 2, 'read.chain.info')).toBe('testnet.rpc.group.2.read.chain.info');
    for (const text of ['', ns, `${ns}.peer.block.1`, `${ns}.peer.tips.1.2`, `${ns}.rpc.group.x.read.chain.info`]) {
      expect(parseSubject(text)).toBeUndefined();
    }
  });
});

describe('receivers of messages', () => {
  it('of each foreign block one group takes the body and the others the header, the publisher neither', () => {
    for (const from of all) {
      for (const to of all) {
        const bodies = hearersOf('peer.block', peerSubject(ns, { event: 'peer.block', from, to }));
        const headers = hearersOf('peer.header', peerSubject(ns, { event: 'peer.header', from, to }));
        expect(bodies).toEqual([to === from ? (from + 1) % 4 : to]);
        expect([from, ...bodies, ...headers].sort()).toEqual(all);
      }
    }
  });

  it('transactions reach the receiving group, tips all others', () => {
    expect(hearersOf('peer.tx', peerSubject(ns, { event: 'peer.tx', from: 1, to: 3 }))).toEqual([3]);
    expect(hearersOf('peer.tx', peerSubject(ns, { event: 'peer.tx', from: 1, to: 1 }))).toEqual([]);
    expect(hearersOf('peer.tips', peerSubject(ns, { event: 'peer.tips', from: 2 }))).toEqual([0, 1, 3]);
  });

  it('only group-node f may publish for f', () => {
    const route = routeOf(2, 'peer.block', 'event')!;
    const subject = peerSubject(ns, { event: 'peer.block', from: 1, to: 2 });
    expect(route.maySend({ service: 'group-node', member: 1 }, subject)).toBe(true);
    expect(route.maySend({ service: 'group-node', member: 3 }, subject)).toBe(false);
    expect(route.maySend({ service: 'gateway' }, subject)).toBe(false);
  });

  it('requests reach their group from the senders of the table', () => {
    const route = routeOf(1, 'command.mempool.submit', 'request')!;
    expect(route).toMatchObject({ subjects: ['testnet.rpc.group.1.command.mempool.submit'], queue: 'group-1' });
    expect(['gateway', 'wallet-service', 'explorer'].map((service) => route.maySend({ service }, ''))).toEqual([
      true,
      true,
      false,
    ]);
    expect(routeOf(1, 'read.chain.nothing', 'request')).toBeUndefined();
    expect(routeOf(1, 'toString', 'request')).toBeUndefined();
    expect(routeOf(1, 'peer.nothing', 'event')).toBeUndefined();
    expect(walletRouting(ns, 4)('wallet.unlock', 'request')).toMatchObject({ subjects: ['testnet.rpc.wallet.unlock'] });
    expect(walletRouting(ns, 4)('unlock', 'request')).toBeUndefined();
  });
});
