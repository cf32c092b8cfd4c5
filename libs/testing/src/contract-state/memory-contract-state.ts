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

/** A world state with contracts, all in memory: the real tries and codecs, nothing is ever missing. */
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

  /** Reads of the present state, which stays as it is when changes are applied. */
  source(): ContractStateSource {
    return contractStateOf(this.nodes, this.immutables, this.state);
  }

  /** A layer as a block has it. */
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
