import { hexToBytes } from '@shardnode/protocol/encoding';
import { compareFinalState, outcomeText } from './compare-history.js';
import { type Differences } from './differences.js';
import { type History } from './history.js';
import { permuted } from './permutation.js';
import { type ReplayTarget } from './replay-target.js';

/** Records of events are numbered by order of arrival of the blocks. */
const withoutPlaces = (target: ReplayTarget): ReplayTarget => {
  const { events } = target;
  if (!events) return target;
  return {
    ...target,
    events: async (hash, group) =>
      (await events(hash, group)).map(({ contractId, txId, eventIndex, fields }) => ({
        contractId,
        txId,
        eventIndex,
        fields,
      })),
  };
};

/**
 * Imports the blocks in a random order determined by the seed, each once or twice; the target's dependency buffer
 * delays them. The final state is the same (chain-transfers/README.md). Flags of the moment of import are not compared.
 */
export const replayPermuted = async (
  target: ReplayTarget,
  history: History,
  seed: number,
  differences: Differences,
  options: { readonly twice?: boolean; readonly afterBlock?: (count: number) => Promise<void> | void } = {},
): Promise<void> => {
  const once = history.blocks.map((line) => line.raw);
  const order = permuted(options.twice ? [...once, ...once] : once, seed);
  for (const [i, raw] of order.entries()) {
    const outcome = await target.importBlock(hexToBytes(raw));
    if (outcome.kind === 'refused' || outcome.kind === 'fault') {
      differences.compare(
        `permutation ${seed}, import ${i + 1}`,
        'outcome',
        'added, known or buffered',
        outcomeText(outcome),
      );
    }
    await options.afterBlock?.(i + 1);
  }
  await compareFinalState(withoutPlaces(target), history, differences);
};
