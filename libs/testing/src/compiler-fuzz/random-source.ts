import { FuzzRandom } from '../machine-fuzz/fuzz-random.js';
import { ExpressionWriter, type RandomFunction, type RandomMap, type RandomVariable } from './random-expressions.js';
import { type RandomEvent, type StatementScope, StatementWriter } from './random-statements.js';
import {
  isFullyMutable,
  primitive,
  primitiveTypes,
  type RandomStruct,
  randomStructs,
  randomType,
  structText,
  typeText,
} from './random-types.js';

interface Shared {
  readonly random: FuzzRandom;
  readonly structs: readonly RandomStruct[];
  readonly contracts: { name: string; functions: RandomFunction[] }[];
}

const listed = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));

const parametersText = (parameters: readonly RandomVariable[]): string =>
  parameters.map(({ name, type }) => `${name}: ${typeText(type)}`).join(', ');

const resultText = (results: RandomFunction['results']): string =>
  results.length === 1 ? typeText(results[0]!) : `(${results.map(typeText).join(', ')})`;

/** One function over the scope of its contract; the functions before it may be called. */
const functionText = ({ random, structs, contracts }: Shared, scope: StatementScope, index: number) => {
  const names = contracts.map(({ name }) => name);
  const parameters = listed(random.below(4), (i) => ({ name: `a${i}`, type: randomType(random, structs, names) }));
  const results = listed(random.below(3), () => randomType(random, structs, names));
  const needsBraces = random.chance(0.15);
  const isPublic = random.chance(0.7);
  const own: RandomFunction = {
    name: `f${index}`,
    parameters: parameters.map(({ type }) => type),
    results,
    needsBraces,
  };
  const writer = new StatementWriter(random, { ...scope, variables: [...scope.variables, ...parameters] });
  const keys = [
    ...(needsBraces ? ['preapprovedAssets = true'] : []),
    ...(random.chance(0.2) ? ['checkExternalCaller = false'] : []),
    ...(random.chance(0.3) ? ['updateFields = true'] : []),
    ...(random.chance(0.1) ? ['assetsInContract = enforced'] : []),
  ];
  const annotation = keys.length > 0 ? `@using(${keys.join(', ')})\n  ` : '';
  const text = `  ${annotation}${isPublic ? 'pub ' : ''}fn ${own.name}(${parametersText(parameters)}) -> ${resultText(results)} {\n    ${writer.body(results)}\n  }`;
  return { own, isPublic, text };
};

const functionTexts = (shared: Shared, scope: StatementScope, count: number) => {
  const functions: RandomFunction[] = [];
  const made = listed(count, (index) => {
    const each = functionText(shared, { ...scope, functions: [...functions] }, index);
    functions.push(each.own);
    return each;
  });
  return { functions, made };
};

/** Constants and enums: their texts and the names that they give. */
const constantsOf = ({ random }: Shared) => {
  const literals = new ExpressionWriter(random, { variables: [], functions: [], maps: [], contracts: [] });
  const constants = listed(random.below(3), (i) => {
    const type = random.pick(primitiveTypes);
    return { name: `K${i}`, type: primitive(type), text: `  const K${i} = ${literals.literal(type)}` };
  });
  const enums = listed(random.below(2), (i) => ({
    names: listed(1 + random.below(3), (j) => ({ name: `E${i}.V${j}`, type: primitive('U256') })),
    text: (names: readonly RandomVariable[]) =>
      `  enum E${i} { ${names.map(({ name }, j) => `${name.split('.')[1]} = ${j * 7 + i}`).join(' ')} }`,
  }));
  return {
    names: [...constants, ...enums.flatMap(({ names }) => names)],
    texts: [...constants.map(({ text }) => text), ...enums.map(({ names, text }) => text(names))],
  };
};

/** An interface of one function, or an abstract contract with one, that a contract has as its parent. */
interface Parent {
  readonly text: string;
  /** Behind the fields of the child. */
  readonly clause: string;
  /** The function that the child must have. */
  readonly required: string;
}

