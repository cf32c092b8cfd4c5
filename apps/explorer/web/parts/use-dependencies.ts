import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { chainOfHash, indexOfChain } from '../store/chains.js';
import { type Block, type BlockLite, type Chain } from '../store/forms.js';
import { groups, headers, headOf, network } from '../store/network.js';
import { type Resting, restingChains, restingOn } from '../store/resting.js';

/** Blocks by hash: known ones of the network, others are read once. Undefined while a block is not known. */
export const useBlocks = (hashes: readonly string[]): readonly (BlockLite | undefined)[] => {
  const found = useSignal<ReadonlyMap<string, BlockLite>>(new Map());
  const readBlock = async (hash: string): Promise<void> => {
    const known = network.peek().blocks.find((block) => block.hash === hash);
    const block = known ?? (await headers.block(hash));
    found.value = new Map([...found.peek(), [hash, block]]);
  };
  useEffect(() => hashes.forEach((hash) => void readBlock(hash).catch(() => undefined)), [hashes.join()]);
  return hashes.map((hash) => found.value.get(hash));
};

/** A chain and its first block that rests on a block: null if there is none yet, undefined while that is not known. */
export interface RestingOfChain {
  readonly chain: Chain;
  readonly resting: Resting | null | undefined;
}

/** What rests on a block of the main chain, live. Chains where nothing does are looked at again when they grow. */
export const useResting = (block: Block): readonly RestingOfChain[] => {
  const found = useSignal<ReadonlyMap<number, Resting | null>>(new Map());
  const left = new Set(network.value.orphans.map(({ block: { hash } }) => hash));
  const shown = restingChains(block, groups.value).map((chain): RestingOfChain => {
    const resting = found.value.get(indexOfChain(chain, groups.value));
    return { chain, resting: resting && left.has(resting.block.hash) ? undefined : resting };
  });
  const open = block.mainChain ? shown.filter(({ resting }) => !resting).map(({ chain }) => chain) : [];
  const look = async (chain: Chain): Promise<void> => {
    const resting = (await restingOn(headers, block, chain, groups.peek())) ?? null;
    found.value = new Map([...found.peek(), [indexOfChain(chain, groups.peek()), resting]]);
  };
  const version = open.map((chain) => `${indexOfChain(chain, groups.value)}:${headOf(chain)?.hash ?? ''}`).join();
  useEffect(() => open.forEach((chain) => void look(chain).catch(() => undefined)), [block.hash, version]);
  return shown;
};

/** The chain of a dependency, whose header may not be known. */
export const chainOfDependency = (hash: string): Chain => chainOfHash(hash, groups.value);
