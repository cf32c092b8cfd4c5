import { encode, hexToBytes } from '@shardnode/protocol/encoding';
import { oneCoin } from '@shardnode/protocol/primitives';
import {
  bytesConstant,
  constantInstruction,
  type Instruction,
  u256Constant,
  type Val,
  valsCodec,
} from '@shardnode/protocol/script';
import { instruction as op } from '../builders/index.js';
import { type FuzzRandom } from './fuzz-random.js';
import {
  codeLibrary,
  contractIds,
  fuzzBlock,
  type KnownMethod,
  knownMethods,
  ownContractId,
  ownerConstant,
  owners,
  tokenIds,
  type TypeLetter,
} from './fuzz-world.js';
import { type InstructionSignature, signatures } from './instruction-signatures.js';
import { signedSamples } from './signed-samples.js';

export const typeLetters: readonly TypeLetter[] = ['b', 'i', 'u', 'v', 'a'];

/** Context of generated code. */
export interface CodeSetting {
  readonly kind: 'unlock script' | 'script' | 'contract';
  readonly hasAssets: boolean;
  readonly locals: readonly TypeLetter[];
  /** Methods of the same code object that may be called: types of arguments and results. */
  readonly calls: readonly KnownMethod[];
}

/** Letters of special operands that are of an ordinary type. */
const plainTypes: Readonly<Record<string, TypeLetter>> = {
  K: 'v',
  T: 'v',
  F: 'v',
  C: 'v',
  P: 'v',
  N: 'u',
  E: 'u',
  L: 'u',
  O: 'a',
};

const typeOf = (letter: string): TypeLetter => plainTypes[letter] ?? (letter as TypeLetter);

/** A value of a type. */
export const randomVal = (random: FuzzRandom, type: TypeLetter): Val => {
  switch (type) {
    case 'b':
      return { type: 'Bool', value: random.chance(0.5) };
    case 'i':
      return { type: 'I256', value: random.i256() };
    case 'u':
      return { type: 'U256', value: random.u256() };
    case 'v':
      return { type: 'ByteVec', value: random.bytes(random.pick([0, 1, 8, 20, 32, 32, 33, 64, 80])) };
    case 'a':
      return { type: 'Address', value: random.pick(owners) };
  }
};

/** A field list as bytes; usually one that fits some code of the library. */
const fieldList = (random: FuzzRandom): Uint8Array => {
  const count = random.pick([0, 0, 1, 1, 2, 5]);
  return encode(
    valsCodec,
    Array.from({ length: count }, () => randomVal(random, random.pick(typeLetters))),
  );
};

const special: Readonly<Record<string, (random: FuzzRandom) => Instruction>> = {
  K: (random) => bytesConstant(hexToBytes(random.pick([...contractIds, ownContractId]))),
  T: (random) => bytesConstant(hexToBytes(random.pick(tokenIds))),
  N: (random) => u256Constant(random.chance(0.2) ? oneCoin * BigInt(random.below(4)) : BigInt(random.below(40))),
  F: (random) => bytesConstant(fieldList(random)),
  C: (random) => bytesConstant(random.pick(codeLibrary)),
  P: (random) => bytesConstant(random.bytes(random.below(4))),
  O: (random) => ownerConstant(random.chance(0.6) ? 0 : random.below(owners.length)),
  E: (random) => u256Constant(BigInt(random.below(random.pick([4, 40, 300])))),
  L: (random) => u256Constant(fuzzBlock.timestamp + BigInt(random.below(1000))),
};

/** Writes instructions whose operands have the types that they need, as long as nothing fails. */
export class TypedCode {
  readonly instructions: Instruction[] = [];
  /** Types of the operands, the top last. */
  readonly stack: TypeLetter[] = [];

  constructor(
    private readonly random: FuzzRandom,
    private readonly setting: CodeSetting,
  ) {}

  /** Writes pieces until there are about so many instructions. */
  write(length: number, depth = 0): void {
    const end = this.instructions.length + length;
    while (this.instructions.length < end) this.writePiece(depth);
  }

  /** Drops or adds operands until the top ones have these types and only the `base` others are below. */
  finish(types: readonly TypeLetter[], base = 0): void {
    while (this.stack.length > base) this.pop();
    for (const type of types) this.pushConstant(type);
  }

  private emit(instruction: Instruction): void {
    this.instructions.push(instruction);
  }

  private pop(): void {
    this.emit(op('Pop'));
    this.stack.pop();
  }

  private pushConstant(letter: string): void {
    const type = typeOf(letter);
    const { random } = this;
    const fits = this.setting.locals.flatMap((local, index) => (local === type ? [index] : []));
    const make = special[letter];
    if (make && random.chance(0.9)) this.emit(make(random));
    else if (fits.length > 0 && random.chance(0.5)) this.emit(op('LoadLocal', random.pick(fits)));
    else this.emit(constantInstruction(randomVal(random, type)));
    this.stack.push(type);
  }

  /** Pushes operands of these types; may reuse those on the top. */
  private pushOperands(letters: readonly string[]): void {
    const isPlain = letters.every((letter) => plainTypes[letter] === undefined);
    const { stack } = this;
    let taken = isPlain && this.random.chance(0.7) ? Math.min(letters.length, stack.length) : 0;
    while (taken > 0 && letters.slice(0, taken).some((letter, i) => stack[stack.length - taken + i] !== letter))
      taken--;
    for (const letter of letters.slice(taken)) this.pushConstant(letter);
  }

  private writeInstruction({ name, operands, results }: InstructionSignature): void {
    if (name.includes('Create')) this.approveCoin(oneCoin);
    this.pushOperands(operands);
    this.emit(op(name));
    this.stack.length -= operands.length;
    this.stack.push(...results.map(typeOf));
  }

