import {
  applyChanges,
  type ContractChanges,
  ContractLayer,
  contractStateOf,
  type ContractStateSource,
  emptyWorldState,
  LoadedImmutables,
  LoadedNodes,
  type StateChanges,
  type WorldState,
} from '@shardnode/protocol/state';

/** A world state with contracts, all in memory: the real tries and codecs, without misses. */
export class MemoryContractState {
  readonly nodes = new LoadedNodes();
  readonly immutables = new LoadedImmutables();
  state: WorldState;

  /** Starts with the initial entries only. */
  constructor() {
    const { state, nodes } = emptyWorldState();
    this.nodes.add(nodes);
    this.state = state;
  }

  /** Reads of the current state, which does not change when changes are applied. */
  source(): ContractStateSource {
    return contractStateOf(this.nodes, this.immutables, this.state);
  }

  /** A layer as for a block. */
  layer(): ContractLayer {
    return ContractLayer.overState(this.source());
  }

  /** Makes the state after a block. */
  apply(contracts: ContractChanges, changes: StateChanges = { removed: [], added: [] }): WorldState {
    const applied = applyChanges(this.nodes, this.state, changes, contracts);
    this.nodes.add(applied.added);
    this.immutables.add(contracts.immutable);
    this.state = applied.state;
    return this.state;
  }
}
