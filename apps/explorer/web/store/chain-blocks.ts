import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { type ApiFailure, read } from '../stream/api.js';
import { type BlocksByHeight, type HeightRange, rangesOf, rowsOf } from './chain-rows.js';
import { type Block, type Chain } from './forms.js';
import { failureOf } from './loaded.js';
import { isHistoryRead, network } from './network.js';

const step = 20;
/** How long the lists were that were left, by chain. */
const lengths = new Map<string, number>();

/** Heights of a chain, newest first, as the network makes them. Older ones are read, each once. */
export const useChainBlocks = (chain: Chain) => {
  const name = `${chain.chainFrom}/${chain.chainTo}`;
  const length = useSignal(lengths.get(name) ?? step);
  const readBlocks = useSignal<BlocksByHeight>(new Map());
  const failure = useSignal<ApiFailure | undefined>(undefined);
  const asked = useRef(new Set<number>());
  const rows = rowsOf(network.value, chain, readBlocks.value, length.value);
  const missing = rows.flatMap(({ height, block }) =>
    isHistoryRead.value && block === undefined && !asked.current.has(height) ? [height] : [],
  );
  const readRange = async ({ highest, limit }: HeightRange): Promise<void> => {
    const heights = Array.from({ length: limit }, (_, i) => highest - i);
    for (const height of heights) asked.current.add(height);
    try {
      const found = await read<readonly Block[]>(`chains/${name}/blocks?highest=${highest}&limit=${limit}`);
      const byHeight = heights.map((height) => [height, found.filter((block) => block.height === height)] as const);
      readBlocks.value = new Map([...readBlocks.value, ...byHeight]);
    } catch (error) {
      failure.value = failureOf(error);
    }
  };
  useEffect(() => rangesOf(missing).forEach((range) => void readRange(range)), [missing.join()]);
  const retry = (): void => {
    asked.current = new Set(readBlocks.value.keys());
    failure.value = undefined;
  };
  const more = (): void => {
    length.value += step;
    lengths.set(name, length.value);
  };
  return { rows, failure: failure.value, retry, more: (rows.at(-1)?.height ?? 0) > 0 ? more : undefined };
};
