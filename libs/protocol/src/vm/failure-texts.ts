import { addressOf } from '../address/index.js';
import { bytesToHex, type DecodeError } from '../encoding/index.js';
import {
  dustAmount,
  formatAmountOfError,
  type Hash,
  type LockupScript,
  maxCodeSize,
  maxTokensPerContractOutput,
  zeroHash,
} from '../primitives/index.js';
import { type Val } from '../script/index.js';
import { byteStringText, contractIdText, errorText } from './value-texts.js';

type Count = number | bigint;

const contract = (id: Hash): string => addressOf({ kind: 'p2c', contractId: id });
const time = (milliseconds: bigint): string => `TimeStamp(${milliseconds}ms)`;
const coins = (amount: bigint): string => formatAmountOfError(amount, '{coin}');
const decodeErrorText = (error: DecodeError): string => `${error.kind}: ${error.message}`;
const selectorHex = (selector: number): string => (selector >>> 0).toString(16).padStart(8, '0');

/** Failures whose text is their name (protocol 05 §12.4). */
const plainFailures = [
  'AssertionFailed',
  'BalanceErrorWhenSwitchingBackFrame',
  'BalanceOverflow',
  'ContractAssetAlreadyFlushed',
  'ContractFieldOverflow',
  'ContractPoolOverflow',
  'DebugMessageIsEmpty',
  'ExpectAContract',
  'ExpectStatefulFrame',
  'FailedInRecoverEthAddress',
  'InvalidArgLength',
  'InvalidBalances',
  'InvalidBytesSize',
  'InvalidBytesSliceArg',
  'InvalidContractId',
  'InvalidFieldLength',
  'InvalidInstrOffset',
  'InvalidLengthForEncodeInstr',
  'InvalidMethod',
  'InvalidMethodModifier',
  'InvalidMutFieldType',
  'InvalidReturnLength',
  'InvalidSizeForZeros',
  'InvalidTokenId',
  'LockTimeOverflow',
  'NegativeArgumentInStack',
  'NoBlockHashAvailable',
  'NoTxInput',
  'OutOfGas',
  'PcOverflow',
  'StackOverflow',
  'StackUnderflow',
] as const;

/** Minimum in the text of LowerThanContractMinimalBalance; not the required minimum. */
const namedContractMinimum = 10n ** 17n;

/**
 * attoCoin that an entry of `tokens` tokens and too little coin, `amount`, would have needed for its outputs (protocol
 * 05 §11.3, §12.4).
 */
export const coinOfOutputs = (tokens: number, amount: bigint): bigint => {
  const forTokens = BigInt(tokens) * dustAmount;
  return amount === 0n || amount < forTokens ? forTokens : forTokens + dustAmount;
};

const callerAddressesText = (lockups: readonly LockupScript[]): string =>
  `Tx input addresses are not identical for \`callerAddress\` function: ${lockups.map(addressOf).join(', ')}`;

/**
 * The texts of all other failures by the arguments that the failure carries (protocol 05 §12.4). Contracts are given by
 * id, addresses by lockup script, amounts in attoCoin, times in milliseconds. `{COIN}` and `{coin}` stand for the
 * coin's symbol as it is and in lower case.
 */
