import { bytesToHex, type Codec, decode, encode, hexToBytes } from '@shardnode/protocol/encoding';
import {
  type Contract,
  contractCodec,
  instructionCodec,
  instructionNamed,
  type Method,
  statefulScriptCodec,
  statelessScriptCodec,
} from '@shardnode/protocol/script';
import { instructionText } from '../vm/instruction-text.js';

/** A method as the listings of the vectors show it. */
export interface MethodListing {
  readonly isPublic: boolean;
  readonly assetModifier: number;
  readonly args: number;
  readonly locals: number;
  readonly returns: number;
  readonly instrs: readonly string[];
}

/** Constants that stand for the slots of a template while it is decoded: no source of a test writes them. */
const firstSlotValue = 2n ** 255n + 0x5107n * 2n ** 64n;
const slotOf = (name: string): string =>
  name.replace(/^U256Const (\d+)$/, (constant, value: string) => {
    const slot = BigInt(value) - firstSlotValue;
    return slot >= 0n && slot < 256n ? `{${slot}}` : constant;
  });

const constantHex = (slot: string): string =>
  bytesToHex(encode(instructionCodec('stateful'), instructionNamed('U256Const', firstSlotValue + BigInt(slot))));

const listed = ({ isPublic, assetModifier, argsLength, localsLength, returnLength, instructions }: Method) => ({
  isPublic,
  assetModifier,
  args: argsLength,
  locals: localsLength,
  returns: returnLength,
  instrs: instructions.map((each) => slotOf(instructionText(each))),
});

/** The value of hexadecimal bytes. Throws when another value than these bytes comes out of encoding it again. */
const decodedCanonical = <T>(codec: Codec<T>, hex: string): T => {
  const value = decode(codec, hexToBytes(hex));
  const again = bytesToHex(encode(codec, value));
  if (again !== hex) throw new Error(`bytes are not canonical: ${hex} is ${again} when encoded again`);
  return value;
};

/** The code of a contract, decoded; throws where its bytes are not canonical. */
export const compiledContract = (bytecode: string): Contract => decodedCanonical(contractCodec, bytecode);

/** The methods of a contract. */
export const contractListing = (bytecode: string): MethodListing[] => compiledContract(bytecode).methods.map(listed);

/** The bytes of a script whose template slots are filled with constants. */
export const filledTemplate = (template: string): string =>
  template.replace(/\{(\d+)\}/g, (_, slot: string) => constantHex(slot));

/** The methods of a script from its template, with `{i}` for slots. */
export const scriptListing = (template: string, kind: 'stateful' | 'stateless'): MethodListing[] => {
  const codec = kind === 'stateful' ? statefulScriptCodec : statelessScriptCodec;
  return decodedCanonical(codec, filledTemplate(template)).methods.map(listed);
};
