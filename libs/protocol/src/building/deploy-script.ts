import { ByteReader, decode, DecodeError, encode, hexToBytes, record } from '../encoding/index.js';
import { amountText, type AssetLockupScript, dustAmount, minimalContractDeposit } from '../primitives/index.js';
import {
  addressConstant,
  bytesConstant,
  type Contract,
  contractCodec,
  type Instruction,
  instructionNamed,
  type StatefulScript,
  u256Constant,
  type Val,
  valsCodec,
} from '../script/index.js';
import { type Token } from '../transaction/index.js';
import { counted } from '../validation/index.js';
import { refusalOf } from './build-refusal.js';

/** A contract to deploy: its code and initial fields. */
export interface ContractToDeploy {
  readonly contract: Contract;
  readonly immutableFields: readonly Val[];
  readonly mutableFields: readonly Val[];
}

export interface Deployment extends ContractToDeploy {
  readonly deployer: AssetLockupScript;
  /** Initial attoCoin of the contract, at least one coin. */
  readonly initialCoin: bigint;
  readonly initialTokens: readonly Token[];
  /** Undefined: the contract issues no token. */
  readonly issuedAmount?: bigint | undefined;
  /** Receiver of the issued token; undefined: the contract itself. */
  readonly issuedTo?: AssetLockupScript | undefined;
}

const contractToDeployCodec = record<ContractToDeploy>({
  contract: contractCodec,
  immutableFields: valsCodec,
  mutableFields: valsCodec,
});

/**
 * Contract, immutable fields, mutable fields, one after the other (protocol 07 §10.2). Throws DecodeError, and
 * BuildRefusal if their numbers differ from the contract's declaration.
 */
export const decodeContractToDeploy = (bytecode: Uint8Array): ContractToDeploy => {
  const decoded = decode(contractToDeployCodec, bytecode);
  const { contract, immutableFields, mutableFields } = decoded;
  const [immutable, mutable, expected] = [immutableFields.length, mutableFields.length, contract.fieldLength];
  if (expected !== immutable + mutable) {
    throw refusalOf(
      'InvalidFieldLength',
      `The contract has ${counted(expected, 'field')}, and the bytecode brings ${immutable} immutable and ${mutable} mutable ones; the values of an array count one by one.`,
      { expected, immutable, mutable, field: 'bytecode' },
    );
  }
  return decoded;
};

const lists = 'a serialized list, 00 where there are none';

/**
 * Bytes to append to bytecode that ends after the code of the contract, or after the first list of fields; undefined for
 * bytes with another mistake.
 */
export const missingFieldLists = (bytecode: Uint8Array): string | undefined => {
  const reader = new ByteReader(bytecode);
  try {
    contractCodec.read(reader);
    if (reader.remaining === 0)
      return `this is the code of the contract alone; append its immutable fields, then its mutable fields, each ${lists}: 0000 for a contract without fields`;
    valsCodec.read(reader);
    return reader.remaining === 0 ? `the second list is missing; append the mutable fields, ${lists}` : undefined;
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    return undefined;
  }
};

const createdBy = ({ issuedAmount, issuedTo }: Deployment): string => {
  if (issuedAmount === undefined) return 'CreateContract';
  return issuedTo ? 'CreateContractAndTransferToken' : 'CreateContractWithToken';
};

const approvals = ({ deployer, initialCoin, initialTokens }: Deployment): Instruction[] => [
  addressConstant(deployer),
  ...initialTokens.map(() => instructionNamed('Dup')),
  u256Constant(initialCoin),
  instructionNamed('ApproveCoin'),
  ...initialTokens.flatMap(({ id, amount }) => [
    bytesConstant(hexToBytes(id)),
    u256Constant(amount),
    instructionNamed('ApproveToken'),
  ]),
];

const creation = (deployment: Deployment): Instruction[] => {
  const { contract, immutableFields, mutableFields, issuedAmount, issuedTo } = deployment;
  return [
    bytesConstant(encode(contractCodec, contract)),
    bytesConstant(encode(valsCodec, immutableFields)),
    bytesConstant(encode(valsCodec, mutableFields)),
    ...(issuedAmount === undefined ? [] : [u256Constant(issuedAmount)]),
    ...(issuedTo ? [addressConstant(issuedTo)] : []),
    instructionNamed(createdBy(deployment)),
    instructionNamed('Pop'),
  ];
};

/** The output with the issued token needs coin, which the deployer pays. */
const dustForReceiver = ({ deployer, issuedTo }: Deployment): Instruction[] =>
  issuedTo
    ? [addressConstant(deployer), addressConstant(issuedTo), u256Constant(dustAmount), instructionNamed('TransferCoin')]
    : [];

/** attoCoin that the inputs must have for the script, without the fee (protocol 07 §16.9 step 2). */
export const coinOfDeployment = ({ initialCoin, issuedTo }: Deployment): bigint =>
  initialCoin + (issuedTo ? dustAmount : 0n);

/** Throws BuildRefusal for a receiver of tokens that are not issued, and below the minimal deposit (protocol 07 §10.2). */
export const checkDeploymentAssets = ({
  initialCoin,
  issuedAmount,
  issuedTo,
}: Pick<Deployment, 'initialCoin' | 'issuedAmount' | 'issuedTo'>): void => {
  if (issuedTo && issuedAmount === undefined)
    throw refusalOf(
      'MissingIssueAmount',
      '`issueTokenTo` says who gets the token, but without `issueTokenAmount` none is issued. Give both, or neither.',
    );
  if (initialCoin < minimalContractDeposit)
    throw refusalOf(
      'DepositTooSmall',
      `A contract is deployed with at least ${amountText(minimalContractDeposit)}, but gets ${amountText(initialCoin)}. Leave the amount out to give the least.`,
      { amount: String(initialCoin), limit: String(minimalContractDeposit), field: 'initialAttoCoinAmount' },
    );
};

/** The script that deploys a contract: its bytes decide the transaction id that a client gets (protocol 05 Appendix A). */
export const deployScript = (deployment: Deployment): StatefulScript => {
  const instructions = [...approvals(deployment), ...creation(deployment), ...dustForReceiver(deployment)];
  return {
    methods: [{ isPublic: true, assetModifier: 3, argsLength: 0, localsLength: 0, returnLength: 0, instructions }],
  };
};
