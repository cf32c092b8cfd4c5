import { type ServiceError } from '@shardnode/core/errors';
import {
  type AssetItem,
  type CallReply,
  type ContractCall,
  type ContractItem,
  type InputAssetItem,
  type RunReply,
  type TestContractRequest,
  serviceError,
} from '@shardnode/messages';
import { addressOf } from '@shardnode/protocol/address';
import { amountText, assetLockupScriptCodec, type Hash, zeroHash } from '@shardnode/protocol/primitives';
import { contractCodec, valsCodec } from '@shardnode/protocol/script';
import { type ContractLayer } from '@shardnode/protocol/state';
import { counted } from '@shardnode/protocol/validation';
import {
  callContract,
  type ContractCallOutcome,
  dryRunFee,
  type DryRunCall,
  type DryRunRefusal,
  type GivenContract,
  testContract,
} from '@shardnode/protocol/dry-run';
import { type FailureName, otherGroupText } from '@shardnode/protocol/vm';
import { decodeBytesField, decodeField } from '../requests/request-fields.js';
import { contractGroupData, failureData } from './failure-data.js';
import { type RunConditions } from './run-job.js';
import { runReply } from './run-reply.js';

const assetOf = ({ amount, tokens }: AssetItem) => ({
  amount: BigInt(amount),
  tokens: tokens.map((token) => ({ id: token.id, amount: BigInt(token.amount) })),
});

const inputAssetOf = (item: InputAssetItem, index: number) => ({
  lockupScript: decodeField(assetLockupScriptCodec, item.lockupScript, `inputAssets[${index}].lockupScript`),
  ...assetOf(item),
});

const givenContractOf = (item: ContractItem, field: string): GivenContract => ({
  id: item.contractId,
  contract: decodeBytesField(contractCodec, item.code, `${field}.code`),
  immutableFields: decodeBytesField(valsCodec, item.immutableFields, `${field}.immutableFields`),
  mutableFields: decodeBytesField(valsCodec, item.mutableFields, `${field}.mutableFields`),
  ...assetOf(item),
});

const callOf = (
  request: TestContractRequest | ContractCall,
  { transactionId }: RunConditions,
): Omit<DryRunCall, 'contractId'> => ({
  transactionId,
  methodIndex: request.methodIndex,
  args: decodeBytesField(valsCodec, request.args, 'args'),
  callerId: request.callerId,
  inputAssets: request.inputAssets.map(inputAssetOf),
});

type AdviceByFailure = Partial<Record<FailureName, string>>;
const noAdvice: AdviceByFailure = {};
const adviceOfTest: AdviceByFailure = {
  NonExistContract: '; a test can bring it along in existingContracts',
};

/**
 * The error of a run that was refused or failed. The texts that existing clients match are made from its data (protocol
 * 07 §10.5, §10.6).
 */
const runError = (refusal: DryRunRefusal, advice = noAdvice): ServiceError => {
  switch (refusal.kind) {
    case 'methodIndex': {
      const { methodIndex, methods } = refusal;
      const detail = `There is no method ${methodIndex}: the contract has ${counted(methods, 'method')}, counted from 0`;
      return serviceError('InvalidMethodIndex', detail, { methodIndex, methods });
    }
    case 'arguments': {
      const { methodIndex, given, expected } = refusal;
      const detail = `Method ${methodIndex} takes ${counted(expected, 'argument')}, got ${given}; the values of an array count one by one`;
      return serviceError('InvalidArguments', detail, { given, expected });
    }
    case 'fee': {
      const detail = `The first input asset pays for the run: it has ${amountText(refusal.amount)}, expected at least ${amountText(dryRunFee)}`;
      return serviceError('TestFeeNotCovered', detail, { field: 'inputAssets[0]' });
    }
    case 'execution': {
      const { messages, why, failure } = refusal;
      const detail = `${messages}The method fails: ${failure?.plainText() ?? why}${(failure && advice[failure.failure]) ?? ''}`;
      return serviceError('ContractTestFailed', detail, {
        messages,
        why,
        ...(failure && failureData(failure)),
      });
    }
  }
};

