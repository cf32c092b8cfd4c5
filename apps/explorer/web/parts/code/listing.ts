import { addressOf } from '@shardnode/protocol/address/text';
import { bytesToHex, decode, DecodeError, hexToBytes } from '@shardnode/protocol/encoding';
import { type LockupScript } from '@shardnode/protocol/primitives';
import {
  contractCodec,
  type Instruction,
  instructionByCode,
  type Method,
  type OperandKind,
  statefulScriptCodec,
  usesApprovedAssets,
  usesContractAssets,
} from '@shardnode/protocol/script';
import { readableText } from '../plain-text.js';

/** A method as a reader wants it. */
export interface MethodListing {
  readonly isPublic: boolean;
  readonly usesApprovedAssets: boolean;
  readonly usesContractAssets: boolean;
  readonly args: number;
  readonly locals: number;
  readonly returns: number;
  /** `index  Name operand`, an instruction a line. */
  readonly text: string;
}

export type CodeKind = 'contract' | 'script';

const bytesText = (bytes: Uint8Array): string => {
  const hex = bytesToHex(bytes);
  const text = readableText(hex);
  return `0x${hex}${text === undefined ? '' : ` "${text}"`}`;
};

type OperandText = (operand: never, index: number) => string;

/** An operand by its kind. */
const operandTexts: { readonly [Kind in OperandKind]: OperandText } = {
  index: (value: number) => String(value),
  i256: (value: bigint) => String(value),
  u256: (value: bigint) => String(value),
  bytes: bytesText,
  lockupScript: (script: LockupScript) => addressOf(script),
  // The instruction after the one that the offset leads to is the next (protocol 05 §4.4).
  offset: (value: number, index: number) => `→ ${index + value + 1}`,
  byteStrings: (values: readonly Uint8Array[]) => values.map(bytesText).join(', '),
  twoBytes: (value: Uint8Array) => `0x${bytesToHex(value)}`,
  selector: (value: number) => `0x${(value >>> 0).toString(16).padStart(8, '0')}`,
};

const lineOf = ({ code, operand }: Instruction, index: number, width: number): string => {
  const { name, operand: kind } = instructionByCode[code]!;
  const line = `${String(index).padStart(width)}  ${name}`;
  return kind === undefined ? line : `${line} ${operandTexts[kind](operand as never, index)}`;
};

const listingOf = (method: Method): MethodListing => {
  const { isPublic, argsLength, localsLength, returnLength, instructions } = method;
  const width = String(Math.max(0, instructions.length - 1)).length;
  return {
    isPublic,
    usesApprovedAssets: usesApprovedAssets(method),
    usesContractAssets: usesContractAssets(method),
    args: argsLength,
    locals: localsLength,
    returns: returnLength,
    text: instructions.map((instruction, index) => lineOf(instruction, index, width)).join('\n'),
  };
};

/**
 * The methods of code, disassembled; undefined when the bytes are no code.
 * @param code hexadecimal bytes of a contract, or of the script of a transaction (protocol 01 §13, 05 §3.4)
 */
export const listingsOf = (kind: CodeKind, code: string): readonly MethodListing[] | undefined => {
  const bytes = hexToBytes(code);
  try {
    const { methods } = kind === 'contract' ? decode(contractCodec, bytes) : decode(statefulScriptCodec, bytes);
    return methods.map(listingOf);
  } catch (error) {
    if (error instanceof DecodeError) return undefined;
    throw error;
  }
};
