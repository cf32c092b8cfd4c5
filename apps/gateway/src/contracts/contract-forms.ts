import { decode } from '@shardnode/protocol/encoding';
import { outputCodec } from '@shardnode/protocol/transaction';
import { type CallReply, contractAddressOf, contractStateForm, type RunReply, valueForms } from '@shardnode/messages';
import { type z } from 'zod';
import { type Brand, brandedText, type ContractState, documentedCallText, type ErrorTexts } from '@shardnode/http';
import { eventOfTransactionForm } from '../events/event-forms.js';
import { outputForm } from '../transactions/transaction-forms.js';
import { type CallContractResult, type TestContractResult } from './contracts.schemas.js';

export type ContractStateAnswer = z.output<typeof ContractState>;
export type ContractTestAnswer = z.output<typeof TestContractResult>;
export type CallResultAnswer = z.output<typeof CallContractResult>;

type FailedCall = Extract<CallReply, { type: 'CallContractFailed' }>;

const runForm = (reply: RunReply) => ({
  returns: valueForms(reply.returns),
  gasUsed: reply.gasUsed,
  contracts: reply.contracts.map(contractStateForm),
  txInputs: reply.inputContracts.map(contractAddressOf),
  txOutputs: reply.outputs.map((bytes, index) => outputForm(decode(outputCodec, bytes), reply.outputsTxId, index)),
  events: reply.events.map(eventOfTransactionForm),
  debugMessages: reply.debugMessages.map(({ contractId, message }) => ({
    contractAddress: contractAddressOf(contractId),
    message,
  })),
});

/** Protocol 07 §10.5. */
export const testResultForm = (contractId: string, reply: RunReply): ContractTestAnswer => ({
  address: contractAddressOf(contractId),
  codeHash: reply.codeHash,
  ...runForm(reply),
});

/** The reason of a failed call, in the words of errors. */
const failureText = ({ error, code, facts }: FailedCall, texts: ErrorTexts): string =>
  (texts === 'documented' && code !== undefined ? documentedCallText(code, facts ?? {}) : undefined) ?? error;

/** Protocol 07 §10.6. The text of a failed call is for people: it contains the names of the brand. */
export const callResultForm = (reply: CallReply, brand: Brand, texts: ErrorTexts): CallResultAnswer =>
  reply.type === 'CallContractFailed'
    ? { type: reply.type, error: brandedText(failureText(reply, texts), brand) }
    : { type: reply.type, ...runForm(reply) };
