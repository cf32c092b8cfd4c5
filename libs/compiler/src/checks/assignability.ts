import { compileError } from '../errors/compile-error.js';
import { type Span } from '../errors/span.js';
import { type Selector, type Target } from '../parser/syntax-tree.js';
import { signatureText, type Type } from '../types/type.js';
import { type EntityContext } from './entity-context.js';
import { selectedType } from './expression-types.js';
import { type Named } from './name-table.js';

/** The type of an assignment's target; marks its name as read and assigned (protocol 06 §6.4). @throws CompileError */
export const targetType = (context: EntityContext, { name, selectors, start }: Target): Type => {
  let { type } = context.names.lookup(context.owner, name.text, name, true);
  let end = name.end;
  for (const selector of selectors) {
    type = selectedType(context, [type], selector, { start, end });
    end = selector.end;
  }
  return type;
};

const checkWhole = (context: EntityContext, name: string, { type, isMutable }: Named, span: Span): void => {
  if (type.kind === 'map') throw compileError('mapAssigned', span, { name });
  if (!isMutable) throw compileError('immutableVariable', span, { name });
  if (!context.types.isFullyMutable(type)) throw compileError('immutableInVariable', span, { name });
};

/** One step of the walk over the selectors: the type behind it, and how an array there is called in messages. */
interface Step {
  readonly type: Type;
  readonly arrayName: string;
}

const checkStep = (
  context: EntityContext,
  { type, arrayName }: Step,
  selector: Selector,
  { isLast, span }: { readonly isLast: boolean; readonly span: Span },
): Step => {
  const { types } = context;
  if (selector.kind === 'field' && type.kind === 'struct') {
    const field = types.fieldOf(type.name, selector.name.text)!;
    if (!field.isMutable) {
      throw compileError('immutableField', span, { field: field.name, struct: type.name });
    }
    if (isLast && !types.isFullyMutable(field.type)) {
      throw compileError('immutableInField', span, { field: field.name, struct: type.name });
    }
    return { type: field.type, arrayName: `${type.name}.${field.name}` };
  }
  if (type.kind === 'map') {
    if (isLast && !types.isFullyMutable(type.value)) {
      throw compileError('immutableInMapValue', span, { map: arrayName });
    }
    return { type: type.value, arrayName: `${arrayName}[${signatureText(type.key)}]` };
  }
  if (type.kind !== 'array') throw new Error(`a selector on ${type.kind} was typed`);
  if (isLast && !types.isFullyMutable(type.element)) {
    throw compileError('immutableInElement', span, { array: arrayName });
  }
  return { type: type.element, arrayName };
};

/** @throws CompileError for a target that must not be assigned, positioned on the statement (protocol 06 §6.5) */
export const checkAssignable = (context: EntityContext, { name, selectors }: Target, span: Span): void => {
  const named = context.names.find(context.owner, name.text)!;
  if (selectors.length === 0) return checkWhole(context, name.text, named, span);
  if (named.kind !== 'map' && !named.isMutable) {
    throw compileError('immutableVariable', span, { name: name.text });
  }
  let step: Step = { type: named.type, arrayName: name.text };
  for (const [index, selector] of selectors.entries()) {
    step = checkStep(context, step, selector, { isLast: index === selectors.length - 1, span });
  }
};