const failureTexts = {
  AbsoluteLockTimeVerificationFailed: (lockTime: bigint, blockTime: bigint) =>
    `Absolute lock time verification failed. Lock time: ${time(lockTime)}, block time: ${time(blockTime)}`,
  AccessTxInputAddressInContract: () => '`txInputsSize` and `txInputAddress` functions are only allowed in TxScript',
  ArithmeticError: (message: string) => `ArithmeticError(${message})`,
  AssertionFailedWithErrorCode: (contractId: Hash | undefined, code: Count) =>
    `Assertion Failed in ${contractId === undefined ? 'TxScript' : `Contract @ ${contract(contractId)}`}, Error Code: ${code}`,
  BurningCoinNotAllowed: () => 'Burning {COIN} is not allowed for `burnToken` function',
  CodeSizeTooLarge: (size: number) => `Code size ${size} bytes is too large, max size: ${maxCodeSize} bytes`,
  ContractAlreadyExists: (id: Hash) => `Contract ${contract(id)} already exists`,
  ContractAssetAlreadyInUsing: () =>
    'Contract assets can only be loaded once per transaction, to prevent reentrancy attacks!',
  ContractAssetUnloaded: (id: Hash) =>
    `Assets for contract ${contract(id)} is not loaded, please annotate the function with \`@using(assetsInContract = true)\``,
  ContractDestructionShouldNotBeCalledFromSelf: () =>
    '`destroySelf` function should not be called from the same contract',
  ContractLoadDisallowed: (id: Hash) => `ContractLoadDisallowed(${contractIdText(id)})`,
  DebugIsNotSupportedForMainnet: () => 'Debug is not supported for mainnet',
  EmptyContractAsset: () =>
    `The contract's asset(s) have been used up, but a minimum of ${coins(dustAmount)} {COIN} is required`,
  EmptyMethods: () => 'Contract should have at least one method',
  ExpectNonPayableMethod: () => 'Expect non payable method in AssetScript',
  ExpectStatefulContractObj: () =>
    '`callerInitialStateHash` or `callerCodeHash` functions can only be called from the contract',
  ExternalPrivateMethodCall: () => 'Private method can not be called from outside of the contract',
  FieldsSizeTooLarge: (size: number) => `Fields size ${size} bytes is too large, max size: 3072 bytes`,
  InactiveInstr: (instruction: string) => `InactiveInstr(${instruction})`,
  InvalidAssetAddress: (lockup: LockupScript) => `Invalid asset address ${addressOf(lockup)}`,
  InvalidBlockTarget: (target: bigint) => `Invalid block target ${target}`,
  InvalidConversion: (value: Val, type: Val['type']) => `Invalid conversion from ${errorText(value)} to ${type}`,
  InvalidErrorCode: (code: Count) => `InvalidErrorCode(${code})`,
  InvalidExternalMethodArgLength: (got: Count, expected: number) =>
    `Invalid number of external method arguments, got: ${got}, expect: ${expected}`,
  InvalidExternalMethodReturnLength: (got: Count, expected: number) =>
    `Invalid number of external method return values, got: ${got}, expect: ${expected}`,
  InvalidImmFieldIndex: (index: Count, length: number) =>
    `Invalid immutable field index: ${index}, immutable fields length is: ${length}`,
  InvalidLockTime: (lockTime: bigint, blockTime: bigint) =>
    `Invalid lock time: ${time(lockTime)}, it should be greater than blocktime: ${time(blockTime)}`,
  InvalidMethodArgLength: (got: number, expected: number) =>
    `Invalid number of method arguments, got: ${got}, expect: ${expected}`,
  InvalidMethodIndex: (index: number, length: number) => `Invalid method index ${index}, method length: ${length}`,
  InvalidMethodSelector: (selector: number) => `Invalid method selector: ${selectorHex(selector)}.`,
  InvalidMutFieldIndex: (index: Count, length: number) =>
    `Invalid mutable field index: ${index}, mutable fields length is: ${length}`,
  InvalidOutputBalances: (lockup: LockupScript, tokens: number, amount: bigint) =>
    `Invalid {COIN} balance for address ${addressOf(lockup)}, expected ${coins(coinOfOutputs(tokens, amount))}, got ${coins(amount)}, you need to transfer more {COIN} to this address`,
  InvalidPublicKey: (publicKey: Uint8Array) => `Invalid public key: ${bytesToHex(publicKey)}`,
  InvalidSignature: (publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array) =>
    `Verification failed for signature ${byteStringText(signature)}, public key: ${byteStringText(publicKey)}, message: ${byteStringText(message)}`,
  InvalidSignatureFormat: (signature: Uint8Array) =>
    `Signature ${byteStringText(signature)} is not in the correct format`,
  InvalidTokenNumForContractOutput: (id: Hash, tokens: number) =>
    `Invalid token number for contract ${contract(id)}: ${tokens}, max token number is ${maxTokensPerContractOutput}`,
  InvalidTxInputIndex: (index: Count) => `Invalid tx input index ${index}`,
  InvalidType: (expected: Val['type'], got: Val) => `Invalid type, expected: ${expected}, got: ${errorText(got)}`,
  InvalidVarIndex: (index: Count, maximum: number) => `Invalid var index: ${index}, max index is: ${maximum}`,
  LowerThanContractMinimalBalance: (amount: bigint) =>
    `Contract output contains ${coins(amount)},less than contract minimal balance ${coins(namedContractMinimum)}`,
  NegativeTimeStamp: (timestamp: bigint) => `Negative timestamp ${timestamp}`,
  NoAssetsApproved: (lockup: LockupScript) => `No assets approved from address ${addressOf(lockup)}`,
  NoBalanceAvailable: () =>
    'No balance available. To fix, enable approved assets with `@using(preapprovedAssets = true)`, or utilize contract assets with `@using(assetsInContract = true)`, or use both with `@using(preapprovedAssets = true, assetsInContract = true)`',
  NoCaller: () => 'The current method does not have a caller',
  NoCoinBalanceForTheAddress: (lockup: LockupScript) => `No {COIN} balance for the address ${addressOf(lockup)}`,
  NonEmptyReturnForMainFunction: () => 'Main function should not have return value',
  NonExistContract: (id: Hash, _group: number) => `Contract ${contract(id)} does not exist`,
  NoTokenBalanceForTheAddress: (tokenId: Hash, lockup: LockupScript) =>
    `No balance for token ${tokenId} for the address ${addressOf(lockup)}`,
  NotEnoughApprovedBalance: (lockup: LockupScript, tokenId: Hash, expected: bigint, got: bigint) =>
    `Not enough approved balance for address ${addressOf(lockup)}, tokenId: ${tokenId === zeroHash ? '{COIN}' : tokenId}, expected: ${expected}, got: ${got}`,
  PayToContractAddressNotInCallerTrace: (id: Hash, _group: number) =>
    `Pay to contract address ${contract(id)} is not allowed when this contract address is not in the call stack`,
  RelativeLockTimeExpectPersistedUtxo: () => 'UTXO for the relative lock time is not persisted yet',
  RelativeLockTimeVerificationFailed: (lockTime: bigint, blockTime: bigint) =>
    `Relative lock time verification failed. Lock time: ${time(lockTime)}, block time: ${time(blockTime)}`,
  SerdeErrorByteVecToAddress: (bytes: Uint8Array, error: DecodeError) =>
    `Failed to deserialize ${bytesToHex(bytes)} to address: ${decodeErrorText(error)}`,
  SerdeErrorCreateContract: (error: DecodeError) =>
    `Deserialization error while creating contract: ${decodeErrorText(error)}`,
  SignedDataIsNot32Bytes: (length: number) => `Signed data bytes should have 32 bytes, get ${length} instead`,
  TooManyFields: () => 'Contract can not have more than 255 fields',
  TooManySignatures: (left: number) => `${left} signature(s) remain unused`,
  TxInputAddressesAreNotIdentical: callerAddressesText,
  UnableToPayGasFee: () => 'Not enough {COIN} in the transaction to pay for gas fee',
  UnexpectedRecursiveCallInMigration: () => 'Can not migrate a contract that is calling its own migration method',
  ZeroContractId: () => `Can not create contract with id ${zeroHash}`,
} as const;

