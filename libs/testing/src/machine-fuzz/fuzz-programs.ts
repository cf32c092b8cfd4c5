import { decode, encode, hexToBytes } from '@shardnode/protocol/encoding';
import { type Hash, oneCoin } from '@shardnode/protocol/primitives';
import {
  bytesConstant,
  contractCodec,
  type Method,
  statefulScriptCodec,
  statelessScriptCodec,
  u256Constant,
  type Val,
} from '@shardnode/protocol/script';
import { type Token } from '@shardnode/protocol/transaction';
import { type BlockEnvironment, type TransactionEnvironment } from '@shardnode/protocol/vm';
import { instruction as op, methodOf } from '../builders/index.js';
import { readVectors } from '../vectors/index.js';
import {
  blockEnvironmentOf,
  readRunVectors,
  type RunVector,
  type RunVectors,
  transactionEnvironmentOf,
  valueOfText,
} from '../vm/index.js';
import { changedCode } from './changed-code.js';
import { FuzzRandom } from './fuzz-random.js';
import {
  fuzzBlock,
  fuzzTransaction,
  type KnownMethod,
  ownContractId,
  tokenIds,
  type TypeLetter,
} from './fuzz-world.js';
import { type CodeSetting, randomVal, TypedCode, typeLetters } from './typed-code.js';

/** A contract that belongs to a program. */
export interface BroughtContract {
  readonly id: Hash;
  /** Bytes that may not decode. */
  readonly code: Uint8Array;
  readonly immutableFields: readonly Val[];
  readonly mutableFields: readonly Val[];
  /** attoCoin */
  readonly amount: bigint;
  readonly tokens: readonly Token[];
}

/** One random program: code as bytes, which may not decode. */
export interface FuzzProgram {
  readonly origin: 'typed' | 'typed, changed' | 'vector, changed';
  readonly kind: 'unlock' | 'script' | 'contract';
  readonly code: Uint8Array;
  /** Of unlock scripts. */
  readonly parameters: readonly Val[];
  readonly contracts: readonly BroughtContract[];
  readonly gasLimit: number;
  readonly block: BlockEnvironment;
  readonly transaction: TransactionEnvironment;
}

const surroundings = { block: fuzzBlock, transaction: fuzzTransaction };

const typesOf = (random: FuzzRandom, most: number): readonly TypeLetter[] =>
  Array.from({ length: random.below(most + 1) }, () => random.pick(typeLetters));

/** Signature of a method of generated code. */
const randomMethod = (random: FuzzRandom, index: number): KnownMethod => ({
  index,
  args: typesOf(random, 3),
  results: typesOf(random, 2),
  takesApproved: false,
});

const writtenMethod = (
  random: FuzzRandom,
  { args, results }: KnownMethod,
  calls: readonly KnownMethod[],
  modifier: number,
  kind: CodeSetting['kind'],
): Method => {
  const more = typesOf(random, 3);
  const locals = [...args, ...more];
  const code = new TypedCode(random, { kind, hasAssets: modifier === 1 || modifier === 3, locals, calls });
  // Locals that are no arguments start as Bool, so they first get a value of their type.
  const setup = new TypedCode(random, { kind, hasAssets: false, locals: [], calls: [] });
  setup.finish(more);
  const stores = more.map((_, i) => op('StoreLocal', args.length + more.length - 1 - i));
  code.write(2 + random.below(random.chance(0.1) ? 200 : 40));
  code.finish(results);
  return methodOf([...setup.instructions, ...stores, ...code.instructions], {
    assetModifier: modifier,
    argsLength: args.length,
    localsLength: locals.length,
    returnLength: results.length,
  });
};

/** A method calls only later ones, and sometimes itself. */
const writtenMethods = (
  random: FuzzRandom,
  shapes: readonly KnownMethod[],
  modifierOf: (index: number) => number,
  kind: CodeSetting['kind'],
): Method[] =>
  shapes.map((shape, index) =>
    writtenMethod(random, shape, shapes.slice(random.chance(0.05) ? index : index + 1), modifierOf(index), kind),
  );

const entryShape: KnownMethod = { index: 0, args: [], results: [], takesApproved: false };
const more = (random: FuzzRandom): readonly KnownMethod[] =>
  Array.from({ length: random.below(3) }, (_, i) => randomMethod(random, i + 1));

const gasOf = (random: FuzzRandom): number => (random.chance(0.9) ? 625_000 : random.below(20_000));

const unlockScript = (random: FuzzRandom): FuzzProgram => {
  const entry = randomMethod(random, 0);
  const methods = writtenMethods(random, [entry, ...more(random)], () => 0, 'unlock script');
  return {
    origin: 'typed',
    kind: 'unlock',
    code: encode(statelessScriptCodec, { methods }),
    parameters: entry.args.map((type) => randomVal(random, type)),
    contracts: [],
    gasLimit: gasOf(random),
    ...surroundings,
  };
};

const transactionScript = (random: FuzzRandom): FuzzProgram => {
  const modifier = random.pick([0, 3, 3, 3, 1]);
  const shapes = [{ ...entryShape, results: typesOf(random, 2) }, ...more(random)];
  const methods = writtenMethods(
    random,
    shapes,
    (index) => (index === 0 ? modifier : random.pick([0, 0, 3])),
    'script',
  );
  return {
    origin: 'typed',
    kind: 'script',
    code: encode(statefulScriptCodec, { methods }),
    parameters: [],
    contracts: [],
    gasLimit: gasOf(random),
    ...surroundings,
  };
};

