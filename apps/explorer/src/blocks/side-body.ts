import { valueForm } from '@shardnode/messages';
import { type Block, decodeBlock } from '@shardnode/protocol/block';
import { type FeedBlock } from './feed-block.js';

const lengthBytes = 4;

/**
 * Column `body` of a side block (protocol 08 §3.3): the length of the block in 4 bytes, big-endian, the block as
 * received, its events as the JSON array of the feed.
 */
export const bodyOf = ({ block, events }: FeedBlock): Uint8Array => {
  const length = Buffer.alloc(lengthBytes);
  length.writeUInt32BE(block.raw.length);
  const list = events.map(({ fields, ...event }) => ({ ...event, fields: fields.map(valueForm) }));
  return Buffer.concat([length, block.raw, Buffer.from(JSON.stringify(list))]);
};

/** The block of a `body`. Throws DecodeError for a damaged one. */
export const blockOfBody = (body: Uint8Array, groups: number): Block => {
  const length = Buffer.from(body.buffer, body.byteOffset, body.length).readUInt32BE();
  return decodeBlock(body.subarray(lengthBytes, lengthBytes + length), groups, { genesis: 'accepted' });
};
