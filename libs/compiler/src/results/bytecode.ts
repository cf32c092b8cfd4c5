import { bytesToHex, encode, i32 } from '@shardnode/protocol/encoding';
import { blake2bHash } from '@shardnode/protocol/crypto/blake2b';
import { contractCodec, instructionCodec, type Method } from '@shardnode/protocol/script';
import { type CodeUnit } from '../generate/code.js';
import { type MethodCode } from '../generate/methods.js';

const instruction = instructionCodec('stateful');

const asMethod = ({ code, ...header }: MethodCode): Method => ({
  isPublic: header.isPublic,
  assetModifier: header.assetModifier,
  argsLength: header.argsLength,
  localsLength: header.localsLength,
  returnLength: header.returnLength,
  instructions: code.map((unit) => {
    if ('placeholder' in unit) throw new Error('a template slot stands in code without templates');
    return unit;
  }),
});

export interface Bytecode {
  readonly hex: string;
  readonly hash: string;
}

/** The bytecode of a contract and its hash (protocol 06 §9.1). */
export const contractBytecode = (fieldLength: number, methods: readonly MethodCode[]): Bytecode => {
  const bytes = encode(contractCodec, { fieldLength, methods: methods.map(asMethod) });
  return { hex: bytesToHex(bytes), hash: blake2bHash(bytes) };
};

const unitText = (unit: CodeUnit): string =>
  'placeholder' in unit ? `{${unit.placeholder}}` : bytesToHex(encode(instruction, unit));

const number = (value: number): string => bytesToHex(encode(i32, value));

const methodText = ({ isPublic, assetModifier, argsLength, localsLength, returnLength, code }: MethodCode): string => {
  const modifiers = bytesToHex(Uint8Array.of(isPublic ? 1 : 0, assetModifier));
  const lengths = [argsLength, localsLength, returnLength, code.length].map(number);
  return modifiers + lengths.join('') + code.map(unitText).join('');
};

/** The hex text of a script with `{i}` for template slots (protocol 06 §9.2). */
export const bytecodeTemplate = (methods: readonly MethodCode[]): string =>
  number(methods.length) + methods.map(methodText).join('');
