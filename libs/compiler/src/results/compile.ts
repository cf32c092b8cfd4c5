import { bytesToHex } from '@shardnode/protocol/encoding';
import { checkContract } from '../checks/contract.js';
import { constantValue } from '../checks/constants.js';
import {
  calledFunctions,
  type CompiledEntity,
  EntityContext,
  newOperation,
  type Operation,
  type PrivateFunctions,
} from '../checks/entity-context.js';
import { checkExpression } from '../checks/expression-types.js';
import { type AnalysedContract, warnOfExternalCallers } from '../checks/external-callers.js';
import { checkMethods } from '../generate/method-checks.js';
import { checkScript, mainName } from '../checks/script.js';
import { compileError } from '../errors/compile-error.js';
import { layOutFields, refuseDuplicateMembers } from '../checks/tables.js';
import { containsAny } from '../generate/code.js';
import { contractMethods, type MethodCode, scriptMethods } from '../generate/methods.js';
import { parseProject } from '../parser/index.js';
import { type Entity } from '../parser/syntax-tree.js';
import { type Project, type ResolvedContract, type ResolvedScript, resolveProject } from '../project/index.js';
import { TypeTable } from '../types/type-table.js';
import { type Bytecode, bytecodeTemplate, contractBytecode } from './bytecode.js';
import { DebugPatches } from './debug-patch.js';
import { eventForm, fieldsForm, functionForm, structForm, valueForm } from './forms.js';
import { type CompileSettings, shownWarnings } from './options.js';
import {
  contractFields,
  type ContractResult,
  enumForms,
  mapsForm,
  type ProjectResult,
  type ScriptResult,
} from './result-forms.js';
import { withinLength } from './within-length.js';
import { withinStack } from '../errors/within-stack.js';

const hasDebug = (methods: readonly MethodCode[]): boolean => methods.some(({ code }) => containsAny(code, ['DEBUG']));

interface Prepared {
  readonly project: Project;
  readonly operation: Operation;
  readonly patches: DebugPatches;
}

type OperationKind = 'script' | 'contract' | 'project';

const entityTexts = { script: 'TxScript', contract: 'Contract', interface: 'Interface' } as const;

/** The first entity that is no struct, which must be of the wanted kind (protocol 06 §1.2). @throws CompileError */
const firstEntity = (entities: readonly Entity[], wanted: 'script' | 'contract'): void => {
  const first = entities.find((entity) => entity.kind !== 'struct');
  if (!first) throw compileError('nothingToCompile', undefined);
  if (first.kind !== wanted) {
    throw compileError('otherKind', first, { found: entityTexts[first.kind], wanted: entityTexts[wanted] });
  }
  if (first.kind === 'contract' && first.isAbstract) {
    throw compileError('abstractContract', first, { name: first.name.text });
  }
};

const privateFunctions = ({ entities }: Project): PrivateFunctions => ({
  owners: new Map(
    entities.flatMap((entity) =>
      entity.kind === 'contract' ? entity.functions.map((node) => [node, entity.name.text] as const) : [],
    ),
  ),
  called: new Set(),
  reported: new Set(),
});

/** Steps 1 to 3 of protocol 06 §1.3. @throws CompileError */
const prepare = (source: string, kind: OperationKind, { warnsOncePerFunction }: CompileSettings): Prepared => {
  const project = resolveProject(parseProject(source));
  if (kind !== 'project') firstEntity(project.entities, kind);
  const types = new TypeTable(project.structs);
  const operation = newOperation(types, project.resolved, warnsOncePerFunction ? privateFunctions(project) : undefined);
  layOutFields(types, project.resolved);
  refuseDuplicateMembers(project.resolved, kind !== 'script');
  return { project, operation, patches: new DebugPatches() };
};

interface GeneratedContract {
  readonly contract: ResolvedContract;
  readonly context: EntityContext;
  readonly debug: readonly MethodCode[];
  /** Local slots before generation. */
  readonly declaredSlots: ReadonlyMap<string, number>;
}

const compiledEntity = (kind: CompiledEntity['kind'], resolved: ResolvedContract | ResolvedScript): CompiledEntity => ({
  kind,
  name: resolved.node.name,
  functions: resolved.functions,
  resolved,
});

/** Checks a contract and generates its debug code. */
const generateContract = (operation: Operation, contract: ResolvedContract): GeneratedContract => {
  const context = new EntityContext(operation, compiledEntity('contract', contract), checkExpression);
  checkContract(context, contract);
  const declaredSlots = context.names.slotCounts();
  return { contract, context, debug: contractMethods(context, true), declaredSlots };
};

/** W11 and W7 over all contracts, after all were generated. */
const analyse = (project: Project, generated: readonly GeneratedContract[]): void => {
  const byContract = new Map(generated.map((each) => [each.contract, each.context]));
  const all: AnalysedContract[] = [];
  for (const entity of project.resolved.values()) {
    if (entity.kind !== 'contract') continue;
    const context = byContract.get(entity);
    all.push({ contract: entity, calls: context?.calls ?? new Map(), warnings: context?.warnings ?? [] });
  }
  warnOfExternalCallers(all, project.resolved);
};

const fieldLength = ({ types }: Operation, { node, stdId }: ResolvedContract): number =>
  node.fields.reduce((sum, { type }) => sum + types.slots(types.resolve(type)), stdId ? 1 : 0);

