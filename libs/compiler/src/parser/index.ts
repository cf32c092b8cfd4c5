import { compileError } from '../errors/compile-error.js';
import { refuseDuplicates } from '../hash-orders/refuse-duplicates.js';
import { annotationRule, contractStd, functionUsing, interfaceAnnotations } from './annotations.js';
import { type CodeKind, expressionRules } from './expressions.js';
import {
  argument,
  argumentsNamed,
  contractParents,
  enumRule,
  eventRule,
  mapRule,
  memberRules,
  structFields,
  templateParameter,
} from './members.js';
import { choice, commit, named, optional, parseWith, repeated, repeatedOnce, type Rule, sequence } from './rules.js';
import { statementRule } from './statements.js';
import {
  type AssetScriptNode,
  type ConstantNode,
  type ContractNode,
  type Entity,
  type EnumNode,
  type EventNode,
  type FunctionNode,
  type InterfaceNode,
  type MapNode,
  type ScriptNode,
  type StructNode,
} from './syntax-tree.js';
import { endOfInput, keyword, plain, typeId } from './tokens.js';

const struct: Rule<StructNode> = named(
  'PP',
  sequence([keyword('struct'), commit, typeId, plain('{'), structFields, plain('}')], ([, , name, , fields], span) => {
    if (fields.length === 0) throw compileError('emptyStruct', span, { name: name.text });
    refuseDuplicates('duplicateStructFields', fields);
    return { kind: 'struct' as const, name, fields, ...span };
  }),
);

type Member =
  | { readonly kind: 'map'; readonly node: MapNode }
  | { readonly kind: 'event'; readonly node: EventNode }
  | { readonly kind: 'constant'; readonly node: ConstantNode }
  | { readonly kind: 'enum'; readonly node: EnumNode }
  | { readonly kind: 'function'; readonly node: FunctionNode };

const memberOrder: readonly Member['kind'][] = ['map', 'event', 'constant', 'enum', 'function'];

/** @throws CompileError positioned on the first member that is out of order (protocol 06 §3.5) */
const checkOrder = (members: readonly Member[]): void => {
  const ranks = members.map(({ kind }) => memberOrder.indexOf(kind));
  const wrong = ranks.findIndex((rank, index) => index > 0 && rank < ranks[index - 1]!);
  if (wrong < 0) return;
  throw compileError('memberOrder', members[wrong]!.node);
};

const nodesOf = <Kind extends Member['kind']>(members: readonly Member[], kind: Kind) =>
  members.filter((each) => each.kind === kind).map(({ node }) => node) as Extract<Member, { kind: Kind }>['node'][];

/** The rules of one kind of code. */
const rulesOf = (kind: CodeKind) => {
  const expressions = expressionRules(kind);
  const statement = statementRule(kind, expressions);
  const annotation = annotationRule(expressions.expression);
  return { statement, annotation, ...memberRules(expressions.expression, statement, annotation) };
};

const { statement, annotation, constant, func, interfaceFunction } = rulesOf('stateful');
const annotations = repeated(annotation);

const script: Rule<ScriptNode> = named(
  'rawTxScript',
  sequence(
    [
      annotations,
      sequence(
        [
          keyword('TxScript'),
          commit,
          typeId,
          optional(argumentsNamed('templateParams', templateParameter)),
          plain('{'),
          repeated(statement),
          repeated(func),
          plain('}'),
        ],
        ([, , name, parameters, brace, statements, functions], span) => {
          if (statements.length === 0) {
            throw compileError('noMainStatement', { start: brace.end, end: brace.end + 1 }, { name: name.text });
          }
          return { name, parameters: parameters ?? [], statements, functions, ...span };
        },
      ),
    ],
    ([notes, parts]) => ({ kind: 'script' as const, using: functionUsing(notes, 'script'), ...parts }),
  ),
);

const member = choice<Member>(
  'member',
  sequence([mapRule], ([node]) => ({ kind: 'map' as const, node })),
  sequence([eventRule], ([node]) => ({ kind: 'event' as const, node })),
  sequence([constant], ([node]) => ({ kind: 'constant' as const, node })),
  sequence([enumRule], ([node]) => ({ kind: 'enum' as const, node })),
  sequence([func], ([node]) => ({ kind: 'function' as const, node })),
);

