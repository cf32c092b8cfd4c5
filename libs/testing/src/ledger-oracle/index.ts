export * from './ledger-oracle.js';
export { type LedgerOutput } from './ledger-block.js';
export { type OracleNetwork } from './network.js';
export { type Problem, type ProblemName } from './problems.js';
export { type Supply } from './main-ledger.js';
export { loadCanonicalBlocks, type LoadOptions } from './load-canonical-blocks.js';
export { type StoredState } from './load-stored-states.js';
