import { ServiceError } from '@shardnode/core/errors';
import {
  type AssetItem,
  type CallReply,
  type ContractCall,
  type ContractItem,
  type InputAssetItem,
  type RunReply,
  type TestContractRequest,
} from '@shardnode/messages';
import { assetLockupScriptCodec, zeroHash } from '@shardnode/protocol/primitives';
import { contractCodec, valsCodec } from '@shardnode/protocol/script';
import { type ContractLayer } from '@shardnode/protocol/state';
import {
  callContract,
  type ContractCallOutcome,
  dryRunFee,
  type DryRunCall,
  type DryRunRefusal,
  type GivenContract,
  testContract,
} from '@shardnode/protocol/dry-run';
import { decodeBytesField, decodeField } from '../requests/request-fields.js';
import { failureData } from './failure-data.js';
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

const wrongArguments = 'The number of parameters is different from the number specified by the target method';
const feeNotCovered = (amount: bigint): string =>
  `The first input asset pays for the run: expected at least ${dryRunFee}, got ${amount}`;

const testRefusal = (refusal: DryRunRefusal): ServiceError => {
  switch (refusal.kind) {
    case 'methodIndex':
      return new ServiceError('refused', 'InvalidMethodIndex', `Invalid method index ${refusal.methodIndex}`);
    case 'arguments':
      return new ServiceError('refused', 'InvalidArguments', wrongArguments);
    case 'fee':
      return new ServiceError('refused', 'TestFeeNotCovered', feeNotCovered(refusal.amount));
    case 'execution':
      return new ServiceError(
        'refused',
        'ContractTestFailed',
        refusal.text,
        refusal.failure ? failureData(refusal.failure) : {},
      );
  }
};

const wrongFields = ({ contract, immutableFields, mutableFields }: GivenContract): ServiceError =>
  new ServiceError(
    'refused',
    'InvalidFieldLength',
    `Invalid field length, expect ${contract.fieldLength}, have ${immutableFields.length} immutable fields and ${mutableFields.length} mutable fields`,
  );

/** Throws ServiceError for a run that is not made or fails, and StateMiss. */
export const makeTest = (layer: ContractLayer, request: TestContractRequest, conditions: RunConditions): RunReply => {
  const { block } = conditions;
  const outcome = testContract({
    block,
    layer,
    contract: givenContractOf(request.contract, 'contract'),
    existingContracts: request.existingContracts.map((item, index) =>
      givenContractOf(item, `existingContracts[${index}]`),
    ),
    call: callOf(request, conditions),
  });
  if (outcome.kind === 'fields') throw wrongFields(outcome.contract);
  if (outcome.kind !== 'succeeded') throw testRefusal(outcome);
  // Of the transaction of a test no key is made: the id of zeros takes its place (protocol 05 §14.2).
  return runReply(outcome, block.blockHash, zeroHash);
};

const callFailure = (refusal: DryRunRefusal): string => {
  switch (refusal.kind) {
    case 'methodIndex':
      return `VM execution error: Invalid method index ${refusal.methodIndex}, method length: ${refusal.methods}`;
    case 'arguments':
      return wrongArguments;
    case 'fee':
      return feeNotCovered(refusal.amount);
    case 'execution':
      return refusal.text;
  }
};

export const failedCall = (error: string): CallReply => ({ type: 'CallContractFailed', error });
export const keyNotFound = (key: string): string => `Failed in IO: KeyNotFound: Key ${key} not found`;

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
  if (outcome.kind === 'missing') return failedCall(keyNotFound(outcome.contractId));
  if (outcome.kind !== 'succeeded') return failedCall(callFailure(outcome));
  return { type: 'CallContractSucceeded', ...runReply(outcome, block.blockHash, transactionId) };
};

/** Throws ServiceError for what cannot be decoded, and StateMiss. */
export const makeCall = (layer: ContractLayer, request: ContractCall, conditions: RunConditions): CallReply =>
  callReply(outcomeOf(layer, request, conditions), conditions);

/** The same with less gas than a call may take: undefined when that is too little to tell how the call ends. */
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
