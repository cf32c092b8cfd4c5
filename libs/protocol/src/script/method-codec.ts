import { type Codec, boolean, i32, record, unsignedByte, vector, wrongFormat } from '../encoding/index.js';
import { type CodeKind, instructionCodec } from './instruction-codec.js';
import { type Method } from './model.js';

/** 0..7: two bits for the assets a method uses, one flag of a later upgrade (protocol 01 §13.1). */
const assetModifier: Codec<number> = {
  write: unsignedByte.write,
  read: (reader) => {
    const modifier = reader.byte();
    if (modifier > 7) throw wrongFormat('Invalid assets modifier');
    return modifier;
  },
};

/** A method of a script or contract (protocol 01 §13.1). The lengths are checked by the container that holds it. */
export const methodCodecOf = (kind: CodeKind): Codec<Method> =>
  record<Method>({
    isPublic: boolean,
    assetModifier,
    argsLength: i32,
    localsLength: i32,
    returnLength: i32,
    instructions: vector(instructionCodec(kind)),
  });

/** A method of stateful code: transaction scripts and contracts. */
export const methodCodec: Codec<Method> = methodCodecOf('stateful');

/** Whether the lengths of a method are possible: 0 <= args <= locals, 0 <= return (protocol 01 §13.2). */
export const hasPossibleLengths = (method: Method): boolean =>
  method.argsLength >= 0 && method.localsLength >= method.argsLength && method.returnLength >= 0;

/** Modifiers 1 and 3: the method may use assets that its caller approves (protocol 01 §13.1). */
export const usesApprovedAssets = (method: Method): boolean => (method.assetModifier & 1) === 1;

/** Modifiers 1 and 2: the method may use the assets of its own contract (protocol 05 §3.1). */
export const usesContractAssets = (method: Method): boolean => {
  const assets = method.assetModifier & 3;
  return assets === 1 || assets === 2;
};

/** The flag of a later upgrade: refused in the code of a new contract (protocol 05 §3.1, §3.6). */
export const paysToContractOnly = (method: Method): boolean => (method.assetModifier & 4) !== 0;
