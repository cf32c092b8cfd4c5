import { hexToBytes } from '../encoding/index.js';
import { type AssetLockupScript, type Hash } from '../primitives/index.js';
import {
  addressConstant,
  bytesConstant,
  constantInstruction,
  type Instruction,
  instructionNamed,
  type Method,
  u256Constant,
  type Val,
} from '../script/index.js';
import { ContractCode, initialStateHashOf } from '../state/index.js';
import { type Token } from '../transaction/index.js';
import { type CodeObject } from '../vm/index.js';

/** Gas of a run that changes nothing: more than a transaction may have (protocol 05 §14.1). */
export const dryRunGas = 5_000_000;
/** attoCoin per unit of gas. */
export const dryRunGasPrice = 10n ** 11n;
/** attoCoin that the first input asset pays: half a coin. */
export const dryRunFee = dryRunGasPrice * BigInt(dryRunGas);

/** Input assets of an address. */
export interface InputAsset {
  readonly lockupScript: AssetLockupScript;
  /** attoCoin */
  readonly amount: bigint;
  readonly tokens: readonly Token[];
}

/** The call that a run consists of. */
export interface DryRunCall {
  /** Of the transaction of the run. */
  readonly transactionId: Hash;
  readonly contractId: Hash;
  readonly methodIndex: number;
  /** Arrays flattened. */
  readonly args: readonly Val[];
  /** The contract that calls; undefined: a script. */
  readonly callerId: Hash | undefined;
  readonly inputAssets: readonly InputAsset[];
}

/** Modifiers of methods: no assets, assets that the caller approves (protocol 05 §3.1). */
const noAssets = 0;
const approvedAssetsOnly = 3;

const approvals = ({ inputAssets }: DryRunCall): Instruction[] =>
  inputAssets.flatMap(({ lockupScript, amount, tokens }, index) => [
    addressConstant(lockupScript),
    // Uses the long form even if a short one exists.
    instructionNamed('U256Const', index === 0 ? amount - dryRunFee : amount),
    instructionNamed('ApproveCoin'),
    ...tokens.flatMap((token) => [
      addressConstant(lockupScript),
      bytesConstant(hexToBytes(token.id)),
      u256Constant(token.amount),
      instructionNamed('ApproveToken'),
    ]),
  ]);

const entryMethod = (call: DryRunCall, { argsLength, returnLength }: Method): Method => ({
  isPublic: true,
  assetModifier: call.inputAssets.length > 0 ? approvedAssetsOnly : noAssets,
  argsLength: 0,
  localsLength: 0,
  returnLength,
  instructions: [
    ...approvals(call),
    ...call.args.map(constantInstruction),
    u256Constant(BigInt(argsLength)),
    u256Constant(BigInt(returnLength)),
    bytesConstant(hexToBytes(call.contractId)),
    instructionNamed('CallExternal', call.methodIndex),
  ],
});

/** A contract without fields that has the method alone. */
const callingContract = (id: Hash, method: Method): CodeObject => {
  const code = ContractCode.of({ fieldLength: 0, methods: [method] });
  const initialStateHash = initialStateHashOf(code.hash, [], []);
  return {
    kind: 'contract',
    id,
    code,
    methods: [method],
    record: { mutableFields: [], outputReference: { hint: 0, key: id }, immutableStateHash: initialStateHash },
    output: undefined,
    immutableState: { codeHash: code.hash, initialStateHash, immutableFields: [] },
    immutableFields: [],
    mutableFields: [],
    loadedMutableFields: [],
  };
};

/** The made-up script, or method of the calling contract, that approves the assets and calls the method (protocol 05 §14.1). */
export const entryObject = (call: DryRunCall, target: Method): CodeObject => {
  const method = entryMethod(call, target);
  return call.callerId === undefined ? { kind: 'script', methods: [method] } : callingContract(call.callerId, method);
};
