import { createHash } from 'node:crypto';
import {
  type ChainPullReply,
  type SentBlock,
  type SentEvent,
  type FeedPlace,
  parseValueForm,
} from '@shardnode/messages';
import { type Block, decodeBlock, parentHashOf } from '@shardnode/protocol/block';
import { type ChainIndex, type Hash, sameChain } from '@shardnode/protocol/primitives';
import { type FeedBlock, type FeedEvent } from '../blocks/feed-block.js';

/** A reply of a group-node that contradicts itself, the request or the protocol (protocol 08 §4.3 step 4). */
export class InvalidFeedReply extends Error {
  constructor(problem: string, options?: ErrorOptions) {
    super(problem, options);
    this.name = 'InvalidFeedReply';
  }
}

const check = (isRight: boolean, problem: string): void => {
  if (!isRight) throw new InvalidFeedReply(problem);
};

const eventOf = ({ txId, contractId, eventIndex, fields }: SentEvent): FeedEvent => ({
  txId,
  contractId,
  eventIndex,
  fields: fields.map((form) => {
    const value = parseValueForm(form);
    if (value === undefined) throw new InvalidFeedReply(`an event of transaction ${txId} has an invalid value`);
    return value;
  }),
});

const decoded = (hash: Hash, raw: Uint8Array, groups: number): Block => {
  try {
    return decodeBlock(raw, groups, { genesis: 'accepted' });
  } catch (error) {
    throw new InvalidFeedReply(`block ${hash} cannot be decoded`, { cause: error });
  }
};

/** The bytes of a block that came in parts. @throws InvalidFeedReply */
export const joinedParts = ({ hash, size, sha256 }: SentBlock, parts: readonly Uint8Array[]): Uint8Array => {
  const raw = new Uint8Array(Buffer.concat(parts));
  check(raw.length === size, `block ${hash} has ${raw.length} bytes in parts, expected ${size}`);
  check(createHash('sha256').update(raw).digest('hex') === sha256, `the parts of block ${hash} have another checksum`);
  return raw;
};

/**
 * Decodes a block and recomputes its hash and chain.
 * @param raw the serialized block
 * @throws InvalidFeedReply
 */
export const checkedBlock = (sent: SentBlock, raw: Uint8Array, chain: ChainIndex, groups: number): FeedBlock => {
  const { hash, height, events = [] } = sent;
  const block = decoded(hash, raw, groups);
  check(block.header.hash === hash, `block ${hash} has the hash ${block.header.hash}`);
  check(sameChain(block.header.chainIndex, chain), `block ${hash} is not of chain (${chain.from},${chain.to})`);
  return { height, block, events: events.map(eventOf) };
};

/** The blocks of a reply must continue its fork. @throws InvalidFeedReply */
export const checkContinuous = (fork: FeedPlace | undefined, blocks: readonly FeedBlock[], groups: number): void => {
  let previous = fork;
  for (const { height, block } of blocks) {
    const { hash } = block.header;
    check(height === (previous?.height ?? -1) + 1, `block ${hash} has height ${height}`);
    check(!previous || parentHashOf(block.header, groups) === previous.hash, `block ${hash} has another parent`);
    previous = { height, hash };
  }
};

/** The fork of a reply must be a locator, or genesis. @throws InvalidFeedReply */
export const checkedFork = ({ fork }: ChainPullReply, locators: readonly FeedPlace[]): FeedPlace | undefined => {
  if (locators.length === 0) {
    check(fork === null, 'the reply has a fork, the request had no locators');
    return undefined;
  }
  const known = locators.find(({ height, hash }) => height === fork?.height && hash === fork.hash);
  check(known !== undefined, 'the fork of the reply is no locator of the request');
  return known;
};
