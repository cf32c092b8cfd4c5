import { type ErrorData } from '@shardnode/core/errors';
import { addressOf } from '@shardnode/protocol/address';
import { type Hash } from '@shardnode/protocol/primitives';
import { type ExecutionFailure, type FailureArguments, otherGroupOf } from '@shardnode/protocol/vm';

const isAssertion = (failure: ExecutionFailure): failure is ExecutionFailure<'AssertionFailedWithErrorCode'> =>
  failure.failure === 'AssertionFailedWithErrorCode';

const namesContract = ({ failure }: ExecutionFailure): boolean =>
  failure === 'NonExistContract' || failure === 'PayToContractAddressNotInCallerTrace';

/** The group of a contract that a run of `group` does not find because it belongs to another one. */
export const contractGroupData = (contractId: Hash, group: number): ErrorData => {
  const contractGroup = otherGroupOf(contractId, group);
  return contractGroup === undefined ? {} : { contractGroup };
};

/** Kind and place of a failure, in the form that errors carry to the response headers. */
export const failureData = (failure: ExecutionFailure): ErrorData => {
  const { location } = failure;
  return {
    failure: failure.failure,
    ...(location?.contractId === undefined
      ? {}
      : { failedContract: addressOf({ kind: 'p2c', contractId: location.contractId }) }),
    ...(location
      ? {
          failedInstruction: `${location.instruction}, method ${location.methodIndex}, instruction ${location.instructionIndex}`,
        }
      : {}),
    // For names of functions and error codes, where the gateway has compiled the contract.
    ...(location?.codeHash === undefined ? {} : { failedCode: location.codeHash, failedMethod: location.methodIndex }),
    ...(namesContract(failure) ? contractGroupData(...(failure.args as FailureArguments<'NonExistContract'>)) : {}),
    ...(isAssertion(failure) ? { assertionCode: String(failure.args.at(-1)) } : {}),
  };
};
