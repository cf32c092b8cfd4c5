import { bytesToHex } from '@shardnode/protocol/encoding';
import { compileError } from '../errors/compile-error.js';
import { type FunctionNode, type InterfaceNode } from '../parser/syntax-tree.js';

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** The order of a set of interfaces (protocol 06 §5.3). @throws CompileError when those without selectors are no chain */
export const sortedInterfaces = (
  interfaces: readonly InterfaceNode[],
  ancestorCount: (node: InterfaceNode) => number,
): readonly InterfaceNode[] => {
  const byAncestors = (a: InterfaceNode, b: InterfaceNode): number => ancestorCount(a) - ancestorCount(b);
  const plain = interfaces.filter((each) => !each.usesMethodSelector).sort(byAncestors);
  for (const [index, child] of plain.entries()) {
    const previous = plain[index - 1]?.name.text;
    if (previous === undefined || child.parents.some(({ text }) => text === previous)) continue;
    throw compileError('unrelatedInterfaces', child, { name: child.name.text, previous });
  }
  const selecting = interfaces
    .filter((each) => each.usesMethodSelector)
    .sort((a, b) => byAncestors(a, b) || byText(a.name.text, b.name.text));
  return [...plain, ...selecting];
};

const mostMethods = 256;

/** @throws CompileError for a predefined index that is taken, or more than 256 functions (protocol 06 §5.5, §14) */
export const checkMethodIndexes = (interfaces: readonly InterfaceNode[]): void => {
  const marked = new Set<number>();
  let next = 0;
  for (const { name, functions } of interfaces) {
    for (const { name: own, using } of functions) {
      const { methodIndex } = using;
      if (methodIndex === undefined) continue;
      if (marked.has(methodIndex)) {
        throw compileError('methodIndexTaken', own, { name: `${name.text}.${own.text}`, index: methodIndex });
      }
      marked.add(methodIndex);
    }
    for (const { name: own, using } of functions) {
      if (using.methodIndex !== undefined) continue;
      while (marked.has(next)) next += 1;
      if (next >= mostMethods) throw compileError('invalidMethodIndex', own, { index: next });
      marked.add(next++);
    }
  }
};

/** The index of each function of an interface in calls through it (protocol 06 §5.5). */
export const predefinedIndexes = (functions: readonly FunctionNode[]): readonly number[] => {
  const taken = new Set(functions.map(({ using }) => using.methodIndex));
  let next = 0;
  return functions.map(({ using: { methodIndex } }) => {
    if (methodIndex !== undefined) return methodIndex;
    while (taken.has(next)) next += 1;
    return next++;
  });
};

/** The functions of a contract in method order: those with a predefined index at their place (protocol 06 §5.5). */
export const inMethodOrder = (
  functions: readonly FunctionNode[],
  declared: ReadonlyMap<string, FunctionNode>,
): readonly FunctionNode[] => {
  const indexOf = ({ name }: FunctionNode): number | undefined => declared.get(name.text)?.using.methodIndex;
  const outside = functions.filter((each) => (indexOf(each) ?? 0) >= functions.length);
  if (outside.length > 0) {
    throw compileError('methodIndexOutOfBound', outside[0]!.name, {
      names: outside.map(({ name }) => name.text).join(','),
      count: functions.length,
    });
  }
  const placed: (FunctionNode | undefined)[] = functions.map(() => undefined);
  for (const each of functions) {
    const index = indexOf(each);
    if (index !== undefined) placed[index] = each;
  }
  const others = functions.filter((each) => indexOf(each) === undefined).values();
  return placed.map((each) => each ?? others.next().value!);
};

/** The standard id of a sorted list of interfaces, without its prefix (protocol 06 §5.6). @throws CompileError */
export const standardId = (interfaces: readonly InterfaceNode[]): Uint8Array | undefined => {
  let current: Uint8Array | undefined;
  for (const { name, stdId, ...node } of interfaces) {
    if (!stdId) continue;
    const [known, own] = [bytesToHex(current ?? new Uint8Array()), bytesToHex(stdId)];
    if (current && own === known) {
      throw compileError('sameStdId', node, { name: name.text });
    }
    if (!own.startsWith(known)) {
      throw compileError('unrelatedStdId', node, { name: name.text, known });
    }
    current = stdId;
  }
  return current;
};
