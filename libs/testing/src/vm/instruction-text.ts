import { bytesToHex, encode } from '@shardnode/protocol/encoding';
import { lockupScriptCodec } from '@shardnode/protocol/primitives';
import { type Instruction, instructionByCode } from '@shardnode/protocol/script';

const operandText = (operand: NonNullable<Instruction['operand']>, kind: string): string => {
  if (kind === 'selector') return `0x${((operand as number) >>> 0).toString(16).padStart(8, '0')}`;
  if (kind === 'twoBytes') return [...(operand as Uint8Array)].join(' ');
  if (operand instanceof Uint8Array) return `0x${bytesToHex(operand)}`;
  if (typeof operand !== 'object') return operand.toString();
  if ('kind' in operand) return `0x${bytesToHex(encode(lockupScriptCodec, operand))}`;
  return `[${operand.map((bytes) => `0x${bytesToHex(bytes)}`).join(', ')}]`;
};

/** An instruction as the listings of the vectors write it: its name and its operand. */
export const instructionText = ({ code, operand }: Instruction): string => {
  const { name, operand: kind } = instructionByCode[code]!;
  return operand === undefined ? name : `${name} ${operandText(operand, kind!)}`;
};
