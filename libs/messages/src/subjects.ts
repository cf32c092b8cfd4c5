import { type DevelopmentRequestName } from './development-requests.js';
import { type FeedEventName } from './feed-events.js';
import { type GroupRequestName } from './group-requests.js';
import { type PeerEventName } from './peer-events.js';
import { type WalletRequestName } from './wallet-requests.js';

/** The grammar of subjects (architecture, section 3). `ns` names one network and cluster and has no dots. */
export interface PeerSubject {
  readonly event: PeerEventName;
  readonly from: number;
  /** Absent for `peer.tips`. */
  readonly to?: number;
}

export const groupSubject = (ns: string, group: number, name: GroupRequestName): string =>
  `${ns}.rpc.group.${group}.${name}`;

export const walletSubject = (ns: string, name: WalletRequestName): string => `${ns}.rpc.wallet.${name}`;

export const developmentSubject = (ns: string, name: DevelopmentRequestName): string => `${ns}.rpc.development.${name}`;

export const peerSubject = (ns: string, { event, from, to }: PeerSubject): string =>
  to === undefined ? `${ns}.${event}.${from}` : `${ns}.${event}.${from}.${to}`;

export interface FeedSubject {
  readonly event: FeedEventName;
  readonly from: number | '*';
  /** `feed.chain` only. */
  readonly to?: number | '*';
}

/** `{ns}.feed.group.{from}.block`: the publisher is in the subject, so that the bus can enforce it. */
export const feedSubject = (ns: string, { event, from, to }: FeedSubject): string =>
  `${ns}.feed.group.${from}.${event.slice('feed.'.length)}${to === undefined ? '' : `.${to}`}`;

/** Where the writer of the explorer publishes what it has committed (protocol 08 §6). */
export const liveSubject = (ns: string): string => `${ns}.explorer.live`;

export type ParsedSubject =
  | { readonly kind: 'group-request'; readonly ns: string; readonly group: number; readonly name: string }
  | { readonly kind: 'wallet-request'; readonly ns: string; readonly name: string }
  | ({ readonly kind: 'peer-event'; readonly ns: string } & PeerSubject)
  | {
      readonly kind: 'feed-event';
      readonly ns: string;
      readonly event: FeedEventName;
      readonly from: number;
      readonly to?: number;
    };

const groupForm = /^([^.]+)\.rpc\.group\.(\d+)\.((?:read|command)(?:\.[a-z-]+){1,2})$/;
const walletForm = /^([^.]+)\.rpc\.wallet\.([a-z-]+)$/;
const feedForm = /^([^.]+)\.feed\.group\.(\d+)\.(?:(block|pool|heartbeat)|chain\.(\d+))$/;
const peerForm = /^([^.]+)\.(?:(peer\.(?:block|header|tx))\.(\d+)\.(\d+)|(peer\.tips)\.(\d+))$/;

/** Inverse of the builders; undefined for any other text. */
export const parseSubject = (subject: string): ParsedSubject | undefined => {
  const group = groupForm.exec(subject);
  if (group) return { kind: 'group-request', ns: group[1]!, group: Number(group[2]), name: group[3]! };
  const wallet = walletForm.exec(subject);
  if (wallet) return { kind: 'wallet-request', ns: wallet[1]!, name: wallet[2]! };
  const feed = feedForm.exec(subject);
  if (feed) {
    const [, ns, from, name, to] = feed;
    const publisher = { kind: 'feed-event', ns: ns!, from: Number(from) } as const;
    if (to !== undefined) return { ...publisher, event: 'feed.chain', to: Number(to) };
    return { ...publisher, event: `feed.${name}` as FeedEventName };
  }
  const peer = peerForm.exec(subject);
  if (!peer) return undefined;
  const ns = peer[1]!;
  return peer[5] === undefined
    ? { kind: 'peer-event', ns, event: peer[2] as PeerEventName, from: Number(peer[3]), to: Number(peer[4]) }
    : { kind: 'peer-event', ns, event: 'peer.tips', from: Number(peer[6]) };
};
