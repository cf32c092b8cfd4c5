import { type GroupClient } from '@shardnode/messages';

/** Roots stored by a node for an intra-group block. */
export interface StoredState {
  readonly blockHash: string;
  readonly outputRoot: string;
  readonly contractRoot: string;
}

/** The states of the given intra-group blocks, one for each group, as stored by the nodes. */
export const loadStoredStates = (client: GroupClient, blockHashes: readonly string[]): Promise<StoredState[]> =>
  Promise.all(
    blockHashes.map(async (blockHash, group) => {
      const { state } = await client.request(group, 'read.inspection.block', { hash: blockHash });
      if (!state) throw new Error(`group-node ${group} tells no state of its block ${blockHash}`);
      return { blockHash, outputRoot: state.outputRoot, contractRoot: state.contractRoot };
    }),
  );
