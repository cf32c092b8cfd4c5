import { groupRequests, type GroupRequestName } from './group-requests.js';
import { peerEvents, type PeerEventName } from './peer-events.js';
import { type ServiceName } from './request-definition.js';
import { groupRouting, walletRouting } from './routing.js';
import { walletSubject } from './subjects.js';
import { walletRequests, type WalletRequestName } from './wallet-requests.js';

/**
 * Permissions of a user of the NATS server: one user per service, one per group-node. Derived from the same tables that
 * receivers check, so that both agree. This makes the header `X-Sender` trustworthy: only permitted users can publish a
 * subject, and only group-node f can publish `peer.*.{f}`.
 */
export interface BusAccount {
  /** Name of the user and of the member: `group-node-2`, `gateway`. Several gateways share one. */
  readonly user: string;
  readonly publish: readonly string[];
  readonly subscribe: readonly string[];
  /** Whether it serves requests: it may publish once to the reply subject of each message that it receives, whatever it is. */
  readonly answers: boolean;
}

/** All users of one network. `ns`: its name on the bus, without dots. */
export const busAccounts = (ns: string, groups: number): readonly BusAccount[] => [
  account('gateway', requestsOf(ns, 'gateway'), [`${ns}.feed.>`]),
  ...Array.from({ length: groups }, (_, group) => groupNodeAccount(ns, group, groups)),
  { ...account('wallet-service', requestsOf(ns, 'wallet-service'), walletSubjects(ns)), answers: true },
  // 09-cluster §9: reads, the feed and its own subjects; never commands, wallet subjects or other inboxes.
  account('explorer', [...requestsOf(ns, 'explorer'), `${ns}.explorer.>`], [`${ns}.feed.>`, `${ns}.explorer.>`]),
  account('operator', requestsOf(ns, 'operator'), []),
];

/** Each user has its own inbox, because responses hold secrets (a new wallet's mnemonic). */
const account = (user: string, publish: readonly string[], subscribe: readonly string[]): BusAccount => ({
  user,
  publish,
  subscribe: [...subscribe, `_INBOX.${user}.>`],
  answers: false,
});

const namesOf = <Name extends string>(table: Readonly<Record<Name, unknown>>): Name[] => Object.keys(table) as Name[];

/** Subjects of the requests that the tables permit to a service. `asked`: the groups of group requests. */
const requestsOf = (ns: string, service: ServiceName, asked: readonly (number | '*')[] = ['*']): string[] => [
  ...namesOf<GroupRequestName>(groupRequests)
    .filter((name) => groupRequests[name].senders.includes(service))
    .flatMap((name) => asked.map((group) => `${ns}.rpc.group.${group}.${name}`)),
  ...namesOf<WalletRequestName>(walletRequests)
    .filter((name) => walletRequests[name].senders.includes(service))
    .map((name) => walletSubject(ns, name)),
];

const walletSubjects = (ns: string): string[] =>
  namesOf<WalletRequestName>(walletRequests).flatMap((name) => [
    ...(walletRouting(ns)(`wallet.${name}`, 'request')?.subjects ?? []),
  ]);

const groupNodeAccount = (ns: string, group: number, groups: number): BusAccount => {
  const heard = namesOf<PeerEventName>(peerEvents).flatMap((event) => [
    ...(groupRouting({ ns, group, groups })(event, 'event')?.subjects ?? []),
  ]);
  // Without its own: who answers may publish to the reply subject of each message that the server delivers to it, so one
  // that may ask itself may publish anything.
  const others = Array.from({ length: groups }, (_, other) => other).filter((other) => other !== group);
  const published = namesOf<PeerEventName>(peerEvents).map((event) => `${ns}.${event}.${group}.*`);
  const publish = [
    ...requestsOf(ns, 'group-node', others),
    ...published,
    // Its subject has no second group.
    `${ns}.peer.tips.${group}`,
    `${ns}.feed.group.${group}.>`,
  ];
  const subscribe = [`${ns}.rpc.group.${group}.>`, ...heard];
  return { ...account(`group-node-${group}`, publish, subscribe), answers: true };
};

/** Seconds after which a response is no longer permitted: slightly more than the longest deadline of the tables. */
const answerSeconds = (): number => {
  const deadlines = [...Object.values(groupRequests), ...Object.values(walletRequests)].map(
    ({ deadlineMs }) => deadlineMs / 1_000,
  );
  return Math.ceil(Math.max(...deadlines)) + 5;
};

/**
 * The users as a part of the configuration of a NATS server. `passwords`: for each user, plain or as bcrypt. Throws for
 * a missing password, and for one that the configuration cannot hold; the message does not contain it.
 */
export const renderBusAccounts = (
  accounts: readonly BusAccount[],
  passwords: Readonly<Record<string, string>>,
): string => {
  const users = accounts.map((one) => renderAccount(one, passwordOf(one.user, passwords)));
  return `authorization {\n  users: [\n${users.join(',\n')}\n  ]\n}\n`;
};

const passwordOf = (user: string, passwords: Readonly<Record<string, string>>): string => {
  const password = Object.hasOwn(passwords, user) ? passwords[user] : undefined;
  if (password === undefined) throw new Error(`the user ${user} has no password`);
  if (!/^[!#-[\]-~]{8,200}$/.test(password)) {
    throw new Error(`the password of ${user} must have 8 to 200 letters, digits or signs other than " and \\`);
  }
  return password;
};

const renderAccount = ({ user, publish, subscribe, answers }: BusAccount, password: string): string => {
  const list = (subjects: readonly string[]): string =>
    `{ allow: [\n${subjects.map((subject) => `          "${subject}"`).join(',\n')}\n        ] }`;
  const responses = answers ? `\n        allow_responses: { max: 1, expires: "${answerSeconds()}s" }` : '';
  return `    {
      user: "${user}", password: "${password}"
      permissions: {
        publish: ${list(publish)}
        subscribe: ${list(subscribe)}${responses}
      }
    }`;
};
