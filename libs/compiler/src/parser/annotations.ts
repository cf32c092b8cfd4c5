import { bytesToHex } from '@shardnode/protocol/encoding';
import { type Val } from '@shardnode/protocol/script';
import { compileError } from '../errors/compile-error.js';
import { type Span } from '../errors/span.js';
import { refuseDuplicateNames } from '../hash-orders/refuse-duplicates.js';
import { treeText } from './tree-text.js';
import { positionBehind } from './position-behind.js';
import { choice, failed, named, optional, repeatedOnce, type Rule, sequence } from './rules.js';
import { type Expression, type FunctionUsing } from './syntax-tree.js';
import { ident, plain } from './tokens.js';

/** Undefined as value: `assetsInContract = enforced`. */
interface AnnotationField extends Span {
  readonly key: string;
  readonly value: Val | undefined;
}

export interface Annotation extends Span {
  readonly id: string;
  readonly fields: readonly AnnotationField[];
}

/** @throws CompileError for a value that is no literal (protocol 06 §3.5) */
const constantOf = (expression: Expression): Val => {
  if (expression.kind === 'literal') return expression.value;
  throw compileError('annotationNotLiteral', expression, { value: treeText(expression) });
};

/** `'@' ident ( '(' annField % ',' ')' )?` */
export const annotationRule = (expression: Rule<Expression>): Rule<Annotation> => {
  const enforced = sequence([plain('assetsInContract'), plain('='), plain('enforced')], (_, span): AnnotationField => ({
    key: 'assetsInContract',
    value: undefined,
    ...span,
  }));
  const valued: Rule<AnnotationField> = (state) => {
    const key = ident(state);
    if (key === failed || plain('=')(state) === failed) return failed;
    const value = expression(state);
    if (value === failed) return failed;
    return { key: key.text, value: constantOf(value), start: key.start, end: positionBehind(state, value) };
  };
  const field = named('annotationField', choice('field', enforced, valued));
  const fields = named(
    'annotationFields',
    sequence([plain('('), repeatedOnce(field, plain(',')), plain(')')], ([, list]) => list),
  );
  return named(
    'annotation',
    sequence([plain('@'), ident, optional(fields)], ([, id, list], span) => ({
      id: id.text,
      fields: list ?? [],
      start: span.start,
      end: list ? span.end : id.end,
    })),
  );
};

type FieldType = 'Bool' | 'U256' | 'ByteVec';
type Values<Keys extends string> = { readonly [Key in Keys]?: AnnotationField };

/** The fields of the first annotation of that name, by key; checked in the order of protocol 06 §3.6. */
const fieldsOf = <Keys extends string>(
  annotations: readonly Annotation[],
  id: string,
  keys: readonly Keys[],
): { readonly annotation: Annotation | undefined; readonly fields: Values<Keys> } => {
  const annotation = annotations.find((each) => each.id === id);
  if (!annotation) return { annotation, fields: {} };
  const isKnown = (key: string): key is Keys => (keys as readonly string[]).includes(key);
  const given = annotation.fields.map(({ key }) => key);
  refuseDuplicateNames('duplicateAnnotationKeys', given.filter(isKnown), () => annotation);
  const unknown = given.filter((key) => !isKnown(key));
  if (unknown.length > 0)
    throw compileError('unknownAnnotationKeys', annotation, { id, keys: unknown.join(',') }).knowing(keys);
  return { annotation, fields: Object.fromEntries(annotation.fields.map((each) => [each.key, each])) as Values<Keys> };
};

/** The value of a field; undefined: not given. @throws CompileError for another type */
const valueOf = (field: AnnotationField | undefined, id: string, type: FieldType): Val['value'] | undefined => {
  if (!field) return undefined;
  if (field.value?.type === type) return field.value.value;
  throw compileError('annotationType', field, { type, key: field.key, id });
};

const flagOf = (field: AnnotationField | undefined, id: string, byDefault: boolean): boolean =>
  (valueOf(field, id, 'Bool') as boolean | undefined) ?? byDefault;