const implemented = optional(
  sequence([keyword('implements'), repeatedOnce(typeId, plain(','))], ([, names]) =>
    names.map((name) => ({ name, fields: undefined })),
  ),
);

const contract: Rule<ContractNode> = named(
  'rawContract',
  sequence(
    [
      annotations,
      sequence(
        [
          optional(keyword('Abstract')),
          keyword('Contract'),
          commit,
          typeId,
          argumentsNamed('contractFields', argument),
          contractParents,
          implemented,
          plain('{'),
          repeated(member),
          plain('}'),
        ],
        ([isAbstract, , , name, fields, parents, interfaces, , members], span) => ({
          name,
          isAbstract: isAbstract !== undefined,
          fields,
          parents: [...(parents ?? []), ...(interfaces ?? [])],
          members,
          ...span,
        }),
      ),
    ],
    ([notes, { members, ...parts }]): ContractNode => {
      const stdIdEnabled = contractStd(notes);
      checkOrder(members);
      return {
        kind: 'contract',
        ...parts,
        stdIdEnabled,
        maps: nodesOf(members, 'map'),
        events: nodesOf(members, 'event'),
        constants: nodesOf(members, 'constant'),
        enums: nodesOf(members, 'enum'),
        functions: nodesOf(members, 'function'),
      };
    },
  ),
);

const interfaceParents = optional(
  sequence(
    [keyword('extends'), commit, repeatedOnce(named('interfaceInheritance', typeId), plain(','))],
    ([, , names]) => names,
  ),
);

const interfaceRule: Rule<InterfaceNode> = named(
  'rawInterface',
  sequence(
    [
      annotations,
      sequence(
        [
          keyword('Interface'),
          commit,
          typeId,
          interfaceParents,
          plain('{'),
          repeated(eventRule),
          repeated(interfaceFunction),
          plain('}'),
        ],
        ([, , name, parents, , events, functions], span) => {
          if (functions.length === 0) throw compileError('emptyInterface', name, { name: name.text });
          const withBody = functions.find(({ body }) => body !== undefined);
          if (withBody) {
            throw compileError('bodyInInterface', withBody, { name: withBody.name.text });
          }
          return { name, parents: parents ?? [], events, functions, ...span };
        },
      ),
    ],
    ([notes, parts]) => ({ kind: 'interface' as const, ...parts, ...interfaceAnnotations(notes) }),
  ),
);

const entity: Rule<Entity> = named(
  'entities',
  choice<Entity>('(rawTxScript | rawContract | rawInterface | PP)', script, contract, interfaceRule, struct),
);

const project: Rule<readonly Entity[]> = sequence([repeatedOnce(entity), endOfInput], ([entities]) => entities);
/** Always at 1:1, whatever white space the text begins with (protocol 06 §10.5). */
const tracedProject: Rule<readonly Entity[]> = (state) => {
  const entities = project(state);
  if (typeof entities === 'symbol' && state.isTracing) state.trace.push({ rule: 'multiContract', at: 0 });
  return entities;
};

const stateless = rulesOf('stateless');
const assetScript: Rule<{ readonly structs: readonly StructNode[]; readonly script: AssetScriptNode }> = sequence(
  [
    repeated(struct),
    sequence(
      [
        keyword('AssetScript'),
        commit,
        typeId,
        optional(argumentsNamed('templateParams', templateParameter)),
        plain('{'),
        repeatedOnce(stateless.func),
        plain('}'),
      ],
      ([, , name, parameters, , functions], span) => ({
        kind: 'asset script' as const,
        name,
        parameters: parameters ?? [],
        functions,
        ...span,
      }),
    ),
    repeated(struct),
    endOfInput,
  ],
  ([before, only, after]) => ({ structs: [...before, ...after], script: only }),
);

/** All entities of a project in source order (protocol 06 §3.2). @throws CompileError */
export const parseProject = (source: string): readonly Entity[] => parseWith(tracedProject, source);

/** An asset script and the structs beside it. @throws CompileError */
export const parseAssetScript = (source: string) => parseWith(assetScript, source);
