import { type SpanStart } from '@shardnode/core/observability';
import { type Block, type SealedHeader } from '@shardnode/protocol/block';
import { type Refusal } from '@shardnode/protocol/validation';
import { type ChainRole } from '../dag/roles.js';

/** A block or header in the import; its dependencies are known. */
export interface ImportItem {
  readonly header: SealedHeader;
  /** Absent for foreign chains. */
  readonly block?: Block;
  readonly role: ChainRole;
  /** `mined` here, or received from elsewhere (protocol 03 §11.3). */
  readonly origin: 'mined' | 'received';
}

/**
 * The outcome of an import. A fault is thrown instead: the item is then neither accepted nor refused. `stored` resolves
 * when the item is durable and visible to queries, and rejects when its commit failed.
 */
export type ImportOutcome =
  | { readonly kind: 'accepted'; readonly stored: Promise<void> }
  | { readonly kind: 'known' }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

/** Span of the import of a block. */
export const spanOfImport = ({ header, role, origin }: ImportItem): SpanStart => {
  const { from, to } = header.chainIndex;
  const attributes = { 'chain.from': from, 'chain.to': to, 'block.hash': header.hash, role, origin };
  return { name: 'import', kind: 'internal', attributes };
};
