import { describe, expect, it } from '@jest/globals';
import { addressOf } from '../address/index.js';
import { hexToBytes, invalidValue, wrongFormat } from '../encoding/index.js';
import { type LockupScript } from '../primitives/index.js';
import { ExecutionFailure, type FailureArguments, type FailureName, failureNames, failureText } from './index.js';

const id = 'ab'.repeat(32);
const owner: LockupScript = { kind: 'p2pkh', publicKeyHash: '11'.repeat(32) };
const second: LockupScript = { kind: 'p2pkh', publicKeyHash: '22'.repeat(32) };
const a = addressOf(owner);
const b = addressOf(second);
const c = addressOf({ kind: 'p2c', contractId: id });
const coin = 10n ** 18n;
const using = '@using(preapprovedAssets = true)';

type Sample<Name extends FailureName> = readonly [args: FailureArguments<Name>, text: string];

/** Every name of the document with arguments and the text it gives for them (protocol 05 §12.4). */
const samples: { readonly [Name in FailureName]: Sample<Name> } = {
  AbsoluteLockTimeVerificationFailed: [
    [7n, 5n],
    'Absolute lock time verification failed. Lock time: TimeStamp(7ms), block time: TimeStamp(5ms)',
  ],
  AccessTxInputAddressInContract: [[], '`txInputsSize` and `txInputAddress` functions are only allowed in TxScript'],
  ArithmeticError: [['Exp overflow: U256(2) ** 256'], 'ArithmeticError(Exp overflow: U256(2) ** 256)'],
  AssertionFailed: [[], 'AssertionFailed'],
  AssertionFailedWithErrorCode: [[id, 7n], `Assertion Failed in Contract @ ${c}, Error Code: 7`],
  BalanceErrorWhenSwitchingBackFrame: [[], 'BalanceErrorWhenSwitchingBackFrame'],
  BalanceOverflow: [[], 'BalanceOverflow'],
  BurningCoinNotAllowed: [[], 'Burning {COIN} is not allowed for `burnToken` function'],
  CodeSizeTooLarge: [[4097], 'Code size 4097 bytes is too large, max size: 4096 bytes'],
  ContractAlreadyExists: [[id], `Contract ${c} already exists`],
  ContractAssetAlreadyFlushed: [[], 'ContractAssetAlreadyFlushed'],
  ContractAssetAlreadyInUsing: [
    [],
    'Contract assets can only be loaded once per transaction, to prevent reentrancy attacks!',
  ],
  ContractAssetUnloaded: [
    [id],
    `Assets for contract ${c} is not loaded, please annotate the function with \`@using(assetsInContract = true)\``,
  ],
  ContractDestructionShouldNotBeCalledFromSelf: [
    [],
    '`destroySelf` function should not be called from the same contract',
  ],
  ContractFieldOverflow: [[], 'ContractFieldOverflow'],
  ContractLoadDisallowed: [[id], `ContractLoadDisallowed(ContractId(hex"${id}"))`],
  ContractPoolOverflow: [[], 'ContractPoolOverflow'],
  DebugIsNotSupportedForMainnet: [[], 'Debug is not supported for mainnet'],
  DebugMessageIsEmpty: [[], 'DebugMessageIsEmpty'],
  EmptyContractAsset: [
    [],
    "The contract's asset(s) have been used up, but a minimum of 0.001 {coin} {COIN} is required",
  ],
  EmptyMethods: [[], 'Contract should have at least one method'],
  ExpectAContract: [[], 'ExpectAContract'],
  ExpectNonPayableMethod: [[], 'Expect non payable method in AssetScript'],
  ExpectStatefulContractObj: [
    [],
    '`callerInitialStateHash` or `callerCodeHash` functions can only be called from the contract',
  ],
  ExpectStatefulFrame: [[], 'ExpectStatefulFrame'],
  ExternalPrivateMethodCall: [[], 'Private method can not be called from outside of the contract'],
  FailedInRecoverEthAddress: [[], 'FailedInRecoverEthAddress'],
  FieldsSizeTooLarge: [[3072], 'Fields size 3072 bytes is too large, max size: 3072 bytes'],
  InactiveInstr: [['CreateMapEntry(-56,-1)'], 'InactiveInstr(CreateMapEntry(-56,-1))'],
  InvalidArgLength: [[], 'InvalidArgLength'],
  InvalidAssetAddress: [[{ kind: 'p2c', contractId: id }], `Invalid asset address ${c}`],
  InvalidBalances: [[], 'InvalidBalances'],
  InvalidBlockTarget: [[1n << 256n], `Invalid block target ${1n << 256n}`],
  InvalidBytesSize: [[], 'InvalidBytesSize'],
  InvalidBytesSliceArg: [[], 'InvalidBytesSliceArg'],
  InvalidContractId: [[], 'InvalidContractId'],
  InvalidConversion: [[{ type: 'I256', value: -5n }, 'U256'], 'Invalid conversion from I256(-5) to U256'],
  InvalidErrorCode: [[2147483648n], 'InvalidErrorCode(2147483648)'],
  InvalidExternalMethodArgLength: [[3n, 2], 'Invalid number of external method arguments, got: 3, expect: 2'],
  InvalidExternalMethodReturnLength: [[0n, 1], 'Invalid number of external method return values, got: 0, expect: 1'],
  InvalidFieldLength: [[], 'InvalidFieldLength'],
  InvalidImmFieldIndex: [[3, 2], 'Invalid immutable field index: 3, immutable fields length is: 2'],
  InvalidInstrOffset: [[], 'InvalidInstrOffset'],
  InvalidLengthForEncodeInstr: [[], 'InvalidLengthForEncodeInstr'],
  InvalidLockTime: [[7n, 9n], 'Invalid lock time: TimeStamp(7ms), it should be greater than blocktime: TimeStamp(9ms)'],
  InvalidMethod: [[], 'InvalidMethod'],
  InvalidMethodArgLength: [[0, 1], 'Invalid number of method arguments, got: 0, expect: 1'],
  InvalidMethodIndex: [[10, 3], 'Invalid method index 10, method length: 3'],
  InvalidMethodModifier: [[], 'InvalidMethodModifier'],
  InvalidMethodSelector: [[-2], 'Invalid method selector: fffffffe.'],
  InvalidMutFieldIndex: [[256n, 255], 'Invalid mutable field index: 256, mutable fields length is: 255'],
  InvalidMutFieldType: [[], 'InvalidMutFieldType'],
  InvalidOutputBalances: [
    [owner, 2, 0n],
    `Invalid {COIN} balance for address ${a}, expected 0.002 {coin}, got 0 {coin}, you need to transfer more {COIN} to this address`,
  ],
  InvalidPublicKey: [[hexToBytes('02ff')], 'Invalid public key: 02ff'],
  InvalidReturnLength: [[], 'InvalidReturnLength'],
  InvalidSignature: [
    [hexToBytes('02'), hexToBytes('ff00'), hexToBytes('7f80')],
    'Verification failed for signature ByteString(127, -128), public key: ByteString(2), message: ByteString(-1, 0)',
  ],
  InvalidSignatureFormat: [[new Uint8Array()], 'Signature ByteString() is not in the correct format'],
  InvalidSizeForZeros: [[], 'InvalidSizeForZeros'],
  InvalidTokenId: [[], 'InvalidTokenId'],
  InvalidTokenNumForContractOutput: [[id, 9], `Invalid token number for contract ${c}: 9, max token number is 8`],
  InvalidTxInputIndex: [[3n], 'Invalid tx input index 3'],
  InvalidType: [
    ['U256', { type: 'ByteVec', value: hexToBytes('01fe') }],
    'Invalid type, expected: U256, got: ByteVec(ByteString(1, -2))',
  ],
  InvalidVarIndex: [[0, -1], 'Invalid var index: 0, max index is: -1'],
  LockTimeOverflow: [[], 'LockTimeOverflow'],
  LowerThanContractMinimalBalance: [
    [coin / 2n],
    'Contract output contains 0.5 {coin},less than contract minimal balance 0.1 {coin}',
  ],
  NegativeArgumentInStack: [[], 'NegativeArgumentInStack'],
  NegativeTimeStamp: [[-1n], 'Negative timestamp -1'],
  NoAssetsApproved: [[owner], `No assets approved from address ${a}`],
  NoBalanceAvailable: [
    [],
    `No balance available. To fix, enable approved assets with \`${using}\`, or utilize contract assets with \`@using(assetsInContract = true)\`, or use both with \`@using(preapprovedAssets = true, assetsInContract = true)\``,
  ],
  NoBlockHashAvailable: [[], 'NoBlockHashAvailable'],
  NoCaller: [[], 'The current method does not have a caller'],
  NoCoinBalanceForTheAddress: [[owner], `No {COIN} balance for the address ${a}`],
  NonEmptyReturnForMainFunction: [[], 'Main function should not have return value'],
  NonExistContract: [[id, 0], `Contract ${c} does not exist`],
  NoTokenBalanceForTheAddress: [[id, owner], `No balance for token ${id} for the address ${a}`],
  NotEnoughApprovedBalance: [
    [owner, id, 5n, 3n],
    `Not enough approved balance for address ${a}, tokenId: ${id}, expected: 5, got: 3`,
  ],
  NoTxInput: [[], 'NoTxInput'],
  OutOfGas: [[], 'OutOfGas'],
  PayToContractAddressNotInCallerTrace: [
    [id, 0],
    `Pay to contract address ${c} is not allowed when this contract address is not in the call stack`,
  ],
  PcOverflow: [[], 'PcOverflow'],
  RelativeLockTimeExpectPersistedUtxo: [[], 'UTXO for the relative lock time is not persisted yet'],
  RelativeLockTimeVerificationFailed: [
    [7n, 5n],
    'Relative lock time verification failed. Lock time: TimeStamp(7ms), block time: TimeStamp(5ms)',
  ],
  SerdeErrorByteVecToAddress: [
    [hexToBytes('00'), wrongFormat('Too few bytes: expected 32, got 0')],
    'Failed to deserialize 00 to address: WrongFormat: Too few bytes: expected 32, got 0',
  ],
  SerdeErrorCreateContract: [
    [invalidValue('Instruction - invalid code -1')],
    'Deserialization error while creating contract: Validation: Instruction - invalid code -1',
  ],
  SignedDataIsNot32Bytes: [[31], 'Signed data bytes should have 32 bytes, get 31 instead'],
  StackOverflow: [[], 'StackOverflow'],
  StackUnderflow: [[], 'StackUnderflow'],
  TooManyFields: [[], 'Contract can not have more than 255 fields'],
  TooManySignatures: [[2], '2 signature(s) remain unused'],
  TxInputAddressesAreNotIdentical: [
    [[owner, second]],
    `Tx input addresses are not identical for \`callerAddress\` function: ${a}, ${b}`,
  ],
  UnableToPayGasFee: [[], 'Not enough {COIN} in the transaction to pay for gas fee'],
  UnexpectedRecursiveCallInMigration: [[], 'Can not migrate a contract that is calling its own migration method'],
  ZeroContractId: [[], `Can not create contract with id ${'0'.repeat(64)}`],
};

