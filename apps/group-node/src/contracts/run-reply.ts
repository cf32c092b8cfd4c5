import { type ContractStateReply, type EventItem, type RunReply } from '@shardnode/messages';
import { encode } from '@shardnode/protocol/encoding';
import { type Hash } from '@shardnode/protocol/primitives';
import { contractBytes, valsCodec } from '@shardnode/protocol/script';
import { type LogEntry } from '@shardnode/protocol/state';
import { outputCodec, type Token } from '@shardnode/protocol/transaction';
import { type ContractState, type DryRun } from '@shardnode/protocol/dry-run';

export const tokenItems = (tokens: readonly Token[]) =>
  tokens.map(({ id, amount }) => ({ id, amount: amount.toString() }));

/** The state of a contract in the form of bus messages. */
export const contractStateReply = (
  state: Omit<ContractState, 'code'> & { readonly codeHash: Hash },
): ContractStateReply => ({
  contractId: state.id,
  code: contractBytes(state.contract),
  codeHash: state.codeHash,
  initialStateHash: state.initialStateHash,
  immutableFields: encode(valsCodec, state.immutableFields),
  mutableFields: encode(valsCodec, state.mutableFields),
  amount: state.amount.toString(),
  tokens: tokenItems(state.tokens),
});

const eventItem =
  (blockHash: Hash) =>
  ({ contractId, transactionId, eventIndex, fields }: LogEntry): EventItem => ({
    blockHash,
    txId: transactionId,
    contractId,
    eventIndex,
    fields: encode(valsCodec, fields),
  });

export interface RunThatSucceeded extends Omit<DryRun, 'layer'> {
  readonly codeHash: Hash;
  readonly contracts: readonly ContractState[];
}

/** `outputsTxId`: the transaction id from which the keys of the outputs are derived. */
export const runReply = (run: RunThatSucceeded, blockHash: Hash, outputsTxId: Hash): RunReply => ({
  codeHash: run.codeHash,
  returns: encode(valsCodec, run.returns),
  gasUsed: run.gasUsed,
  contracts: run.contracts.map((state) => contractStateReply({ ...state, codeHash: state.code.hash })),
  inputContracts: run.inputContracts,
  outputs: run.outputs.map((output) => encode(outputCodec, output)),
  outputsTxId,
  events: run.events.map(eventItem(blockHash)),
  debugMessages: run.debugMessages,
});
