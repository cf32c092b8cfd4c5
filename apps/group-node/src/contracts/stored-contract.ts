import { type ContractStateReply } from '@shardnode/messages';
import { type Hash } from '@shardnode/protocol/primitives';
import { contractAt } from '../view/contract-view.js';
import { type NodeReads } from '../view/reads.js';
import { contractStateReply } from './run-reply.js';

/** A contract in the state on which the node builds; undefined for an unknown one. */
export const storedContractState = async (
  { state }: Pick<NodeReads, 'state'>,
  id: Hash,
): Promise<ContractStateReply | undefined> => {
  const found = await contractAt(state.memory, state.shown.state, id);
  if (!found) return undefined;
  const { record, immutableState, contract, output } = found;
  return contractStateReply({
    id,
    contract,
    codeHash: immutableState.codeHash,
    initialStateHash: immutableState.initialStateHash,
    immutableFields: immutableState.immutableFields,
    mutableFields: record.mutableFields,
    amount: output.amount,
    tokens: output.tokens,
  });
};