describe('texts of failures', () => {
  it('are known for every name', () => {
    expect(Object.keys(samples).sort()).toEqual([...failureNames].sort());
  });

  it.each(Object.entries(samples))('%s', (name, [args, text]) => {
    expect(failureText(name as FailureName, args as never)).toBe(text);
  });

  it('name the script where an assertion has no contract', () => {
    expect(failureText('AssertionFailedWithErrorCode', [undefined, 1])).toBe(
      'Assertion Failed in TxScript, Error Code: 1',
    );
  });

  it('write the coin token by its symbol', () => {
    expect(failureText('NotEnoughApprovedBalance', [owner, '0'.repeat(64), 2n, 1n])).toContain('tokenId: {COIN},');
  });

  it.each([
    [0, coin / 1000n - 1n, 'expected 0.001 {coin}, got 9.99999999999999E-4 {coin}'],
    [1, (coin * 15n) / 10_000n, 'expected 0.002 {coin}, got 0.0015 {coin}'],
    [2, coin / 1000n, 'expected 0.002 {coin}, got 0.001 {coin}'],
  ])('say what %i tokens and %i attoCoin would have needed', (tokens, amount, expected) => {
    expect(failureText('InvalidOutputBalances', [owner, tokens, amount])).toContain(expected);
  });

  it('write lockup scripts of all kinds inside values', () => {
    const hash = '11'.repeat(32);
    const inside = (value: LockupScript): string =>
      failureText('InvalidType', ['Bool', { type: 'Address', value }]).slice(
        'Invalid type, expected: Bool, got: '.length,
      );
    expect(inside(owner)).toBe(`Address(P2PKH(Blake2b(hex"${hash}")))`);
    expect(inside({ kind: 'p2mpkh', publicKeyHashes: [hash, id], m: 1 })).toBe(
      `Address(P2MPKH(Iterable(Blake2b(hex"${hash}"), Blake2b(hex"${id}")),1))`,
    );
    expect(inside({ kind: 'p2sh', scriptHash: hash })).toBe(`Address(P2SH(Blake2b(hex"${hash}")))`);
    expect(inside({ kind: 'p2c', contractId: id })).toBe(`Address(P2C(ContractId(hex"${id}")))`);
  });
});

