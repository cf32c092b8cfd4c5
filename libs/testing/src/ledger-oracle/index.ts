export * from './ledger-oracle.js';
export {
  type ContractEffects,
  type ContractRules,
  type LedgerEvent,
  type ScriptBlock,
  type StateBefore,
} from './contract-rules.js';
export { type ContractEntry } from './contract-states.js';
export { type NodeContracts } from './node-contracts.js';
export { type LedgerOutput } from './ledger-block.js';
export { type OracleNetwork } from './network.js';
export { type Problem, type ProblemName } from './problems.js';
export { type Supply } from './main-ledger.js';
export { loadCanonicalBlocks, type LoadOptions } from './load-canonical-blocks.js';
export { mapBounded } from './map-bounded.js';
export { type StoredState } from './load-stored-states.js';
