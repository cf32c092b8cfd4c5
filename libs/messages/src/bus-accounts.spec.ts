import { describe, expect, it } from '@jest/globals';
import { subjectMatches } from '@shardnode/core/bus';
import {
  busAccounts,
  groupRequests,
  groupRouting,
  groupSubject,
  peerSubject,
  renderBusAccounts,
  walletRequests,
  walletSubject,
  type GroupRequestName,
  type WalletRequestName,
} from './index.js';

const ns = 'testnet';
const accounts = busAccounts(ns, 4);
const accountOf = (user: string) => accounts.find((account) => account.user === user)!;
const may = (user: string, what: 'publish' | 'subscribe', subject: string): boolean =>
  accountOf(user)[what].some((allowed) => subjectMatches(allowed, subject));
const users = accounts.map(({ user }) => user);
const serviceOf = (user: string): string => user.replace(/-\d$/, '');

describe('users of the bus', () => {
  it('may send the requests of their service in the tables, and nothing else', () => {
    for (const user of users) {
      for (const name of Object.keys(groupRequests) as GroupRequestName[]) {
        const senders: readonly string[] = groupRequests[name].senders;
        expect([user, name, may(user, 'publish', groupSubject(ns, 2, name))]).toEqual([
          user,
          name,
          senders.includes(serviceOf(user)) && user !== 'group-node-2',
        ]);
      }
      for (const name of Object.keys(walletRequests) as WalletRequestName[]) {
        expect(may(user, 'publish', walletSubject(ns, name))).toBe(user === 'gateway');
      }
    }
  });

  it('let the explorer read and subscribe, but not access commands, wallets or other inboxes', () => {
    for (const name of Object.keys(groupRequests) as GroupRequestName[]) {
      if (!name.startsWith('read.')) expect(may('explorer', 'publish', groupSubject(ns, 1, name))).toBe(false);
    }
    expect(Object.keys(walletRequests).some((name) => may('explorer', 'publish', `${ns}.rpc.wallet.${name}`))).toBe(
      false,
    );
    expect(may('explorer', 'subscribe', `${ns}.rpc.wallet.create`)).toBe(false);
    expect(may('explorer', 'subscribe', '_INBOX.gateway.x.1')).toBe(false);
    expect(may('explorer', 'subscribe', `${ns}.feed.group.1.pool`)).toBe(true);
  });

  it('let the gateway bring no block and inspect no state', () => {
    const inspections = (Object.keys(groupRequests) as GroupRequestName[]).filter((name) =>
      name.startsWith('read.inspection.'),
    );
    expect(inspections.length).toBeGreaterThan(0);
    for (const name of [...inspections, 'command.block.submit'] as const) {
      expect(users.filter((user) => may(user, 'publish', groupSubject(ns, 2, name)))).toEqual(['operator']);
    }
  });

  it('let a group-node publish for its own group only, and subscribe to its subjects', () => {
    for (const from of [0, 1, 2, 3]) {
      for (const event of ['peer.block', 'peer.header', 'peer.tx'] as const) {
        const subject = peerSubject(ns, { event, from, to: 3 });
        expect(users.filter((user) => may(user, 'publish', subject))).toEqual([`group-node-${from}`]);
      }
      const tips = peerSubject(ns, { event: 'peer.tips', from });
      expect(users.filter((user) => may(user, 'publish', tips))).toEqual([`group-node-${from}`]);
      for (const event of ['peer.block', 'peer.header', 'peer.tx', 'peer.tips'] as const) {
        const { subjects } = groupRouting({ ns, group: from, groups: 4 })(event, 'event')!;
        for (const subject of subjects) expect(may(`group-node-${from}`, 'subscribe', subject)).toBe(true);
      }
      expect(may('group-node-1', 'subscribe', groupSubject(ns, from, 'read.chain.info'))).toBe(from === 1);
    }
  });

  it('let nobody who answers publish what it hears: the server would permit the reply subject, whatever that is', () => {
    const overlap = ([a, ...as]: readonly string[], [b, ...bs]: readonly string[]): boolean => {
      if (a === undefined || b === undefined) return a === b;
      if (a === '>' || b === '>') return true;
      return (a === '*' || b === '*' || a === b) && overlap(as, bs);
    };
    const answering = accounts.filter(({ answers }) => answers);
    expect(answering).toHaveLength(5);
    for (const { user, publish, subscribe } of answering) {
      const both = publish.filter((one) => subscribe.some((other) => overlap(one.split('.'), other.split('.'))));
      expect([user, both]).toEqual([user, []]);
    }
  });

  it('are written with passwords that the configuration can contain', () => {
    const passwords = Object.fromEntries(users.map((user) => [user, `password-of-${user}`]));
    expect(renderBusAccounts(accounts, passwords)).toContain(
      'user: "group-node-3", password: "password-of-group-node-3"',
    );
    expect(() => renderBusAccounts(accounts, { ...passwords, gateway: 'quo"te-quote' })).toThrow(
      /^the password of gateway must have 8 to 200/,
    );
    expect(() => renderBusAccounts(accounts, { gateway: 'long enough' })).toThrow(/gateway must|has no password/);
    expect(() => renderBusAccounts(accounts, {})).toThrow('the user gateway has no password');
  });
});
