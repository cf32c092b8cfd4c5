import { genesisBlock } from '../block/index.js';
import { type NetworkSettings } from '../network/index.js';
import { applyChanges, stateChanges } from './state-changes.js';
import { emptyWorldState, type WorldStateNodes } from './world-state.js';

/** The state of a group after its intra-group genesis block, with all its nodes (protocol 04 §3.5). */
export const genesisWorldState = (settings: NetworkSettings, group: number): WorldStateNodes => {
  const { groups } = settings;
  const empty = emptyWorldState();
  const block = genesisBlock(settings, { from: group, to: group });
  const changes = stateChanges(group, groups, [block], () => false);
  const applied = applyChanges(empty.nodes, empty.state, changes);
  const nodes = new Map([...empty.nodes, ...applied.added]);
  for (const hash of applied.replaced) nodes.delete(hash);
  return { state: applied.state, nodes };
};
