import { type BusRoute, type BusRouting, type Sender } from '@shardnode/core/bus';
import { developmentRequests, type DevelopmentRequestName } from './development-requests.js';
import { explorerEvents, isExplorerEvent } from './explorer-events.js';
import { feedErrors } from './feed-errors.js';
import { feedEventGroups, feedEvents, type FeedEvents, type FeedEventName, isFeedEvent } from './feed-events.js';
import { feedRequests } from './feed-requests.js';
import { groupRequests, type GroupRequestName } from './group-requests.js';
import { payloadCheck } from './message-schema.js';
import { peerEvents, type PeerEventName } from './peer-events.js';
import { type RequestRow, type ServiceName } from './request-definition.js';
import { type ChainSelector } from './request-items.js';
import {
  developmentSubject,
  feedSubject,
  groupSubject,
  liveSubject,
  parseSubject,
  peerSubject,
  walletSubject,
} from './subjects.js';
import { walletRequests, type WalletRequestName } from './wallet-requests.js';

export interface GroupPlace {
  readonly ns: string;
  readonly group: number;
  /** Number of groups of the network. */
  readonly groups: number;
}

const permits =
  (row: Pick<RequestRow<never>, 'senders'>) =>
  (sender: Sender): boolean =>
    row.senders.includes(sender.service as ServiceName);

/** `peer.*.{f}...` comes from group-node f only (decision 19 rests on it). */
const fromItsGroup = (sender: Sender, subject: string): boolean => {
  const parsed = parseSubject(subject);
  return sender.service === 'group-node' && parsed?.kind === 'peer-event' && parsed.from === sender.member;
};

/** The subject identifies the group-node, because the bus enforces it. A payload with other groups is forged. */
const sameGroupsAsSubject = (payload: Partial<ChainSelector>, subject: string): string | undefined => {
  const parsed = parseSubject(subject);
  if (parsed?.kind !== 'peer-event') return 'the subject is not of a peer event';
  if (payload.from !== parsed.from) return 'from: expected the group of the subject';
  return payload.to === parsed.to ? undefined : 'to: expected the group of the subject';
};

const peerEventCheck = (event: PeerEventName, groups: number): NonNullable<BusRoute['check']> => {
  const check = payloadCheck(peerEvents[event].schema, groups);
  return (payload, subject) => check(payload) ?? sameGroupsAsSubject(payload as Partial<ChainSelector>, subject);
};

const othersOf = ({ group, groups }: GroupPlace): number[] =>
  Array.from({ length: groups }, (_, index) => index).filter((index) => index !== group);

/**
 * The group that receives the body of a block of chain (from, to): `to`, or for to = from the next one (protocol 03
 * §12.5).
 */
export const bodyTaker = (from: number, to: number, groups: number): number => (to === from ? (from + 1) % groups : to);

/** All foreign chains (from, to) of which this group receives bodies, or headers. */
const foreignChains = (place: GroupPlace, takes: 'body' | 'header'): { from: number; to: number }[] =>
  othersOf(place).flatMap((from) =>
    Array.from({ length: place.groups }, (_, to) => ({ from, to })).filter(
      ({ to }) => (bodyTaker(from, to, place.groups) === place.group) === (takes === 'body'),
    ),
  );

const peerSubjects = (event: PeerEventName, place: GroupPlace): string[] => {
  const subject = (chain: { from: number; to?: number }): string => peerSubject(place.ns, { event, ...chain });
  switch (event) {
    case 'peer.block':
      return foreignChains(place, 'body').map(subject);
    case 'peer.header':
      return foreignChains(place, 'header').map(subject);
    case 'peer.tx':
      return othersOf(place).map((from) => subject({ from, to: place.group }));
    case 'peer.tips':
      return othersOf(place).map((from) => subject({ from }));
  }
};

const isPeerEvent = (pattern: string): pattern is PeerEventName => Object.hasOwn(peerEvents, pattern);

