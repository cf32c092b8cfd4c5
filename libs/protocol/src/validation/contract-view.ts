import { isAssetReference } from '../primitives/index.js';
import { type ContractReader, type OutputView } from '../state/index.js';

/**
 * A view in which the scripts that ran before have changed the outputs of contracts (protocol 02 §9.1: a later transaction
 * of a block takes a contract output that an earlier one made). Asset outputs are seen as before the block.
 */
export const withContracts = (view: OutputView, contracts: ContractReader): OutputView => ({
  output: (reference) => (isAssetReference(reference) ? view.output(reference) : contracts.contractOutput(reference)),
});
