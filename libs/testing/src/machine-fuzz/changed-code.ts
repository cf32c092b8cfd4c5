import { type Codec, decode, encode } from '@shardnode/protocol/encoding';
import { type Instruction, instructions, type Method } from '@shardnode/protocol/script';
import { type FuzzRandom } from './fuzz-random.js';

/** Code with one to four bytes changed, removed or inserted: most of it does not decode. */
const changedBytes = (random: FuzzRandom, code: Uint8Array): Uint8Array => {
  const bytes = [...code];
  for (let i = random.below(4); i >= 0 && bytes.length > 0; i--) {
    const at = random.below(bytes.length);
    const kind = random.below(5);
    if (kind < 2) bytes[at]! ^= 1 << random.below(8);
    else if (kind === 2) bytes[at] = random.below(256);
    else if (kind === 3) bytes.splice(at, 1 + random.below(3));
    else bytes.splice(at, 0, ...random.bytes(1 + random.below(3)));
  }
  return Uint8Array.from(bytes);
};

const bareCodes = instructions.filter(({ operand }) => operand === undefined).map(({ code }) => code);

const changedInstructions = (random: FuzzRandom, old: readonly Instruction[]): readonly Instruction[] => {
  const list = [...old];
  for (let i = random.below(4); i >= 0 && list.length > 0; i--) {
    const at = random.below(list.length);
    const kind = random.below(5);
    if (kind === 0) list.splice(at, 1);
    else if (kind === 1) list.splice(at, 0, { code: random.pick(bareCodes) });
    else if (kind === 2) list.splice(at, 0, list[random.below(list.length)]!);
    else if (kind === 3) list[at] = { code: random.pick(bareCodes) };
    else [list[at], list[0]] = [list[0]!, list[at]!];
  }
  return list;
};

const changedMethod = (random: FuzzRandom, method: Method): Method => {
  switch (random.below(8)) {
    case 0:
      return { ...method, assetModifier: random.below(8) };
    case 1:
      return { ...method, localsLength: method.localsLength + random.below(3) - 1 };
    case 2:
      return { ...method, returnLength: method.returnLength + random.below(3) - 1 };
    case 3:
      return { ...method, argsLength: method.argsLength + random.below(3) - 1, isPublic: random.chance(0.5) };
    default:
      return { ...method, instructions: changedInstructions(random, method.instructions) };
  }
};

/** Code with a few bytes changed, or with a few instructions or a header changed, which mostly decodes. */
export const changedCode = <T extends { readonly methods: readonly Method[] }>(
  random: FuzzRandom,
  codec: Codec<T>,
  code: Uint8Array,
): Uint8Array => {
  if (random.chance(0.3)) return changedBytes(random, code);
  const value = decode(codec, code);
  if (value.methods.length === 0) return code;
  const place = random.below(value.methods.length);
  const methods = value.methods.map((method, index) => (index === place ? changedMethod(random, method) : method));
  return encode(codec, { ...value, methods });
};
