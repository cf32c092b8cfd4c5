import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startNats, type ServerProcess } from '@shardnode/core/servers';
import {
  busAccounts,
  feedEvents,
  feedSubject,
  type FeedEventName,
  groupRequests,
  type GroupRequestName,
  groupRouting,
  groupSubject,
  liveSubject,
  parseSubject,
  peerEvents,
  type PeerEventName,
  peerSubject,
  renderBusAccounts,
  type ServiceName,
  walletRequests,
  type WalletRequestName,
  walletSubject,
} from '@shardnode/messages';
import { describeWithServers } from '@shardnode/testing/servers';

const ns = 'testnet';
const groups = [0, 1, 2, 3];
const names = <Name extends string>(table: Readonly<Record<Name, unknown>>): Name[] => Object.keys(table) as Name[];

const accounts = busAccounts(ns, groups.length);
const users = accounts.map(({ user }) => user);
const serviceOf = (user: string): ServiceName => user.replace(/-\d$/, '') as ServiceName;

const pairs = groups.flatMap((from) => groups.map((to) => ({ from, to })));

/** Every subject of the tables, an inbox of each user, and what nobody may touch. */
const subjects: readonly string[] = [
  ...groups.flatMap((group) => names<GroupRequestName>(groupRequests).map((name) => groupSubject(ns, group, name))),
  ...names<WalletRequestName>(walletRequests).map((name) => walletSubject(ns, name)),
  ...names<PeerEventName>(peerEvents).flatMap((event) =>
    event === 'peer.tips'
      ? groups.map((from) => peerSubject(ns, { event, from }))
      : pairs.map((chain) => peerSubject(ns, { event, ...chain })),
  ),
  ...names<FeedEventName>(feedEvents).flatMap((event) =>
    event === 'feed.chain'
      ? pairs.map((chain) => feedSubject(ns, { event, ...chain }))
      : groups.map((from) => feedSubject(ns, { event, from })),
  ),
  liveSubject(ns),
  ...users.map((user) => `_INBOX.${user}.0123.1`),
  // Another network on the same server, a request that no table has, and the server itself.
  'othernet.rpc.wallet.list',
  'othernet.peer.tips.0',
  `${ns}.rpc.group.0.read.of.all`,
  `${ns}.rpc.wallet.of-nobody`,
  '$SYS.REQ.SERVER.PING',
];

/** By the tables, without a look at the accounts. */
const maySend = (user: string, subject: string): boolean => {
  const service = serviceOf(user);
  if (subject === liveSubject(ns)) return user === 'explorer';
  const parsed = parseSubject(subject);
  if (!subject.startsWith(`${ns}.`) || !parsed) return false;
  switch (parsed.kind) {
    case 'group-request':
      if (user === `group-node-${parsed.group}`) return false;
      return groupRequests[parsed.name as GroupRequestName]?.senders.includes(service) ?? false;
    case 'wallet-request':
      return walletRequests[parsed.name as WalletRequestName]?.senders.includes(service) ?? false;
    default:
      return user === `group-node-${parsed.from}`;
  }
};

const takenBy = (group: number, event: PeerEventName): readonly string[] =>
  groupRouting({ ns, group, groups: groups.length })(event, 'event')?.subjects ?? [];

const mayHear = (user: string, subject: string): boolean => {
  if (subject === liveSubject(ns)) return user === 'explorer';
  if (subject.startsWith('_INBOX.')) return subject.startsWith(`_INBOX.${user}.`);
  const parsed = parseSubject(subject);
  if (!subject.startsWith(`${ns}.`) || !parsed) return false;
  switch (parsed.kind) {
    case 'group-request':
      return user === `group-node-${parsed.group}`;
    case 'wallet-request':
      return user === 'wallet-service' && Object.hasOwn(walletRequests, parsed.name);
    case 'feed-event':
      return user === 'gateway' || user === 'explorer';
    case 'peer-event':
      return groups.some((group) => user === `group-node-${group}` && takenBy(group, parsed.event).includes(subject));
  }
};

const allPairs = users.flatMap((user) => subjects.map((subject) => ({ user, subject })));
const named = ({ user, subject }: { user: string; subject: string }): string => `${user}  ${subject}`;
const permitted = (may: typeof maySend): string[] => allPairs.filter((one) => may(one.user, one.subject)).map(named);