const parentOf = ({ random, contracts }: Shared, child: string): Parent | undefined => {
  const kind = random.below(4);
  const type = random.pick(primitiveTypes);
  const own: RandomFunction = {
    name: 'inherited',
    parameters: [primitive(type)],
    results: [primitive(type)],
    needsBraces: false,
  };
  const signature = `pub fn inherited(a: ${type}) -> ${type}`;
  const body = '{ return a }';
  const name = `P${child}`;
  if (kind === 0) {
    contracts.push({ name, functions: [own] });
    const using = random.chance(0.5) ? '@using(methodSelector = true)\n' : '';
    const text = `${using}Interface ${name} {\n  ${signature}\n}`;
    return { text, clause: ` implements ${name}`, required: `  ${signature} ${body}` };
  }
  if (kind === 1) {
    const hasBody = random.chance(0.5);
    const text = `Abstract Contract ${name}() {\n  ${signature}${hasBody ? ` ${body}` : ''}\n}`;
    return { text, clause: ` extends ${name}()`, required: hasBody ? '' : `  ${signature} ${body}` };
  }
  return undefined;
};

const contractText = (shared: Shared, name: string): string => {
  const { random, structs, contracts } = shared;
  const parent = parentOf(shared, name);
  const known = contracts.map((each) => each.name);
  const fields = listed(random.below(4), (i) => {
    const type = randomType(random, structs, known);
    return { name: `x${i}`, type, isMutable: isFullyMutable(type) && random.chance(0.5) };
  });
  const maps = listed(random.below(2), (i): RandomMap => ({
    name: `m${i}`,
    key: random.pick(primitiveTypes),
    value: randomType(random, structs, []),
  }));
  const events = listed(random.below(3), (i): RandomEvent => ({
    name: `Event${i}`,
    fields: listed(random.below(4), () => random.pick(primitiveTypes)),
  }));
  const constants = constantsOf(shared);
  const mutableFields = fields.filter(({ isMutable }) => isMutable);
  const scope: StatementScope = {
    variables: [...fields, ...constants.names],
    functions: [],
    maps,
    contracts,
    events,
    structs,
    mutableFields,
  };
  const { functions, made } = functionTexts(shared, scope, 1 + random.below(3));
  const writer = new ExpressionWriter(random, scope);
  // Fields that are `mut` must be assigned somewhere.
  const assignments = mutableFields.map(({ name: field, type }) => `${field} = ${writer.of(type, 2)}`);
  const parts = [
    ...maps.map((map) => `  mapping[${map.key}, ${typeText(map.value)}] ${map.name}`),
    ...events.map((event) => `  event ${event.name}(${event.fields.map((type, i) => `e${i}: ${type}`).join(', ')})`),
    ...constants.texts,
    ...made.map(({ text }) => text),
    ...(parent ? [parent.required] : []),
    ...(assignments.length > 0 ? [`  pub fn assign() -> () {\n    ${assignments.join('\n    ')}\n  }`] : []),
  ];
  contracts.push({ name, functions: functions.filter((_, i) => made[i]!.isPublic) });
  const fieldsText = fields.map((field) => `${field.isMutable ? 'mut ' : ''}${parametersText([field])}`).join(', ');
  const own = `Contract ${name}(${fieldsText})${parent?.clause ?? ''} {\n${parts.join('\n')}\n}`;
  return parent ? `${parent.text}\n\n${own}` : own;
};

const scriptText = (shared: Shared): string => {
  const { random, structs, contracts } = shared;
  const names = contracts.map(({ name }) => name);
  const parameters = listed(random.below(4), (i) => ({ name: `t${i}`, type: randomType(random, structs, names) }));
  const scope = { variables: parameters, functions: [], maps: [], contracts, events: [], structs, mutableFields: [] };
  const { functions, made } = functionTexts(shared, scope, random.below(3));
  const body = new StatementWriter(random, { ...scope, functions }).body([]);
  const using = random.chance(0.3) ? '@using(preapprovedAssets = false)\n' : '';
  return `${using}TxScript Main(${parametersText(parameters)}) {\n    assert!(true, 0)\n    ${body}\n${made.map(({ text }) => text).join('\n')}\n}`;
};

/** The source of that number: structs, contracts, parents and often a script, most of which the compiler accepts. */
export const randomSource = (seed: number, index: number): string => {
  const random = new FuzzRandom(seed, index);
  const shared: Shared = { random, structs: randomStructs(random), contracts: [] };
  const contracts = listed(1 + random.below(2), (i) => contractText(shared, `C${i}`));
  const entities = [
    ...shared.structs.map(structText),
    ...contracts,
    ...(random.chance(0.5) ? [scriptText(shared)] : []),
  ];
  return `${entities.join('\n\n')}\n`;
};