  /** Approves coin of the owner of the first input for a new contract or a called method. */
  private approveCoin(amount: bigint): void {
    this.instructions.push(ownerConstant(0), u256Constant(amount), op('ApproveCoin'));
  }

  private readonly pieces: readonly ((depth: number) => void)[] = [
    () => this.writeInstruction(this.random.pick(signatures.stateless)),
    () => this.writeInstruction(this.random.pick(signatures.stateless)),
    () => this.writeInstruction(this.random.pick(this.otherSignatures())),
    () => this.writeInstruction(this.random.pick(this.otherSignatures())),
    () => this.pushConstant(this.random.pick(typeLetters)),
    () => this.writeMove(),
    (depth) => this.writeBranch(depth),
    (depth) => this.writeLoop(depth),
    () => this.writeCall(),
    () => this.writeRareInstruction(),
  ];

  /** Signatures permitted in the context; sometimes others, which fail. */
  private otherSignatures(): readonly InstructionSignature[] {
    const { kind, hasAssets } = this.setting;
    if (kind === 'unlock script') return signatures.stateless;
    const misplaced = this.random.chance(0.02);
    const inContract = kind === 'contract' || misplaced;
    const assets = hasAssets || misplaced;
    return this.random.pick([
      signatures.stateful,
      inContract ? signatures.contract : signatures.stateful,
      ...(assets ? [signatures.assets] : []),
      ...(assets && inContract ? [signatures.ownAssets] : []),
    ]);
  }

  private writePiece(depth: number): void {
    if (this.stack.length > 30) return this.pop();
    this.random.pick(this.pieces)(depth);
  }

  private writeMove(): void {
    const { random, stack } = this;
    const { locals } = this.setting;
    const top = stack.at(-1);
    const fits = locals.flatMap((local, index) => (local === top ? [index] : []));
    if (fits.length > 0) {
      this.emit(op('StoreLocal', random.pick(fits)));
      stack.pop();
    } else if (top !== undefined && random.chance(0.5)) {
      this.emit(op('Dup'));
      stack.push(top);
    } else if (stack.length > 1) {
      this.emit(op('Swap'));
      stack.push(...(stack.splice(-2).reverse() as TypeLetter[]));
    }
  }

  /** Code that leaves the operands unchanged, written separately to know its length. */
  private block(depth: number): Instruction[] {
    const inner = new TypedCode(this.random, this.setting);
    inner.write(1 + this.random.below(8), depth + 1);
    inner.finish([]);
    return inner.instructions;
  }

  private writeBranch(depth: number): void {
    if (depth > 2) return;
    const body = this.block(depth);
    this.pushOperands(['b']);
    this.stack.pop();
    this.emit(op(this.random.pick(['IfTrue', 'IfFalse']), body.length));
    this.instructions.push(...body);
  }

  /** Counts a number on the stack down to zero; the body runs above it. */
  private writeLoop(depth: number): void {
    if (depth > 1 || this.random.chance(0.5)) return;
    const body = [...this.block(depth), op('U256Const1'), op('U256Sub'), op('Dup'), op('U256Const0'), op('U256Eq')];
    this.emit(u256Constant(BigInt(1 + this.random.below(this.random.chance(0.05) ? 5000 : 20))));
    this.emit(op('Dup'));
    this.emit(op('Pop'));
    this.instructions.push(...body, op('IfFalse', -(body.length + 1)), op('Pop'));
  }

  private writeCall(): void {
    const { random } = this;
    const { calls, kind, hasAssets } = this.setting;
    if (calls.length > 0 && random.chance(0.5)) {
      const { index, args, results } = random.pick(calls);
      this.pushOperands(args);
      this.emit(op('CallLocal', index));
      this.stack.length -= args.length;
      this.stack.push(...results);
    } else if (kind !== 'unlock script') this.callContract(random.pick(knownMethods), hasAssets);
  }

  private callContract({ index, selector, args, results, takesApproved }: KnownMethod, hasAssets: boolean): void {
    const { random } = this;
    if (takesApproved && hasAssets) this.approveCoin(BigInt(random.below(3)) * oneCoin);
    for (const type of args) this.pushConstant(type === 'a' ? 'O' : type === 'u' ? 'N' : type);
    this.emit(u256Constant(BigInt(args.length)));
    this.emit(u256Constant(BigInt(results.length)));
    this.emit(bytesConstant(hexToBytes(contractIds[random.below(random.chance(0.05) ? 4 : 3)]!)));
    this.emit(random.chance(0.5) ? op('CallExternalBySelector', selector ?? index) : op('CallExternal', index));
    this.stack.length -= args.length;
    this.stack.push(...results);
  }

  private writeRareInstruction(): void {
    const { random, stack } = this;
    const some = random.below(Math.min(stack.length, 4) + 1);
    switch (random.below(8)) {
      case 0:
        return this.writeSignatureCheck();
      case 1:
      case 2:
        this.instructions.push(u256Constant(BigInt(some)), op('Encode'));
        stack.length -= some;
        stack.push('v');
        return;
      case 3:
      case 4:
        this.emit(
          op(
            'DEBUG',
            Array.from({ length: some + 1 }, () => random.bytes(2)),
          ),
        );
        stack.length -= some;
        return;
      default:
        if (this.setting.kind !== 'unlock script') this.emit(op('MethodSelector', random.below(20)));
    }
  }

  private writeSignatureCheck(): void {
    const { instruction, operands, results } = this.random.pick(signedSamples);
    this.instructions.push(...operands.map(bytesConstant), op(instruction));
    this.stack.push(...results.map(typeOf));
  }
}
