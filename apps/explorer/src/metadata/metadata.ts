import { type FeedCallResult, type FeedVal } from '@shardnode/messages';
import { categoryOf, isCollection } from '../blocks/interfaces.js';

/** Metadata of a token or contract, as calls of its methods return it (protocol 08 §4.11). */
export type Metadata =
  | { readonly kind: 'fungible'; readonly symbol: string; readonly name: string; readonly decimals: string }
  | { readonly kind: 'nft'; readonly tokenUri: string; readonly collection: string; readonly nftIndex: string }
  | { readonly kind: 'collection'; readonly collectionUri: string };

interface MetadataKind {
  /** Number of methods that are called, from the first one on. */
  readonly methods: number;
  /** Undefined for results of other types. */
  readonly read: (values: readonly FeedVal[]) => Metadata | undefined;
}

/** Longest text that is stored, in characters: an index takes 2.7 kB, and a character up to four bytes. */
const longestText = 512;

/** Text that a contract gives: it is any bytes. PostgreSQL stores no U+0000. */
const textOf = (value: FeedVal | undefined): string | undefined => {
  if (value?.type !== 'ByteVec') return undefined;
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(Buffer.from(value.value, 'hex'));
  return [...text.replaceAll('\0', '')].slice(0, longestText).join('');
};
const numberOf = (value: FeedVal | undefined): string | undefined => (value?.type === 'U256' ? value.value : undefined);
const hashOf = (value: FeedVal | undefined): string | undefined =>
  value?.type === 'ByteVec' && value.value.length === 64 ? value.value : undefined;

export const fungible: MetadataKind = {
  methods: 3,
  read: (values) => {
    const [symbol, name, decimals] = [textOf(values[0]), textOf(values[1]), numberOf(values[2])];
    if (symbol === undefined || name === undefined || decimals === undefined || values.length !== 3) return undefined;
    return { kind: 'fungible', symbol, name, decimals };
  },
};
const nft: MetadataKind = {
  methods: 2,
  read: (values) => {
    const [tokenUri, collection, nftIndex] = [textOf(values[0]), hashOf(values[1]), numberOf(values[2])];
    if (tokenUri === undefined || collection === undefined || nftIndex === undefined) return undefined;
    return values.length === 3 ? { kind: 'nft', tokenUri, collection, nftIndex } : undefined;
  },
};
const collection: MetadataKind = {
  methods: 1,
  read: (values) => {
    const collectionUri = textOf(values[0]);
    return collectionUri === undefined || values.length !== 1 ? undefined : { kind: 'collection', collectionUri };
  },
};

/** The metadata that a token, or a contract, with this interface has; undefined: none. */
export const metadataKindOf = (of: 'token' | 'contract', interfaceId: string): MetadataKind | undefined => {
  if (of === 'contract') return isCollection(interfaceId) ? collection : undefined;
  return { '0001': fungible, '0003': nft }[categoryOf(interfaceId)];
};

/** The metadata in the results of the calls, in the order of the methods; undefined when one failed or has other types. */
export const metadataOf = ({ read }: MetadataKind, results: readonly FeedCallResult[]): Metadata | undefined =>
  results.every((result) => result.ok)
    ? read(results.flatMap((result) => (result.ok ? result.returns : [])))
    : undefined;