/** Release code and the checks on generated methods; then the result. */
const finishContract = (
  { operation, patches }: Prepared,
  { contract, context, debug, declaredSlots }: GeneratedContract,
  options: CompileSettings,
): ContractResult => {
  const { types } = operation;
  const release = (): readonly MethodCode[] => {
    if (!hasDebug(debug)) return debug;
    context.names.restoreSlots(declaredSlots);
    return contractMethods(context, false);
  };
  const length = fieldLength(operation, contract);
  const debugCode = contractBytecode(length, debug);
  const releaseMethods = release();
  const releaseCode: Bytecode = releaseMethods === debug ? debugCode : contractBytecode(length, releaseMethods);
  const methods = contract.functions.map(({ node }, i) => ({
    method: debug[i]!,
    using: node.using,
    updates: true,
    span: node,
  }));
  checkMethods(context, methods, true);
  return withinLength(operation, {
    name: contract.node.name.text,
    bytecode: releaseCode.hex,
    bytecodeDebugPatch: patches.patch(releaseCode.hex, debugCode.hex),
    codeHash: releaseCode.hash,
    codeHashDebug: debugCode.hash,
    fields: contractFields(operation, contract),
    functions: contract.functions.map(({ node, name }) => functionForm(types, { ...node, name })),
    constants: contract.constants.map(({ name }) => ({
      name: name.text,
      value: valueForm(constantValue(context, name.text)),
    })),
    enums: enumForms(contract),
    events: contract.events.map((event) => eventForm(types, event)),
    warnings: shownWarnings(context.warnings, options),
    ...mapsForm(operation, contract),
    ...(contract.stdId ? { stdInterfaceId: bytesToHex(contract.stdId) } : {}),
  });
};

const contractsOf = ({ resolved }: Project): ResolvedContract[] =>
  [...resolved.values()].filter((each): each is ResolvedContract => each.kind === 'contract' && !each.node.isAbstract);

const compileContracts = (prepared: Prepared, options: CompileSettings): ContractResult[] => {
  const { project, operation } = prepared;
  const generated = contractsOf(project).map((contract) => generateContract(operation, contract));
  analyse(project, generated);
  for (const { context } of generated) {
    for (const { node } of calledFunctions(context)) operation.privateFunctions?.called.add(node);
  }
  return generated.map((each) => finishContract(prepared, each, options));
};

/** One script: checked, release code, the checks on its methods, debug code (protocol 06 §1.3). */
const finishScript = ({ operation, patches }: Prepared, script: ResolvedScript, options: CompileSettings) => {
  const { node } = script;
  const context = new EntityContext(operation, compiledEntity('script', script), checkExpression);
  const composed = checkScript(context, node);
  const slots = context.names.slotCounts();
  const parts = { using: node.using, statements: node.statements, composed };
  const release = scriptMethods(context, parts, false);
  const checked = [
    { method: release[0]!, using: { ...node.using, payToContractOnly: false }, updates: false, span: undefined },
    ...script.functions.map((each, i) => ({
      method: release[i + 1]!,
      using: each.node.using,
      updates: true,
      span: undefined,
    })),
  ];
  checkMethods(context, checked, true);
  context.names.restoreSlots(slots);
  const debug = scriptMethods(context, parts, true);
  const { types } = operation;
  const template = bytecodeTemplate(release);
  const main = { name: mainName, using: node.using, isPublic: true, parameters: [], results: [] };
  const result: ScriptResult = {
    name: node.name.text,
    bytecodeTemplate: template,
    bytecodeDebugPatch: patches.patch(template, bytecodeTemplate(debug)),
    fields: fieldsForm(types, node.parameters),
    functions: [main, ...script.functions.map((each) => ({ ...each.node, name: each.name }))].map((each) =>
      functionForm(types, each),
    ),
    warnings: shownWarnings(context.warnings, options),
  };
  return { result: withinLength(operation, result), debug };
};

const scriptsOf = ({ resolved }: Project): ResolvedScript[] =>
  [...resolved.values()].filter((each): each is ResolvedScript => each.kind === 'script');

/** The first contract of a text (protocol 06 §1.2). @throws CompileError */
export const compileContract = (source: string, options: CompileSettings = {}): ContractResult =>
  withinStack(() => compileContracts(prepare(source, 'contract', options), options)[0]!);

/** The first entity of a text, a transaction script. @throws CompileError */
export const compileScript = (source: string, options: CompileSettings = {}): ScriptResult =>
  compileDebugScript(source, options).result;

/** The same with the debug code of its methods. @throws CompileError */
export const compileDebugScript = (source: string, options: CompileSettings = {}) =>
  withinStack(() => {
    const prepared = prepare(source, 'script', options);
    return finishScript(prepared, scriptsOf(prepared.project)[0]!, options);
  });

/** All contracts and scripts of a text, and its structs. @throws CompileError */
export const compileProject = (source: string, options: CompileSettings = {}): ProjectResult =>
  withinStack(() => {
    const prepared = prepare(source, 'project', options);
    const { project, operation } = prepared;
    const contracts = compileContracts(prepared, options);
    const scripts = scriptsOf(project).map((script) => finishScript(prepared, script, options).result);
    const structs = [...project.structs.values()].map((node) => structForm(operation.types, node));
    return { contracts, scripts, ...(structs.length > 0 ? { structs } : {}) };
  });
