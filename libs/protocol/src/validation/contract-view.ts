import { isAssetReference } from '../primitives/index.js';
import { type ContractReader, type OutputView } from '../state/index.js';

/**
 * A view with the contract outputs after earlier scripts (protocol 02 §9.1: a later transaction of a block uses a
 * contract output of an earlier one). Asset outputs are those before the block.
 */
export const withContracts = (view: OutputView, contracts: ContractReader): OutputView => ({
  output: (reference) => (isAssetReference(reference) ? view.output(reference) : contracts.contractOutput(reference)),
});
