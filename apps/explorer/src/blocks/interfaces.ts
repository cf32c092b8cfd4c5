import { type FeedVal } from '@shardnode/messages';

/** Before the interface id at the start of the last immutable field of a contract, hexadecimal (protocol 08 §4.11). */
const prefix = '414c5048';

/** The interface id in the fields of a contract, hexadecimal; empty: it follows no interface. */
export const interfaceOfFields = (fields: readonly FeedVal[]): string => {
  const last = fields.at(-1);
  return last?.type === 'ByteVec' && last.value.startsWith(prefix) ? last.value.slice(prefix.length) : '';
};

/** The category of an interface id: its first four digits, by which lists of tokens are filtered. */
export const categoryOf = (id: string): string => id.slice(0, 4);

/** Names of interfaces by their ids; of those that stand for all longer ids too. */
const nameOfInterface = (id: string): string => {
  if (id === '') return 'non-standard';
  if (id.startsWith('0001')) return 'fungible';
  if (id.startsWith('0003')) return 'non-fungible';
  return { '0002': 'non-fungible-collection', '000201': 'non-fungible-collection-with-royalty' }[id] ?? id;
};

/** The name of an interface in the API; null while its id is unknown. */
export const interfaceName = (id: string | null): string | null => (id === null ? null : nameOfInterface(id));

/** Interfaces of collections, whose names stand for no longer ids. */
export const isCollection = (id: string): boolean => id === '0002' || id === '000201';
