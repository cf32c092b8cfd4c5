import { type ErrorHeaderKey, headersOf } from '@shardnode/core/http-server';
import { type CallReply } from '@shardnode/messages';
import { type CompiledNames } from './compiling/compiled-names.js';

/** Headers of a failed run: of a 400, and of a failed call, whose status is 200. */
export const failureHeaderKeys: readonly ErrorHeaderKey[] = [
  'failure',
  'failedContract',
  'failedInstruction',
  'assertionCode',
  'failedFunction',
  'assertionName',
  'contractGroup',
];

/** Headers of a call that failed; of one that failed while it ran, where. */
export const failureHeaders = (
  reply: CallReply,
  names: Pick<CompiledNames, 'ofFailure'>,
): Readonly<Record<string, string>> => {
  if (reply.type !== 'CallContractFailed' || reply.facts === undefined) return {};
  const known: Readonly<Record<string, unknown>> = { ...reply.facts, ...names.ofFailure(reply.facts) };
  return headersOf(Object.fromEntries(failureHeaderKeys.map((key) => [key, known[key]])));
};
