import { compileError } from '../errors/compile-error.js';
import { type Entity, type ScriptNode, type StructNode } from '../parser/syntax-tree.js';
import { type Members, type ResolvedEntity } from './entities.js';
import { ancestorsOf, checkUniqueNames } from './inheritance.js';
import { contractMembers, interfaceMembers } from './merge.js';

export * from './entities.js';
export { methodSelector } from './selectors.js';

export interface Project {
  readonly entities: readonly Entity[];
  readonly structs: ReadonlyMap<string, StructNode>;
  /** Contracts, interfaces and scripts by name, in source order. */
  readonly resolved: ReadonlyMap<string, ResolvedEntity>;
}

const scriptMembers = ({ functions }: ScriptNode): Members => ({
  // Method 0 is `main`.
  functions: functions.map((node, i) => ({ node, name: node.name.text, index: i + 1, usesSelector: false })),
  events: [],
  constants: [],
  enums: [],
  maps: [],
  stdId: undefined,
});

/** Merged members of all entities together: each may get those of all others, which no source needs. */
const mostMembers = 1_000_000;

const membersCounter = (): ((node: Entity, members: Members) => Members) => {
  let count = 0;
  return (node, members) => {
    const { functions, events, constants, enums, maps } = members;
    count += functions.length + events.length + constants.length + enums.length + maps.length;
    if (count > mostMembers) throw compileError('tooManyMembers', node.name, { name: node.name.text });
    return members;
  };
};

/** Names, inheritance and the merged members of all entities (protocol 06 §5). @throws CompileError */
export const resolveProject = (entities: readonly Entity[]): Project => {
  checkUniqueNames(entities);
  const ancestors = ancestorsOf(entities);
  const structs = new Map<string, StructNode>();
  const resolved = new Map<string, ResolvedEntity>();
  const counted = membersCounter();
  for (const node of entities) {
    const name = node.name.text;
    switch (node.kind) {
      case 'struct':
        structs.set(name, node);
        break;
      case 'script':
        resolved.set(name, { kind: 'script', node, ...scriptMembers(node) });
        break;
      case 'interface':
        resolved.set(name, { kind: 'interface', node, ...counted(node, interfaceMembers(node, ancestors)) });
        break;
      case 'contract':
        resolved.set(name, { kind: 'contract', node, ...counted(node, contractMembers(node, ancestors)) });
        break;
    }
  }
  return { entities, structs, resolved };
};
