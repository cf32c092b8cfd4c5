import { type Codec, invalidValue } from '../encoding/index.js';
import { instructionByCode } from './instruction-table.js';
import { type Instruction } from './model.js';
import { operandCodecs } from './operand-codecs.js';

/** Kind of code: unlock scripts are stateless; transaction scripts and contracts are stateful (protocol 01 §13.2). */
export type CodeKind = 'stateless' | 'stateful';

/** Instructions without operand are shared: one object for each code. */
const bare: readonly Instruction[] = Array.from({ length: 256 }, (_, code) => Object.freeze({ code }));

/** Code byte and operand (protocol 01 §13.4). Refuses codes that the kind of code does not know. */
export const instructionCodec = (kind: CodeKind): Codec<Instruction> => ({
  write: (writer, value) => {
    const definition = instructionByCode[value.code];
    if (!definition) throw new RangeError(`no instruction has code ${value.code}`);
    writer.byte(value.code);
    if (definition.operand === undefined) return;
    if (value.operand === undefined) throw new RangeError(`instruction ${definition.name} needs an operand`);
    operandCodecs[definition.operand].write(writer, value.operand);
  },
  read: (reader) => {
    const code = reader.byte();
    const definition = instructionByCode[code];
    if (!definition || (definition.statefulOnly && kind === 'stateless')) {
      throw invalidValue(`Instruction - invalid code ${(code << 24) >> 24}`);
    }
    if (definition.operand === undefined) return bare[code]!;
    return { code, operand: operandCodecs[definition.operand].read(reader) };
  },
});