describeWithServers(['nats'], 'every user of the bus and every subject', () => {
  let server: ServerProcess;
  const tester = 'tester';
  const connections = new Map<string, NatsConnection>();
  const of = (user: string): NatsConnection => connections.get(user)!;
  const everybody = [...users, tester];
  const flushAll = async (): Promise<void> => {
    for (const connection of connections.values()) await connection.flush();
  };

  beforeAll(async () => {
    const passwords = Object.fromEntries(everybody.map((user) => [user, `password-of-${user}`]));
    const all = { user: tester, publish: ['>'], subscribe: ['>'], answers: false };
    server = await startNats({
      folder: mkdtempSync(join(tmpdir(), 'permission-pairs-')),
      configuration: renderBusAccounts([...accounts, all], passwords),
    });
    for (const user of everybody) {
      const connection = await connect({ servers: server.url, user, pass: passwords[user]! });
      connections.set(user, connection);
    }
  });
  afterAll(async () => {
    for (const connection of connections.values()) await connection.close();
    await server.remove();
  });

  it('publishes what the tables permit to it, and nothing else arrives', async () => {
    const arrived: string[] = [];
    const spy = of(tester).subscribe('>', {
      callback: (_, message) => void arrived.push(named({ user: message.string(), subject: message.subject })),
    });
    await of(tester).flush();
    for (const { user, subject } of allPairs) of(user).publish(subject, user);
    await flushAll();
    await of(tester).flush();
    spy.unsubscribe();
    expect(arrived.sort()).toEqual(permitted(maySend).sort());
    // It is a matrix, not an empty list: most pairs are forbidden, and each user has something to say.
    expect(allPairs.length).toBeGreaterThan(4 * arrived.length);
    expect(users.filter((user) => !arrived.some((one) => one.startsWith(`${user}  `)))).toEqual([]);
  });

  it('hears what the tables give it, and no inbox but its own', async () => {
    const heard: string[] = [];
    const refused = new Set<string>();
    const subscriptions = allPairs.map((pair) =>
      of(pair.user).subscribe(pair.subject, {
        callback: (error) => void (error ? refused.add(named(pair)) : heard.push(named(pair))),
      }),
    );
    await flushAll();
    for (const subject of subjects) of(tester).publish(subject, 'x');
    await flushAll();
    await flushAll();
    for (const subscription of subscriptions) subscription.unsubscribe();
    expect(heard.sort()).toEqual(permitted(mayHear).sort());
    // The server says so, too: a service that listens to the wrong thing learns of it at its start.
    expect(refused.size).toBe(allPairs.length - heard.length);
  });

  it('hears nothing more by a wildcard', async () => {
    const heard: string[] = [];
    for (const wide of ['>', '*.>', '_INBOX.>', '_INBOX.*.>', `${ns}.>`, `${ns}.rpc.>`, '$SYS.>', '*.rpc.wallet.*']) {
      for (const user of users)
        of(user).subscribe(wide, { callback: (error) => void (error ?? heard.push(`${user}  ${wide}`)) });
    }
    await flushAll();
    for (const subject of subjects) of(tester).publish(subject, 'x');
    await flushAll();
    await flushAll();
    expect(heard).toEqual([]);
  });

  it('answers once to who asked it, if its service answers at all', async () => {
    const answers: string[] = [];
    of(tester).subscribe('_INBOX.asker.*', { callback: (_, message) => void answers.push(message.string()) });
    const asked = users.map((user) => ({ user, subject: subjects.find((subject) => mayHear(user, subject))! }));
    for (const { user, subject } of asked) {
      of(user).subscribe(subject, {
        callback: (error, message) => {
          if (error || !message.reply) return;
          for (const time of [1, 2]) of(user).publish(message.reply, `${user} ${time}`);
        },
      });
    }
    await flushAll();
    asked.forEach(({ subject }, i) => of(tester).publish(subject, 'x', { reply: `_INBOX.asker.${i}` }));
    await flushAll();
    await flushAll();
    await flushAll();
    const answering = ['group-node-0', 'group-node-1', 'group-node-2', 'group-node-3', 'wallet-service'];
    expect(answers.sort()).toEqual(answering.map((user) => `${user} 1`));
  });

  it('gains no right by a message to itself that names the subject as its reply', async () => {
    const toItself = 'to itself';
    const arrived: string[] = [];
    const spy = of(tester).subscribe('>', {
      callback: (_, message) => {
        if (message.string() !== toItself) arrived.push(named({ user: message.string(), subject: message.subject }));
      },
    });
    await of(tester).flush();
    for (const user of users) {
      const own = subjects.filter((subject) => mayHear(user, subject));
      const wanted = subjects.filter((subject) => !maySend(user, subject));
      const connection = of(user);
      const heard = own.map((subject) => connection.subscribe(subject, { callback: () => undefined }));
      await connection.flush();
      for (const subject of own) for (const reply of wanted) connection.publish(subject, toItself, { reply });
      await connection.flush();
      for (const subject of wanted) connection.publish(subject, user);
      await connection.flush();
      for (const subscription of heard) subscription.unsubscribe();
    }
    await flushAll();
    await of(tester).flush();
    spy.unsubscribe();
    expect(arrived).toEqual([]);
  });
});
