import { type Block, type Chain } from '../store/forms.js';
import { type Headers } from '../store/confirmations.js';
import { read } from './api.js';

/** Most headers that are kept. */
const most = 2_000;

const asked = new Map<string, Promise<Block>>();
const byHash = new Map<string, Block>();

const keep = (block: Block): Block => {
  byHash.set(block.hash, block);
  if (byHash.size > most) byHash.delete(byHash.keys().next().value!);
  return block;
};

const ask = (hash: string): Promise<Block> => {
  const running = asked.get(hash);
  if (running) return running;
  const answer = read<Block>(`blocks/${hash}`)
    .then(keep)
    .finally(() => asked.delete(hash));
  asked.set(hash, answer);
  return answer;
};

/** Headers that were read. They never change but for `mainChain`. */
export const knownHeaders: ReadonlyMap<string, Block> = byHash;

/** The headers of blocks; each is asked for once. */
export const headers: Headers = {
  block: (hash) => {
    const known = byHash.get(hash);
    return known === undefined ? ask(hash) : Promise.resolve(known);
  },
  at: async ({ chainFrom, chainTo }: Chain, height) => {
    const found = await read<readonly Block[]>(`chains/${chainFrom}/${chainTo}/blocks/${height}`);
    const main = found.find(({ mainChain }) => mainChain);
    return main && keep(main);
  },
};
