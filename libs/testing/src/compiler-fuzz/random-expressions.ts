import { builtInFunctions } from '@shardnode/compiler';
import { bytesToHex } from '@shardnode/protocol/encoding';
import { type FuzzRandom } from '../machine-fuzz/fuzz-random.js';
import { primitive, type PrimitiveType, primitiveTypes, type RandomType, typeText } from './random-types.js';

export interface RandomVariable {
  readonly name: string;
  readonly type: RandomType;
}

export interface RandomFunction {
  readonly name: string;
  readonly parameters: readonly RandomType[];
  readonly results: readonly RandomType[];
  readonly needsBraces: boolean;
}

export interface RandomMap {
  readonly name: string;
  readonly key: PrimitiveType;
  readonly value: RandomType;
}

/** Names that an expression may use. */
export interface RandomScope {
  readonly variables: readonly RandomVariable[];
  readonly functions: readonly RandomFunction[];
  readonly maps: readonly RandomMap[];
  /** Contracts with functions that are called on an address. */
  readonly contracts: readonly { readonly name: string; readonly functions: readonly RandomFunction[] }[];
}

const addresses = ['1DrDyTr9RpRsQnDnXo2YRiPzPW4ooHX5LLoqXrqfMrpQH', '14UAjZ3qcmEVKdTo84Kwf4RprTQi86w2TefnnGFjov9xF'];

const comparisons = ['==', '!=', '<', '<=', '>', '>='];
const arithmetic = ['+', '-', '*', '/', '%', '**'];
const unsignedOnly = ['|+|', '|-|', '|*|', '|**|', '⊕', '⊖', '⊗', '<<', '>>', '&', '|', '^'];

/** Built-ins by result, of those that no annotation is needed for. */
const needAnnotations = /Self!?$|^transferToken(?:From|To)Self$|^destroySelf$|^panic$|^selfContract$/;
const builtInsWithResult = (name: PrimitiveType) =>
  builtInFunctions
    .filter((each) => !each.needsBraces && !needAnnotations.test(each.name))
    .flatMap(({ name: own, overloads, special }) => (special ? [] : overloads.map((overload) => ({ own, overload }))))
    .filter(({ overload }) => overload.results.length === 1 && overload.results[0] === name)
    .filter(({ overload }) => !overload.parameters.includes('Contract'));
const builtIns = Object.fromEntries(primitiveTypes.map((name) => [name, builtInsWithResult(name)])) as Readonly<
  Record<PrimitiveType, ReturnType<typeof builtInsWithResult>>
>;

const deepest = 3;

/** Writes expressions of a wanted type. */
export class ExpressionWriter {
  constructor(
    private readonly random: FuzzRandom,
    private readonly scope: RandomScope,
  ) {}

  of(type: RandomType, depth = 0): string {
    const { random } = this;
    if (depth > deepest || random.chance(0.25)) return this.leaf(type, depth);
    switch (random.below(6)) {
      case 0:
        return `(${this.of(type, depth + 1)})`;
      case 1:
        return `if (${this.of(primitive('Bool'), depth + 1)}) ${this.of(type, depth + 1)} else ${this.of(type, depth + 1)}`;
      case 2:
        return this.selection(type, depth) ?? this.leaf(type, depth);
      case 3:
        return this.call(type, depth) ?? this.leaf(type, depth);
      default:
        return type.kind === 'primitive' ? this.operation(type.name, depth) : this.leaf(type, depth);
    }
  }

  /** A variable or a literal. */
  private leaf(type: RandomType, depth: number): string {
    const { random, scope } = this;
    const fitting = scope.variables.filter((each) => typeText(each.type) === typeText(type));
    if (fitting.length > 0 && random.chance(0.7)) return random.pick(fitting).name;
    switch (type.kind) {
      case 'primitive':
        return type.name === 'ByteVec' && random.chance(0.1) ? 'ALPH' : this.literal(type.name);
      case 'array':
        return random.chance(0.4)
          ? `[${this.leaf(type.element, depth + 1)}; ${type.size}]`
          : `[${Array.from({ length: type.size }, () => this.of(type.element, depth + 2)).join(', ')}]`;
      case 'struct':
        return `${type.struct.name} { ${type.struct.fields.map((field) => `${field.name}: ${this.of(field.type, depth + 2)}`).join(', ')} }`;
      case 'contract':
        return `${type.name}(${this.leaf(primitive('ByteVec'), depth + 1)})`;
    }
  }

