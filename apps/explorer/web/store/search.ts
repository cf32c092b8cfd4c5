import { placeOnChain, type PlaceOnChain } from '@shardnode/http/searched-text';
import { read } from '../stream/api.js';
import { allChains } from './chains.js';
import { type Block, type Chain, type Finding } from './forms.js';
import { groups, headOf } from './network.js';

/** What was found: by the service, or a chain, or a height that a chain has. */
export type Place =
  | (Omit<Finding, 'kind'> & { readonly kind: Finding['kind'] | 'chain' })
  | (Chain & { readonly kind: 'height'; readonly id: string; readonly height: number });

const folders = {
  block: 'block',
  transaction: 'tx',
  pending: 'tx',
  token: 'token',
  address: 'address',
  contract: 'address',
  chain: 'chain',
} as const;

const blocksAt = ({ chainFrom, chainTo }: Chain, height: number): Promise<readonly Block[]> =>
  read(`chains/${chainFrom}/${chainTo}/blocks/${height}`);

/** The path of the page of a place that has one of its own. */
export const placePath = ({ kind, id }: Exclude<Place, { readonly kind: 'height' }>): string =>
  `${folders[kind]}/${id}`;

/** The path of the page of a place; undefined: the chain does not have the height. @throws ApiFailure */
export const pathOf = async (place: Place): Promise<string | undefined> => {
  if (place.kind !== 'height') return placePath(place);
  const [block] = await blocksAt(place, place.height);
  return block && `block/${block.hash}`;
};

const findOnChain = async ({ from, to, height }: PlaceOnChain): Promise<Place[]> => {
  if (from >= groups.value || to >= groups.value) return [];
  if (height === undefined) return [{ kind: 'chain', id: `${from}/${to}` }];
  const blocks = await blocksAt({ chainFrom: from, chainTo: to }, height);
  return blocks.map(({ hash }) => ({ kind: 'block', id: hash }));
};

/** The chains that have a height. One whose newest block is not known yet may have it. */
const findHeight = (height: number): Place[] =>
  allChains(groups.value)
    .filter((chain) => height <= (headOf(chain)?.height ?? Infinity))
    .map((chain) => ({ ...chain, kind: 'height', id: `${chain.chainFrom}/${chain.chainTo}`, height }));

const heightForm = /^\d{1,9}$/;

/** Everything that a text may mean. @param text as `searchedText` makes it @throws ApiFailure */
export const find = async (text: string): Promise<readonly Place[]> => {
  const place = placeOnChain(text);
  if (place !== undefined) return findOnChain(place);
  // Digits may be the beginning of a hash, too.
  const heights = heightForm.test(text) ? findHeight(Number(text)) : [];
  if (heights.length > 0) return heights;
  return read<readonly Finding[]>(`search?q=${encodeURIComponent(text)}`);
};
