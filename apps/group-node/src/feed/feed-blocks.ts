import { createHash } from 'node:crypto';
import { type SentBlock, type SentEvent, valueForms } from '@shardnode/messages';
import { type DagNode } from '@shardnode/protocol/dag';
import { type Hash } from '@shardnode/protocol/primitives';
import { type StoredEvent } from '../store/index.js';
import { bodiesOf, type BlockReads, sizesOf } from '../view/blocks-within.js';

/** Bytes of the JSON of a block besides its bytes and events. */
const bytesOfFrame = 260;

const eventForm = ({ txId, contractId, eventIndex, fields }: StoredEvent): SentEvent => ({
  txId,
  contractId,
  eventIndex,
  fields: valueForms(fields),
});

const base64Length = (bytes: number): number => 4 * Math.ceil(bytes / 3);

/** A block with the bytes of its JSON. */
export interface SizedBlock {
  readonly block: SentBlock;
  readonly bytes: number;
}

/** How blocks are read and encoded. */
export interface BlockForm {
  readonly withEvents: boolean;
  /** Bytes of JSON above which a block is `chunked`. */
  readonly maxBytes: number;
}

/** The block without its bytes, when its JSON has too many. */
const sized = (node: DagNode, raw: Uint8Array, events: SentEvent[] | undefined, maxBytes: number): SizedBlock => {
  const place = { height: node.height, hash: node.hash, timestamp: Number(node.timestamp) };
  const withEvents = events ? { events } : {};
  const rest = bytesOfFrame + (events && events.length > 0 ? Buffer.byteLength(JSON.stringify(events)) : 0);
  const bytes = rest + base64Length(raw.length);
  if (bytes <= maxBytes) {
    const block = Buffer.from(raw.buffer, raw.byteOffset, raw.length).toString('base64');
    return { block: { ...place, block, ...withEvents }, bytes };
  }
  const sha256 = createHash('sha256').update(raw).digest('hex');
  return { block: { ...place, chunked: true, size: raw.length, sha256, ...withEvents }, bytes: rest };
};

const hashesOf = (nodes: readonly DagNode[]): Hash[] => nodes.map(({ hash }) => hash);

/** Bodies and events of blocks in the form of the feed (protocol 09 §5). */
export class FeedBlocks {
  constructor(private readonly node: BlockReads) {}

  /** The first of these blocks whose JSON may fit into so many bytes, at least one; no body is read. */
  async fitting(nodes: readonly DagNode[], { withEvents, maxBytes }: BlockForm): Promise<readonly DagNode[]> {
    const sizeOf = await sizesOf(this.node, hashesOf(nodes), withEvents && this.mayHaveEvents(nodes[0]));
    let bytes = 0;
    const end = nodes.findIndex(({ hash }) => {
      bytes += bytesOfFrame + base64Length(sizeOf(hash));
      return bytes > maxBytes;
    });
    return end < 0 ? nodes : nodes.slice(0, Math.max(1, end));
  }

  /** Of one chain. Throws for a block without a stored body. */
  async read(nodes: readonly DagNode[], form: BlockForm): Promise<SizedBlock[]> {
    return this.encoded(nodes, await bodiesOf(this.node, hashesOf(nodes)), form);
  }

  /** The same, with bodies that are read already. */
  async encoded(nodes: readonly DagNode[], bodyOf: (hash: Hash) => Uint8Array, form: BlockForm): Promise<SizedBlock[]> {
    const isNeeded = form.withEvents && this.mayHaveEvents(nodes[0]);
    const events = isNeeded ? await this.node.store.eventsOfBlocks(hashesOf(nodes)) : undefined;
    return nodes.map((node) => {
      const { hash } = node;
      const ofBlock = form.withEvents ? (events?.get(hash) ?? []).map(eventForm) : undefined;
      return sized(node, bodyOf(hash), ofBlock, form.maxBytes);
    });
  }

  /** Only the own intra-group chain runs scripts. */
  private mayHaveEvents(first: DagNode | undefined): boolean {
    const { group } = this.node.state;
    return first !== undefined && first.from === group && first.to === group;
  }
}