  literal(name: PrimitiveType): string {
    const { random } = this;
    switch (name) {
      case 'U256':
        return random.chance(0.1) ? `${random.below(20)} alph` : `${random.u256()}`;
      case 'I256': {
        const value = random.i256();
        return value < 0n && random.chance(0.5) ? `${value}` : `${value}i`;
      }
      case 'Bool':
        return random.chance(0.5) ? 'true' : 'false';
      case 'ByteVec':
        return random.chance(0.3) ? 'b`text ⊕ é`' : `#${bytesToHex(random.bytes(random.below(6)))}`;
      case 'Address':
        return `@${random.pick(addresses)}`;
    }
  }

  private operation(name: PrimitiveType, depth: number): string {
    const { random } = this;
    const of = (type: PrimitiveType): string => `(${this.of(primitive(type), depth + 1)})`;
    switch (name) {
      case 'U256':
        return `${of('U256')} ${random.pick(random.chance(0.5) ? arithmetic : unsignedOnly)} ${of('U256')}`;
      case 'I256': {
        const operator = random.pick(arithmetic);
        return `${of('I256')} ${operator} ${of(operator === '**' ? 'U256' : 'I256')}`;
      }
      case 'Bool': {
        if (random.chance(0.3)) return `!${of('Bool')}`;
        if (random.chance(0.3)) return `${of('Bool')} ${random.pick(['&&', '||', '==', '!='])} ${of('Bool')}`;
        const operator = random.pick(comparisons);
        const operand = random.pick(
          operator.length === 2 && '=!'.includes(operator[0]!) ? primitiveTypes : (['U256', 'I256'] as const),
        );
        return `${of(operand)} ${operator} ${of(operand)}`;
      }
      case 'ByteVec':
        return random.chance(0.5) ? `${of('ByteVec')} ++ ${of('ByteVec')}` : this.builtIn(name, depth);
      case 'Address':
        return this.builtIn(name, depth);
    }
  }

  private builtIn(name: PrimitiveType, depth: number): string {
    const { own, overload } = this.random.pick(builtIns[name]);
    const types = overload.parameters.map((each) => primitive(each as PrimitiveType));
    return `${own}!(${this.list(types, depth)})`;
  }

  /** Arguments of those types. */
  list(types: readonly RandomType[], depth = 1): string {
    return types.map((type) => this.of(type, depth + 1)).join(', ');
  }

  /** An element, a field or the value of a map that has the type. */
  private selection(type: RandomType, depth: number): string | undefined {
    const { random, scope } = this;
    const text = typeText(type);
    const index = (size: number): string =>
      random.chance(0.6) ? `${random.below(size)}` : `(${this.of(primitive('U256'), depth + 2)})`;
    const found = scope.variables.flatMap(({ name, type: of }) => {
      if (of.kind === 'array' && typeText(of.element) === text) return [() => `${name}[${index(of.size)}]`];
      if (of.kind !== 'struct') return [];
      const fields = of.struct.fields.filter((field) => typeText(field.type) === text);
      return fields.map((field) => () => `${name}.${field.name}`);
    });
    const entries = scope.maps
      .filter((map) => typeText(map.value) === text)
      .map(
        ({ name, key }) =>
          () =>
            `${name}[${this.of(primitive(key), depth + 2)}]`,
      );
    const all = [...found, ...entries];
    return all.length === 0 ? undefined : random.pick(all)();
  }

  /** A call of an own function, of a built-in or of another contract's function with that result. */
  private call(type: RandomType, depth: number): string | undefined {
    const { random, scope } = this;
    if (type.kind === 'primitive' && random.chance(0.5)) return this.builtIn(type.name, depth);
    const fits = ({ results }: RandomFunction): boolean =>
      results.length === 1 && typeText(results[0]!) === typeText(type);
    const own = scope.functions.filter(fits).map((each) => () => this.callOf(each, depth));
    const others = scope.contracts.flatMap(({ name, functions }) =>
      functions
        .filter(fits)
        .map((each) => () => `${name}(${this.leaf(primitive('ByteVec'), depth)}).${this.callOf(each, depth)}`),
    );
    const all = [...own, ...others];
    return all.length === 0 ? undefined : random.pick(all)();
  }

  callOf({ name, parameters, needsBraces }: RandomFunction, depth = 1): string {
    const braces = needsBraces ? '{callerAddress!() -> ALPH: 1 alph}' : '';
    return `${name}${braces}(${this.list(parameters, depth + 1)})`;
  }
}
