import { eventPosition } from '../checks/entity-context.js';
import { constantInstruction } from '@shardnode/protocol/script';
import { compileError } from '../errors/compile-error.js';
import { utf8Bytes } from '../lexer/bytes.js';
import { type Name, type Statement, type StatementOf, type Target } from '../parser/syntax-tree.js';
import { type Code, CodeWriter, expressionCode, type Generation, joinAll, joinCode, op } from './code.js';
import { branchesCode, conditionCode, jump } from './control-flow.js';
import { mapNameCode, mapStatementCode, mapStoreGroups } from './maps.js';
import { fieldOf, loadCode, popCode, referenceOf, referenceOfName, selected, storeGroups } from './references.js';

const variableGroups = (generation: Generation, { text }: Name): Code[] => {
  const { names, owner } = generation.context;
  return storeGroups(generation, referenceOfName(names.find(owner, text)!));
};

const reversed = (generation: Generation, groups: readonly Code[]): Code => joinAll(generation, [...groups].reverse());

const letCode = (generation: Generation, { variables, value }: StatementOf<'let'>): Code => {
  const types = generation.context.typesOf(value);
  const out = new CodeWriter(generation);
  out.add(expressionCode(generation, value));
  for (const [i, variable] of [...variables.entries()].reverse()) {
    const code = variable
      ? reversed(generation, variableGroups(generation, variable.name))
      : popCode(generation.context.types.slots(types[i]!));
    out.add(code);
  }
  return out;
};

const destructuringCode = (generation: Generation, { fields, value }: StatementOf<'destructuring'>): Code => {
  const out = new CodeWriter(generation);
  const reference = referenceOf(generation, value, out);
  for (const { field, variable } of fields) {
    out.add(
      loadCode(generation, fieldOf(generation, reference, field.text)),
      reversed(generation, variableGroups(generation, variable.name)),
    );
  }
  return out;
};

const targetGroups = (generation: Generation, { name, selectors }: Target): Code[] => {
  const { names, owner } = generation.context;
  const named = names.find(owner, name.text)!;
  if (named.kind === 'map' && named.type.kind === 'map') {
    return mapStoreGroups(generation, named.type, mapNameCode(named.index), selectors);
  }
  return storeGroups(generation, selected(generation, referenceOfName(named), selectors));
};

const assignmentCode = (generation: Generation, { targets, value }: StatementOf<'assignment'>): Code => {
  const code = expressionCode(generation, value);
  const groups = targets.flatMap((target) => targetGroups(generation, target));
  return joinCode(generation, code, reversed(generation, groups));
};

const emitCode = (generation: Generation, { event, arguments: args }: StatementOf<'emit'>): Code => {
  const index = eventPosition(generation.context.entity, event.text);
  return joinAll(generation, [
    [constantInstruction({ type: 'I256', value: BigInt(index) })],
    ...args.map((each) => expressionCode(generation, each)),
    [op(`Log${args.length + 1}`)],
  ]);
};

const debugCode = (generation: Generation, { pieces, holes }: StatementOf<'debug'>): Code => {
  if (!generation.isDebug) return [];
  const codes = holes.map((each) => expressionCode(generation, each));
  return joinAll(generation, [...codes, [op('DEBUG', pieces.map(utf8Bytes))]]);
};

const callStatementCode = (generation: Generation, { call }: StatementOf<'call statement'>): Code => {
  const { types } = generation.context;
  const slots = types.slotsOfAll(generation.context.typesOf(call));
  return joinCode(generation, expressionCode(generation, call), popCode(slots));
};

const longestLoop = 255;

const whileCode = (generation: Generation, { condition, body, ...span }: StatementOf<'while'>): Code => {
  const inner = statementsCode(generation, body);
  const test = conditionCode(generation, condition, inner.length + 1);
  const length = test.length + inner.length + 1;
  if (length > longestLoop) throw compileError('loopTooLong', span);
  return joinCode(generation, test, inner, jump(-length));
};

const forCode = (generation: Generation, { first, condition, update, body }: StatementOf<'for'>): Code => {
  const start = statementCode(generation, first);
  const inner = statementsCode(generation, body);
  const step = statementCode(generation, update);
  const length = inner.length + step.length + 1;
  const test = conditionCode(generation, condition, length);
  return joinCode(generation, start, test, inner, step, jump(-(test.length + length)));
};

export const statementsCode = (generation: Generation, statements: readonly Statement[]): Code => {
  const out = new CodeWriter(generation);
  for (const statement of statements) out.add(statementCode(generation, statement));
  return out;
};

/** The code of a statement (protocol 06 §8.5, §8.6). */
const statementCode = (generation: Generation, statement: Statement): Code => {
  switch (statement.kind) {
    case 'let':
      return letCode(generation, statement);
    case 'destructuring':
      return destructuringCode(generation, statement);
    case 'assignment':
      return assignmentCode(generation, statement);
    case 'emit':
      return emitCode(generation, statement);
    case 'debug':
      return debugCode(generation, statement);
    case 'call statement':
      return callStatementCode(generation, statement);
    case 'map statement':
      return mapStatementCode(generation, statement);
    case 'if statement': {
      const { branches, otherwise } = statement;
      return branchesCode(
        generation,
        branches.map(({ condition, body }) => ({ condition, body: () => statementsCode(generation, body) })),
        otherwise && (() => statementsCode(generation, otherwise)),
      );
    }
    case 'while':
      return whileCode(generation, statement);
    case 'for':
      return forCode(generation, statement);
    case 'return':
      return joinAll(generation, [...statement.values.map((each) => expressionCode(generation, each)), [op('Return')]]);
  }
};
