import { type RequestIssue } from '@shardnode/http';
import { genesisTimestamp } from '@shardnode/protocol/block';
import { dateText, timeText } from '@shardnode/protocol/primitives';
import { isObject } from './is-object.js';

/** A time before the genesis, milliseconds since 1970, is surely in another unit. */
export const isBeforeGenesis = (time: bigint): boolean => time < genesisTimestamp;

/** Text after the name of the field of such a time. `hint`: a value to send. */
export const beforeGenesisText = (time: bigint, hint: string): string =>
  `must be milliseconds since 1970, but ${time} reads as ${dateText(time)}, ` +
  `before the genesis of the network, ${timeText(genesisTimestamp)}. ${hint}`;

/** The same time if it was in seconds and lies between the genesis and `latest`, milliseconds since 1970. */
export const secondsHint = (time: bigint, latest?: bigint): string | undefined => {
  const inSeconds = time * 1_000n;
  const isMeant = !isBeforeGenesis(inSeconds) && (latest === undefined || inSeconds <= latest);
  return isMeant ? `If it is in seconds, send ${timeText(inSeconds)}.` : undefined;
};

const itemsOf = (body: Readonly<Record<string, unknown>>, name: string, place: string) => {
  const items = body[name];
  return Array.isArray(items) ? items.map((item: unknown, index) => ({ item, at: `${place}${name}[${index}].` })) : [];
};

/**
 * Lock times of a body as its schema has read it, of itself, its destinations and its senders, that lock nothing because
 * they are in another unit. Zero is no lock.
 */
export const lockTimeIssues = (body: unknown, place = ''): RequestIssue[] => {
  if (!isObject(body)) return [];
  const { lockTime } = body;
  const time = typeof lockTime === 'string' || typeof lockTime === 'bigint' ? BigInt(lockTime) : 0n;
  const own: RequestIssue[] = [];
  if (time !== 0n && isBeforeGenesis(time)) {
    const hint = secondsHint(time) ?? 'Leave it out to lock nothing.';
    own.push({ part: 'body', field: `${place}lockTime`, message: beforeGenesisText(time, hint) });
  }
  const inner = ['destinations', 'from'].flatMap((name) => itemsOf(body, name, place));
  return [...own, ...inner.flatMap(({ item, at }) => lockTimeIssues(item, at))];
};