const wrongFields = (
  {
    contract: { fieldLength },
    immutableFields: { length: immutable },
    mutableFields: { length: mutable },
  }: GivenContract,
  field: string | undefined,
): ServiceError => {
  const whose = field === undefined ? 'The contract' : `The contract ${field}`;
  const detail = `${whose} has ${counted(fieldLength, 'field')}, got ${immutable} immutable and ${mutable} mutable ones; the values of an array count one by one`;
  return serviceError('InvalidFieldLength', detail, {
    expected: fieldLength,
    immutable,
    mutable,
    ...(field === undefined ? {} : { field }),
  });
};

/** Throws ServiceError when the run is refused or fails, and StateMiss. */
export const makeTest = (layer: ContractLayer, request: TestContractRequest, conditions: RunConditions): RunReply => {
  const { block } = conditions;
  const existingContracts = request.existingContracts.map((item, index) =>
    givenContractOf(item, `existingContracts[${index}]`),
  );
  const outcome = testContract({
    block,
    layer,
    contract: givenContractOf(request.contract, 'contract'),
    existingContracts,
    call: callOf(request, conditions),
  });
  if (outcome.kind === 'fields') {
    const index = existingContracts.indexOf(outcome.contract);
    throw wrongFields(outcome.contract, index === -1 ? undefined : `existingContracts[${index}]`);
  }
  if (outcome.kind !== 'succeeded') throw runError(outcome, adviceOfTest);
  // The transaction of a test has no id: zeros replace it (protocol 05 §14.2).
  return runReply(outcome, block.blockHash, zeroHash);
};

/** The response for a failed call: the error is part of the response, not thrown. */
export const failedCall = ({ detail: error, code, data: facts }: ServiceError): CallReply => ({
  type: 'CallContractFailed',
  error,
  code,
  facts,
});

/** @param group of the state */
export const contractNotFound = (contractId: Hash, group: number): ServiceError => {
  const address = addressOf({ kind: 'p2c', contractId });
  const why = otherGroupText(contractId, group) ?? 'check its address, and whether it was deployed by then';
  return serviceError('ContractNotFound', `There is no contract ${address} in this state: ${why}`, {
    contractId,
    ...contractGroupData(contractId, group),
  });
};

const outcomeOf = (
  layer: ContractLayer,
  request: ContractCall,
  conditions: RunConditions,
  gas?: number,
): ContractCallOutcome =>
  callContract({
    block: conditions.block,
    layer,
    call: { ...callOf(request, conditions), contractId: request.contractId },
    existingContracts: request.existingContracts,
    ...(gas === undefined ? {} : { gas }),
  });

const callReply = (outcome: ContractCallOutcome, { block, transactionId }: RunConditions): CallReply => {
  if (outcome.kind === 'missing') return failedCall(contractNotFound(outcome.contractId, block.group));
  if (outcome.kind !== 'succeeded') return failedCall(runError(outcome));
  return { type: 'CallContractSucceeded', ...runReply(outcome, block.blockHash, transactionId) };
};

/** Throws ServiceError for undecodable bytes, and StateMiss. */
export const makeCall = (layer: ContractLayer, request: ContractCall, conditions: RunConditions): CallReply =>
  callReply(outcomeOf(layer, request, conditions), conditions);

/** Runs a call with a lower gas limit. Undefined when the limit ends the call early, so that its result is unknown. */
export const tryCall = (
  layer: ContractLayer,
  request: ContractCall,
  conditions: RunConditions,
  gas: number,
): CallReply | undefined => {
  const outcome = outcomeOf(layer, request, conditions, gas);
  const ranOut = outcome.kind === 'execution' && outcome.failure?.failure === 'OutOfGas';
  return ranOut ? undefined : callReply(outcome, conditions);
};
