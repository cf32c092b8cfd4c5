import { bytesToHex, encode, hexToBytes } from '@shardnode/protocol/encoding';
import { type Hash, type LockupScript } from '@shardnode/protocol/primitives';
import {
  addressConstant,
  bytesConstant,
  constantInstruction,
  type Instruction,
  instructionNamed,
  type StatefulScript,
  statefulScriptCodec,
  u256Constant,
  type Val,
} from '@shardnode/protocol/script';

/** Values of the machine, for arguments and fields. */
export const u256 = (value: bigint | number): Val => ({ type: 'U256', value: BigInt(value) });
export const byteVec = (hex: string): Val => ({ type: 'ByteVec', value: hexToBytes(hex) });
export const address = (value: LockupScript): Val => ({ type: 'Address', value });
export const bool = (value: boolean): Val => ({ type: 'Bool', value });

/** Approves attoCoin of an input owner for the next called method. */
export const approveCoin = (owner: LockupScript, amount: bigint): Instruction[] => [
  addressConstant(owner),
  u256Constant(amount),
  instructionNamed('ApproveCoin'),
];

export const approveToken = (owner: LockupScript, id: Hash, amount: bigint): Instruction[] => [
  addressConstant(owner),
  bytesConstant(hexToBytes(id)),
  u256Constant(amount),
  instructionNamed('ApproveToken'),
];

/** Calls a method by its number and drops its `results`. */
export const callMethod = (contractId: Hash, method: number, args: readonly Val[], results = 0): Instruction[] => [
  ...args.map(constantInstruction),
  u256Constant(BigInt(args.length)),
  u256Constant(BigInt(results)),
  bytesConstant(hexToBytes(contractId)),
  instructionNamed('CallExternal', method),
  ...Array.from({ length: results }, () => instructionNamed('Pop')),
];

/** Fails unless the transaction has so many inputs. */
export const assertInputs = (inputs: bigint): Instruction[] => [
  instructionNamed('TxInputsSize'),
  u256Constant(inputs),
  instructionNamed('U256Eq'),
  instructionNamed('Assert'),
];

/** A script of one method. `assets`: it uses assets of the transaction's inputs. */
export const scriptOf = (
  instructions: readonly Instruction[],
  assets: 'with assets' | 'without assets',
): StatefulScript => ({
  methods: [
    {
      isPublic: true,
      assetModifier: assets === 'with assets' ? 3 : 0,
      argsLength: 0,
      localsLength: 0,
      returnLength: 0,
      instructions,
    },
  ],
});

/** As in requests. */
export const scriptHex = (script: StatefulScript): string => bytesToHex(encode(statefulScriptCodec, script));
