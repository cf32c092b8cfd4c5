import { bytesToHex, decode } from '@shardnode/protocol/encoding';
import { outputCodec } from '@shardnode/protocol/transaction';
import { type AssetItem, type CallReply, type ContractStateReply, type RunReply } from '@shardnode/messages';
import { attoAmountField, type Brand, brandedText } from '../brand/brand.js';
import { documentedCallText, type ErrorTexts } from '../errors/index.js';
import { type CallResultAnswer, type ContractStateAnswer, type ContractTestAnswer } from '../schemas/index.js';
import { contractAddressOf, eventOfTransactionForm, valueForms } from './events.js';
import { type TransactionForms } from './transactions.js';

type FailedCall = Extract<CallReply, { type: 'CallContractFailed' }>;

/** The JSON forms of contracts and of runs that change nothing (protocol 07 §2.8, §10) under a brand. */
export interface ContractForms {
  state(contract: ContractStateReply): ContractStateAnswer;
  test(contractId: string, run: RunReply): ContractTestAnswer;
  call(reply: CallReply): CallResultAnswer;
}

/** Why a call fails, in the words that errors have. */
const failureText = ({ error, code, facts }: FailedCall, texts: ErrorTexts): string =>
  (texts === 'documented' && code !== undefined ? documentedCallText(code, facts ?? {}) : undefined) ?? error;

export const createContractForms = (
  brand: Brand,
  { output }: Pick<TransactionForms, 'output'>,
  texts: ErrorTexts = 'own',
): ContractForms => {
  const asset = ({ amount, tokens }: AssetItem): ContractStateAnswer['asset'] =>
    ({
      [attoAmountField(brand)]: amount,
      tokens: tokens.map((token) => ({ ...token })),
    }) as ContractStateAnswer['asset'];

  const state = (contract: ContractStateReply): ContractStateAnswer => ({
    address: contractAddressOf(contract.contractId),
    bytecode: bytesToHex(contract.code),
    codeHash: contract.codeHash,
    initialStateHash: contract.initialStateHash,
    immFields: valueForms(contract.immutableFields),
    mutFields: valueForms(contract.mutableFields),
    asset: asset(contract),
  });

  const run = (reply: RunReply) => ({
    returns: valueForms(reply.returns),
    gasUsed: reply.gasUsed,
    contracts: reply.contracts.map(state),
    txInputs: reply.inputContracts.map(contractAddressOf),
    txOutputs: reply.outputs.map((bytes, index) => output(decode(outputCodec, bytes), reply.outputsTxId, index)),
    events: reply.events.map(eventOfTransactionForm),
    debugMessages: reply.debugMessages.map(({ contractId, message }) => ({
      contractAddress: contractAddressOf(contractId),
      message,
    })),
  });

  return {
    state,
    test: (contractId, reply) => ({
      address: contractAddressOf(contractId),
      codeHash: reply.codeHash,
      ...run(reply),
    }),
    call: (reply) =>
      reply.type === 'CallContractFailed'
        ? { type: reply.type, error: brandedText(failureText(reply, texts), brand) }
        : { type: reply.type, ...run(reply) },
  };
};