type FailureTexts = typeof failureTexts;
type PlainFailure = (typeof plainFailures)[number];

/** The names of protocol 05 §12.4. Storage failures are not included: they throw StateMiss. */
export type FailureName = keyof FailureTexts | PlainFailure;

/** Arguments of a failure of this name. */
export type FailureArguments<Name extends FailureName> = Name extends keyof FailureTexts
  ? Parameters<FailureTexts[Name]>
  : readonly [];

/** Every name, those without arguments first. */
export const failureNames: readonly FailureName[] = [
  ...plainFailures,
  ...(Object.keys(failureTexts) as (keyof FailureTexts)[]),
];

/** The text that clients see, with its placeholders for the coin (protocol 05 §12.4). */
export const failureText = <Name extends FailureName>(name: Name, args: FailureArguments<Name>): string => {
  const text = (failureTexts as Partial<Record<FailureName, (...args: readonly unknown[]) => string>>)[name];
  return text ? text(...args) : name;
};

/**
 * The group that the last byte of a contract's id names (protocol 01 §7), if it is another than `group`: that one has no
 * such contract.
 */
export const otherGroupOf = (id: Hash, group: number): number | undefined => {
  const named = Number.parseInt(id.slice(-2), 16);
  return named === group ? undefined : named;
};

/** Why a run in `group` does not find a contract that belongs to another one; undefined for its own contracts. */
export const otherGroupText = (id: Hash, group: number): string | undefined => {
  const other = otherGroupOf(id, group);
  if (other === undefined) return undefined;
  return `this runs in group ${group}, whose contracts have ids that end in ${group.toString(16).padStart(2, '0')}, and the last byte of this one names group ${other}`;
};

const missing = (id: Hash, group: number): string | undefined => {
  const why = otherGroupText(id, group);
  return why && `${failureTexts.NonExistContract(id, group)}: ${why}; call a contract in its own group`;
};

const unpaid = (id: Hash, group: number): string | undefined => {
  const why = otherGroupText(id, group);
  return why && `Contract ${contract(id)} cannot be paid: ${why}; pay a contract in its own group`;
};

/** Texts for people where the protocol's do not help. */
const plainTexts: { readonly [Name in FailureName]?: (...args: FailureArguments<Name>) => string | undefined } = {
  NonExistContract: missing,
  PayToContractAddressNotInCallerTrace: unpaid,
};

/** The text for people; undefined where that of the protocol is good. */
export const plainFailureText = <Name extends FailureName>(
  name: Name,
  args: FailureArguments<Name>,
): string | undefined => plainTexts[name]?.(...args);