describe('failures', () => {
  it('name the group of a contract that is not found because it is of another one, in plain words only', () => {
    const inGroup = (group: number): ExecutionFailure => new ExecutionFailure('NonExistContract', [id, group]);
    expect(inGroup(0xab).plainText()).toBe(`Contract ${c} does not exist`);
    expect(inGroup(1).plainText()).toBe(
      `Contract ${c} does not exist: this runs in group 1, whose contracts have ids that end in 01, and the last byte of this one names group 171; call a contract in its own group`,
    );
    expect(inGroup(1).text()).toBe(inGroup(0xab).text());
  });

  it('name the group of a contract that cannot be paid because it is of another one, in plain words only', () => {
    const inGroup = (group: number): ExecutionFailure =>
      new ExecutionFailure('PayToContractAddressNotInCallerTrace', [id, group]);
    expect(inGroup(0xab).plainText()).toBe(inGroup(0xab).text());
    expect(inGroup(1).plainText()).toBe(
      `Contract ${c} cannot be paid: this runs in group 1, whose contracts have ids that end in 01, and the last byte of this one names group 171; pay a contract in its own group`,
    );
    expect(inGroup(1).text()).toBe(inGroup(0xab).text());
  });

  it('are breaking where an instruction is not active, and nowhere else', () => {
    const breaking = failureNames.filter((name) => new ExecutionFailure(name, samples[name][0] as never).breaking);
    expect(breaking).toEqual(['InactiveInstr']);
  });
});