/** Routes of the patterns of group-node g, with their permitted senders. */
export const groupRouting =
  (place: GroupPlace): BusRouting =>
  (pattern, kind): BusRoute | undefined => {
    if (kind === 'event') {
      if (!isPeerEvent(pattern)) return undefined;
      const subjects = peerSubjects(pattern, place);
      return { subjects, maySend: fromItsGroup, check: peerEventCheck(pattern, place.groups) };
    }
    if (!Object.hasOwn(groupRequests, pattern)) return undefined;
    const name = pattern as GroupRequestName;
    return {
      subjects: [groupSubject(place.ns, place.group, name)],
      queue: `group-${place.group}`,
      maySend: permits(groupRequests[name]),
      check: payloadCheck(groupRequests[name].schema, place.groups),
      ...(Object.hasOwn(feedRequests, name) ? { publicErrors: feedErrors } : {}),
    };
  };

/**
 * Routes of the wallet-service. Patterns of its handlers are `wallet.<method>`; `groups` bounds the groups in payloads.
 */
export const walletRouting =
  (ns: string, groups = 4): BusRouting =>
  (pattern, kind): BusRoute | undefined => {
    const name = pattern.replace(/^wallet\./, '');
    if (kind === 'event' || name === pattern || !Object.hasOwn(walletRequests, name)) return undefined;
    const known = name as WalletRequestName;
    return {
      subjects: [walletSubject(ns, known)],
      queue: 'wallet',
      maySend: permits(walletRequests[known]),
      check: payloadCheck(walletRequests[known].schema, groups),
    };
  };

/** `feed.group.{f}...` comes from group-node f only. */
const fromItsPublisher = (sender: Sender, subject: string): boolean => {
  const parsed = parseSubject(subject);
  return sender.service === 'group-node' && parsed?.kind === 'feed-event' && parsed.from === sender.member;
};

const feedCheck = <Name extends FeedEventName>(event: Name, groups: number): NonNullable<BusRoute['check']> => {
  const check = payloadCheck(feedEvents[event].schema, groups);
  return (payload, subject) => {
    const problem = check(payload);
    if (problem !== undefined) return problem;
    const parsed = parseSubject(subject);
    if (parsed?.kind !== 'feed-event') return 'the subject is not of the feed';
    const { from = parsed.from, to = parsed.to } = feedEventGroups[event](payload as FeedEvents[Name]);
    return from === parsed.from && to === parsed.to ? undefined : 'from: expected the group of the subject';
  };
};

/** Routes of a follower of the feed, as gateways are; each follower receives every event. */
export const followerRouting =
  (ns: string, groups: number): BusRouting =>
  (pattern, kind): BusRoute | undefined => {
    if (kind !== 'event' || !isFeedEvent(pattern)) return undefined;
    return {
      subjects: [feedSubject(ns, { event: pattern, from: '*', ...(pattern === 'feed.chain' && { to: '*' }) })],
      maySend: fromItsPublisher,
      check: feedCheck(pattern, groups),
    };
  };

/** Routes of a gateway: it follows the feed, and answers the explorer of a development network. */
export const gatewayRouting =
  (ns: string, groups: number): BusRouting =>
  (pattern, kind): BusRoute | undefined => {
    const name = pattern.replace(/^development\./, '');
    if (kind === 'event' || name === pattern || !Object.hasOwn(developmentRequests, name))
      return followerRouting(ns, groups)(pattern, kind);
    const known = name as DevelopmentRequestName;
    return {
      subjects: [developmentSubject(ns, known)],
      queue: 'development',
      maySend: permits(developmentRequests[known]),
      check: payloadCheck(developmentRequests[known].schema, groups),
    };
  };

/** Routes of the explorer: it follows the feed, and each of its processes hears the writer (protocol 08 §6). */
export const explorerRouting =
  (ns: string, groups: number): BusRouting =>
  (pattern, kind): BusRoute | undefined => {
    if (kind !== 'event' || !isExplorerEvent(pattern)) return followerRouting(ns, groups)(pattern, kind);
    return {
      subjects: [liveSubject(ns)],
      maySend: ({ service }) => service === 'explorer',
      check: payloadCheck(explorerEvents[pattern].schema, groups),
    };
  };