/** A script that calls the first method of its contract. */
const scriptCalling = (args: readonly Val[], returnLength: number): Uint8Array => {
  const body = [
    ...args.map((val) => op(...constantOf(val))),
    u256Constant(BigInt(args.length)),
    u256Constant(BigInt(returnLength)),
    bytesConstant(hexToBytes(ownContractId)),
    op('CallExternal', 0),
  ];
  return encode(statefulScriptCodec, { methods: [methodOf(body, { assetModifier: 3, returnLength })] });
};

const constantNames = {
  Bool: '',
  I256: 'I256Const',
  U256: 'U256Const',
  ByteVec: 'BytesConst',
  Address: 'AddressConst',
};
const constantOf = (val: Val): Parameters<typeof op> =>
  val.type === 'Bool' ? [val.value ? 'ConstTrue' : 'ConstFalse'] : [constantNames[val.type], val.value];

const ownContract = (code: Uint8Array): BroughtContract => ({
  id: ownContractId,
  code,
  immutableFields: [{ type: 'U256', value: 7n }],
  mutableFields: [
    { type: 'U256', value: 1n },
    { type: 'Bool', value: false },
  ],
  amount: 3n * oneCoin,
  tokens: [{ id: tokenIds[0]!, amount: 50n }],
});

const contractCall = (random: FuzzRandom): FuzzProgram => {
  const shapes = [randomMethod(random, 0), ...more(random)];
  const methods = writtenMethods(random, shapes, () => random.pick([0, 1, 1, 2, 3]), 'contract');
  const args = shapes[0]!.args.map((type) => randomVal(random, type));
  return {
    origin: 'typed',
    kind: 'contract',
    code: scriptCalling(args, shapes[0]!.results.length),
    parameters: [],
    contracts: [ownContract(encode(contractCodec, { fieldLength: 3, methods }))],
    gasLimit: gasOf(random),
    ...surroundings,
  };
};

/** One of the program's codes, changed. */
const changedProgram = (
  random: FuzzRandom,
  program: FuzzProgram,
  origin: FuzzProgram['origin'] = 'typed, changed',
): FuzzProgram => {
  const [contract, ...others] = program.contracts;
  if (contract && random.chance(program.kind === 'contract' ? 1 : 0.5)) {
    const code = changedCode(random, contractCodec, contract.code);
    return { ...program, origin, contracts: [{ ...contract, code }, ...others] };
  }
  const codec = program.kind === 'unlock' ? statelessScriptCodec : statefulScriptCodec;
  return {
    ...program,
    origin,
    code: changedCode<{ readonly methods: readonly Method[] }>(random, codec, program.code),
  };
};

const vectorProgram = ({ defaults, vector }: CorpusEntry): FuzzProgram => ({
  origin: 'vector, changed',
  kind: vector.kind,
  code: hexToBytes(vector.code),
  parameters: (vector.args ?? []).map(valueOfText),
  contracts: (vector.contracts ?? []).map(({ id, code, imm, mut, amount, tokens = [] }) => ({
    id,
    code: hexToBytes(code),
    immutableFields: imm.map(valueOfText),
    mutableFields: mut.map(valueOfText),
    amount: BigInt(amount),
    tokens: tokens.map((token) => ({ id: token.id, amount: BigInt(token.amount) })),
  })),
  gasLimit: vector.gas,
  block: blockEnvironmentOf({ ...defaults.env, ...vector.env }),
  transaction: transactionEnvironmentOf({ ...defaults.tx, ...vector.tx }),
});

interface CorpusEntry {
  readonly defaults: RunVectors['defaults'];
  readonly vector: RunVector;
}

const runVectors = (): readonly CorpusEntry[] =>
  ['vm-instructions.json', 'vm-instructions-2.json', 'vm-random.json'].flatMap((file) => {
    const { defaults, cases } = readRunVectors(file);
    return cases.filter(({ expect }) => !expect.decodeError).map((vector) => ({ defaults, vector }));
  });

/** Code of the contracts of histories, which are called without arguments. */
const contractCodes = (): readonly Uint8Array[] => {
  const scenarios = ['contract-scenarios.json', 'contract-scenarios-2.json'].flatMap(
    (file) => readVectors<{ scenarios: { codes?: Record<string, { bytecode: string }> }[] }>(file).scenarios,
  );
  const texts = scenarios.flatMap(({ codes = {} }) => Object.values(codes).map(({ bytecode }) => bytecode));
  return [...new Set(texts)].map((text) => hexToBytes(text));
};

/** A call of a method of some contract with the declared number of random arguments and results. */
const callOf = (random: FuzzRandom, code: Uint8Array): FuzzProgram => {
  const { methods } = decode(contractCodec, code);
  const { argsLength = 0, returnLength = 0 } = methods[0] ?? {};
  const args = Array.from({ length: Math.max(0, argsLength) }, () => randomVal(random, random.pick(typeLetters)));
  return {
    origin: 'vector, changed',
    kind: 'contract',
    code: scriptCalling(args, Math.max(0, returnLength)),
    parameters: [],
    contracts: [ownContract(code)],
    gasLimit: gasOf(random),
    ...surroundings,
  };
};

/** Programs by number: the same ones for the same seed, in any order. */
export const fuzzPrograms = (seed: number): ((index: number) => FuzzProgram) => {
  const [vectors, codes] = [runVectors(), contractCodes()];
  return (index) => {
    const random = new FuzzRandom(seed, index);
    if (random.chance(0.25)) return changedProgram(random, vectorProgram(random.pick(vectors)), 'vector, changed');
    if (random.chance(0.05)) return changedProgram(random, callOf(random, random.pick(codes)), 'vector, changed');
    const program = random.pick([unlockScript, transactionScript, contractCall, contractCall])(random);
    return random.chance(0.3) ? changedProgram(random, program) : program;
  };
};
