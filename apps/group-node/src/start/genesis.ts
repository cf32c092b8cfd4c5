import { type Block, genesisBlocks } from '@shardnode/protocol/block';
import { type NetworkSettings } from '@shardnode/protocol/network';
import { isIntraGroup } from '@shardnode/protocol/primitives';
import { genesisWorldState, stateChanges, stateHash } from '@shardnode/protocol/state';
import { transactionId } from '@shardnode/protocol/transaction';
import { roleOf } from '../dag/roles.js';
import { type BlockCommit, type StateCommit } from '../store/index.js';

const known = new WeakMap<NetworkSettings, readonly Block[]>();

/** The genesis blocks of a network, computed once for each settings value: four nodes may live in one process. */
export const genesisOf = (settings: NetworkSettings): readonly Block[] => {
  const before = known.get(settings);
  if (before) return before;
  const blocks = genesisBlocks(settings);
  known.set(settings, blocks);
  return blocks;
};

const genesisState = (settings: NetworkSettings, group: number, block: Block): StateCommit => {
  const { state, nodes } = genesisWorldState(settings, group);
  const { added } = stateChanges(group, settings.groups, [block], () => false);
  const { outputRoot, contractRoot } = state;
  return {
    outputRoot,
    contractRoot,
    stateHash: stateHash(state),
    addedNodes: nodes,
    replacedNodes: [],
    removed: [],
    added,
  };
};

/** The first commits of an empty store: all chains at height 0 (protocol 03 §3). */
export const genesisCommits = (settings: NetworkSettings, group: number): BlockCommit[] =>
  genesisOf(settings).map((block) => {
    const { header, transactions, raw } = block;
    const role = roleOf(header.chainIndex, group, settings.groups);
    const isHome = role === 'own' && isIntraGroup(header.chainIndex);
    return {
      header,
      height: 0,
      weight: 0n,
      orders: [{ height: 0, hashes: [header.hash] }],
      tips: [header.hash],
      body: role === 'foreign' ? undefined : raw,
      transactionIds: role === 'own' ? transactions.map(({ unsigned }) => transactionId(unsigned)) : undefined,
      worldState: isHome ? genesisState(settings, group, block) : undefined,
      projection: isHome ? { undo: [], apply: [header.hash] } : undefined,
    };
  });

/** The store belongs to another network: the only remedy is a new database. */
class InvalidGenesis extends Error {
  constructor() {
    super('Invalid genesis blocks, please wipe out the db history of your current network and resync');
    this.name = 'InvalidGenesis';
  }
}

/** Throws InvalidGenesis unless the stored blocks of height 0 are those of the settings (protocol 03 §3). */
export const checkGenesis = (settings: NetworkSettings, stored: ReadonlySet<string>): void => {
  const expected = genesisOf(settings);
  const isSame = stored.size === expected.length && expected.every(({ header }) => stored.has(header.hash));
  if (!isSame) throw new InvalidGenesis();
};
