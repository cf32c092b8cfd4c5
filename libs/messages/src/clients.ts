import { type Bus, type PublishOptions } from '@shardnode/core/bus';
import { developmentRequests, type DevelopmentRequestName, type DevelopmentRequests } from './development-requests.js';
import { type LiveChange } from './explorer-events.js';
import { feedEventGroups, type FeedEvents, isFeedEvent } from './feed-events.js';
import { groupRequests, type GroupRequestName, type GroupRequests } from './group-requests.js';
import { type PeerEvents } from './peer-events.js';
import { type ChainSelector } from './request-items.js';
import { developmentSubject, feedSubject, groupSubject, liveSubject, peerSubject, walletSubject } from './subjects.js';
import { walletRequests, type WalletRequestName, type WalletRequests } from './wallet-requests.js';

export interface CallOptions {
  /** Deadline in milliseconds; overrides the table. */
  readonly deadlineMs?: number;
}

/** Sends requests to group-nodes. Failures are ServiceErrors; `unavailable` ones have `data.group`. */
export abstract class GroupClient {
  abstract readonly groups: number;
  abstract request<Name extends GroupRequestName>(
    group: number,
    name: Name,
    payload: GroupRequests[Name]['request'],
    options?: CallOptions,
  ): Promise<GroupRequests[Name]['reply']>;
}

export const groupClient = (bus: Bus, network: { readonly ns: string; readonly groups: number }): GroupClient => {
  // Subjects and options are prepared once for each group and name: this is the hottest call of the cluster.
  const prepared = Array.from({ length: network.groups }, (_, group) => ({
    responder: { name: `The group-node of group ${group}`, data: { group } },
    subjects: new Map<GroupRequestName, string>(),
  }));
  const subjectOf = (subjects: Map<GroupRequestName, string>, group: number, name: GroupRequestName): string => {
    let subject = subjects.get(name);
    if (subject === undefined) {
      subject = groupSubject(network.ns, group, name);
      subjects.set(name, subject);
    }
    return subject;
  };
  return {
    groups: network.groups,
    request: (group, name, payload, options) => {
      const target = prepared[group];
      if (!target) return Promise.reject(new RangeError(`there is no group ${group}`));
      const subject = subjectOf(target.subjects, group, name);
      const deadlineMs = options?.deadlineMs ?? groupRequests[name].deadlineMs;
      return bus.request(subject, payload, { deadlineMs, responder: target.responder }) as Promise<never>;
    },
  };
};

/** Sends requests to the wallet-service. Errors of a request that it did not answer have `data.service`. */
export abstract class WalletClient {
  abstract request<Name extends WalletRequestName>(
    name: Name,
    payload: WalletRequests[Name]['request'],
    options?: CallOptions,
  ): Promise<WalletRequests[Name]['reply']>;
}

export const walletClient = (bus: Bus, network: { readonly ns: string }): WalletClient => {
  const responder = { name: 'The wallet-service', data: { service: 'wallet-service' } };
  return {
    request: (name, payload, options) => {
      const deadlineMs = options?.deadlineMs ?? walletRequests[name].deadlineMs;
      return bus.request(walletSubject(network.ns, name), payload, { deadlineMs, responder }) as Promise<never>;
    },
  };
};

/** Sends requests to the gateway of a development network. */
export abstract class DevelopmentClient {
  abstract request<Name extends DevelopmentRequestName>(
    name: Name,
    payload: DevelopmentRequests[Name]['request'],
  ): Promise<DevelopmentRequests[Name]['reply']>;
}

export const developmentClient = (bus: Bus, network: { readonly ns: string }): DevelopmentClient => ({
  request: (name, payload) => {
    const { deadlineMs } = developmentRequests[name];
    const responder = { name: 'The gateway' };
    return bus.request(developmentSubject(network.ns, name), payload, { deadlineMs, responder }) as Promise<never>;
  },
});

/** Events published by a group-node: to its siblings, and to gateways that forward them to clients. */
type PublishedEvents = PeerEvents & FeedEvents;

/** Publishes for one group. The subject follows from the payload; `from` must be the publisher's group. */
export interface PeerPublisher {
  publish<Name extends keyof PublishedEvents>(
    event: Name,
    payload: PublishedEvents[Name],
    options?: PublishOptions,
  ): void;
}

type SubjectOf = {
  readonly [Name in keyof PublishedEvents]: (payload: PublishedEvents[Name]) => Partial<ChainSelector>;
};

/** Groups of an event's subject, as in `feedEventGroups`. */
const subjectOf: SubjectOf = {
  'peer.block': ({ from, to }) => ({ from, to }),
  'peer.header': ({ from, to }) => ({ from, to }),
  'peer.tx': ({ from, to }) => ({ from, to }),
  'peer.tips': ({ from }) => ({ from }),
  ...feedEventGroups,
};

export const peerPublisher = (bus: Bus, ns: string, group: number): PeerPublisher => ({
  publish: (event, payload, options) => {
    const { from = group, to } = subjectOf[event](payload);
    if (from !== group) throw new RangeError(`group ${group} cannot publish for group ${from}`);
    const place = { from, ...(to !== undefined && { to }) };
    const subject = isFeedEvent(event) ? feedSubject(ns, { event, ...place }) : peerSubject(ns, { event, ...place });
    bus.publish(subject, payload, options);
  },
});

/** Publishes for the writer of the explorer (protocol 08 §6). */
export const livePublisher =
  (bus: Bus, ns: string): ((change: LiveChange) => void) =>
  (change) =>
    bus.publish(liveSubject(ns), change);
