import { type ExplorerApiConfiguration } from '@shardnode/explorer';
import { MemoryNode, memoryNodeTarget } from '@shardnode/testing/memory-node';
import { readHistory } from '@shardnode/testing/replay';
import { historyFolder, readVectorBytes } from '@shardnode/testing/vectors';
import { entriesOfText, type Entry, stagesOf } from '../../../apps/explorer/test/recorded-answers/entries.js';
import { RecordedExplorer } from '../../../apps/explorer/test/recorded-answers/recorded-explorer.js';
import { isAsked } from '../../../apps/explorer/test/recorded-answers/run.js';

/** An explorer at the end of a recorded history. */
export interface RecordedTokens {
  readonly recorded: RecordedExplorer;
  /** Requests with the answers that are expected of this explorer. */
  readonly entries: readonly Entry[];
}

/**
 * An explorer in this process that has followed the history `chain-tokens` to its end: tokens, collections, contracts
 * with parts, siblings, days without blocks, pending transactions.
 *
 * @param limits of the API, in place of the defaults
 */
export const openRecordedTokens = async (limits: Partial<ExplorerApiConfiguration> = {}): Promise<RecordedTokens> => {
  const history = readHistory(historyFolder('chain-tokens'));
  const all = entriesOfText(Buffer.from(readVectorBytes('explorer/chain-tokens.json')!).toString());
  const entries = all.filter((entry) => entry.blocks === history.blocks.length && isAsked(entry));
  const node = memoryNodeTarget(new MemoryNode(history.settings));
  const recorded = await RecordedExplorer.open(history, node, all, limits);
  // Blocks that are orphaned later are known only to one that has followed them.
  for (const blocks of stagesOf(all)) await recorded.goTo(blocks, entries[0]!.clock);
  return { recorded, entries };
};
