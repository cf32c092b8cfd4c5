import { primitiveNames } from '../lexer/names.js';
import { type FunctionNode, type TypeNode } from '../parser/syntax-tree.js';
import { type TypeTable } from '../types/type-table.js';
import { type Type } from '../types/type.js';

/**
 * Effect of a text on the hash of the text before it: `hash * factor + summand` modulo 2^32. A result of 65,535 slots, or of
 * very many such arrays, is hashed without its text.
 */
interface Step {
  readonly factor: number;
  readonly summand: number;
}

const then = (a: Step, b: Step): Step => ({
  factor: Math.imul(a.factor, b.factor),
  summand: (Math.imul(a.summand, b.factor) + b.summand) | 0,
});

const nothing: Step = { factor: 1, summand: 0 };

/** 33 h + byte for each character (protocol 06 §5.5). */
const stepOf = (text: string): Step => {
  let step = nothing;
  for (let i = 0; i < text.length; i++) step = then(step, { factor: 33, summand: text.charCodeAt(i) });
  return step;
};

const comma = stepOf(',');

/** A list of slots as text; undefined: it is empty. */
type ListStep = Step | undefined;

const joined = (a: ListStep, b: ListStep): ListStep => (a && b ? then(then(a, comma), b) : (a ?? b));

const times = (list: ListStep, count: number): ListStep => {
  let result: ListStep;
  let doubled = list;
  for (let rest = count; rest > 0; rest >>>= 1) {
    if (rest & 1) result = joined(result, doubled);
    doubled = joined(doubled, doubled);
  }
  return result;
};

const slotSteps: Readonly<Record<string, Step>> = Object.fromEntries(
  primitiveNames.map((name) => [name, stepOf(name)]),
);

/** The flattened slots of structs, which may be in each other many times. */
const structSteps = new WeakMap<TypeTable, Map<string, ListStep>>();

const structStep = (types: TypeTable, name: string): ListStep => {
  let known = structSteps.get(types);
  if (!known) structSteps.set(types, (known = new Map()));
  if (!known.has(name)) {
    known.set(name, joinedAll(types.fieldsOf(name).map((field) => typeStep(types, field.type))));
  }
  return known.get(name);
};

const typeStep = (types: TypeTable, type: Type): ListStep => {
  switch (type.kind) {
    case 'primitive':
      return slotSteps[type.name];
    case 'contract':
      return slotSteps['ByteVec'];
    case 'array':
      return times(typeStep(types, type.element), type.size);
    case 'struct':
      return structStep(types, type.name);
    default:
      return undefined;
  }
};

const joinedAll = (lists: readonly ListStep[]): ListStep => lists.reduce(joined, undefined);

/** The flattened slots of a type. @throws CompileError for one that has no layout (protocol 06 §4.2, §14) */
const laidOut = (types: TypeTable, node: TypeNode): ListStep => {
  const type = types.resolve(node);
  types.slots(type);
  return typeStep(types, type);
};

const firstHash = 5381;

/** The hash of a text of ASCII characters. Signed. */
export const textSelector = (text: string): number => hashOf(stepOf(text));

const hashOf = ({ factor, summand }: Step): number => (Math.imul(firstHash, factor) + summand) | 0;

/** The selector of `name(A1,A2,...)->(R1,R2,...)`, types flattened (protocol 06 §5.5). */
export const methodSelector = (types: TypeTable, { name, parameters, results }: FunctionNode): number => {
  const listOf = (nodes: readonly TypeNode[]): ListStep => joinedAll(nodes.map((node) => laidOut(types, node)));
  const parts: readonly ListStep[] = [
    stepOf(`${name.text}(`),
    listOf(parameters.map(({ type }) => type)),
    stepOf(')->('),
    listOf(results),
    stepOf(')'),
  ];
  return hashOf(parts.reduce<Step>((step, part) => (part ? then(step, part) : step), nothing));
};