const enforcedText = '656e666f72636564';

const assetsModeOf = (field: AnnotationField | undefined): boolean | 'enforced' => {
  if (!field) return false;
  const { value } = field;
  if (value === undefined) return 'enforced';
  if (value.type === 'Bool') return value.value;
  if (value.type === 'ByteVec' && bytesToHex(value.value) === enforcedText) return 'enforced';
  throw compileError('invalidAssetsInContract', field);
};

const mostMethodIndex = 0xff;
const ignoredMethodIndex = 2n ** 31n;

const methodIndexOf = (field: AnnotationField | undefined): number | undefined => {
  const index = valueOf(field, 'using', 'U256') as bigint | undefined;
  if (index === undefined || index >= ignoredMethodIndex) return undefined;
  if (index > mostMethodIndex) {
    throw compileError('invalidMethodIndex', field!, { index });
  }
  return Number(index);
};

const usingKeys = [
  'preapprovedAssets',
  'assetsInContract',
  'payToContractOnly',
  'checkExternalCaller',
  'updateFields',
  'methodIndex',
] as const;

/** Values of `@using` of a function or, with other defaults, of a transaction script (protocol 06 §3.6). */
export const functionUsing = (annotations: readonly Annotation[], of: 'function' | 'script'): FunctionUsing => {
  const { fields } = fieldsOf(annotations, 'using', usingKeys);
  const methodIndex = methodIndexOf(fields.methodIndex);
  const preapprovedAssets = flagOf(fields.preapprovedAssets, 'using', of === 'script');
  const assetsInContract = assetsModeOf(fields.assetsInContract);
  const payToContractOnly = flagOf(fields.payToContractOnly, 'using', false);
  const checkExternalCaller = flagOf(fields.checkExternalCaller, 'using', true);
  const updateFields = flagOf(fields.updateFields, 'using', false);
  if (of === 'function' && assetsInContract !== false && payToContractOnly) {
    const both = [fields.assetsInContract!, fields.payToContractOnly!].sort((a, b) => a.start - b.start);
    const all = annotations.find(({ id }) => id === 'using')!.fields;
    throw compileError('assetsAndPaying', { start: all[0]!.start, end: Math.max(all.at(-1)!.end, both[1]!.end) });
  }
  return {
    preapprovedAssets,
    assetsInContract,
    payToContractOnly,
    checkExternalCaller,
    updateFields,
    methodIndex,
    namesCheckExternalCaller: fields.checkExternalCaller !== undefined,
  };
};

const onlyAnnotations = (annotations: readonly Annotation[], entity: string, allowed: readonly string[]): void => {
  const other = annotations.find(({ id }) => !allowed.includes(id));
  if (!other) return;
  throw compileError('annotationNotAllowed', other, { id: other.id, entity, allowed: allowed.join(',') }).knowing(
    allowed,
  );
};

/** `@std(enabled = ...)` of a contract; undefined: not given. */
export const contractStd = (annotations: readonly Annotation[]): boolean | undefined => {
  onlyAnnotations(annotations, 'contract', ['std']);
  const { fields } = fieldsOf(annotations, 'std', ['enabled'] as const);
  return valueOf(fields.enabled, 'std', 'Bool') as boolean | undefined;
};

export const interfaceAnnotations = (
  annotations: readonly Annotation[],
): { readonly stdId: Uint8Array | undefined; readonly usesMethodSelector: boolean } => {
  onlyAnnotations(annotations, 'interface', ['std', 'using']);
  const { annotation, fields } = fieldsOf(annotations, 'std', ['id'] as const);
  const stdId = valueOf(fields.id, 'std', 'ByteVec') as Uint8Array | undefined;
  if (stdId?.length === 0) {
    throw compileError('emptyStdId', annotation!);
  }
  const using = fieldsOf(annotations, 'using', ['methodSelector'] as const);
  return { stdId, usesMethodSelector: flagOf(using.fields.methodSelector, 'using', false) };
};
