import { type ArgumentMetadata, type PipeTransform } from '@nestjs/common';
import { type ErrorData, ServiceError } from '../errors/index.js';

/** One mistake in a request. */
export interface FieldIssue {
  /** `destinations.0.address`; empty for the whole value. */
  readonly field: string;
  readonly message: string;
}

/** A request that does not fit its schema, with all its mistakes. Stays in the process that read the request. */
export class InvalidRequestError extends ServiceError {
  constructor(
    detail: string,
    readonly issues: readonly FieldIssue[],
    data: ErrorData = {},
  ) {
    super('invalid-request', 'InvalidRequest', detail, data);
  }
}

const sourceOf = (metadata: ArgumentMetadata): string => {
  switch (metadata.type) {
    case 'query':
      return 'query parameter';
    case 'param':
      return 'path parameter';
    case 'body':
    case 'custom':
      return 'body';
  }
};

interface SchemaIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** Values of these fields are never repeated (decision 6). */
const secretField = /password|passphrase|mnemonic|key/i;

const valueAt = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((inner, key) => (inner as Record<PropertyKey, unknown> | undefined)?.[key], value);

/** What was received, as a short text. */
const receivedText = (found: unknown): string | undefined => {
  if (found === undefined || (typeof found === 'object' && found !== null)) return undefined;
  if (Number.isNaN(found)) return ', received a number with a fraction or an exponent';
  const text = JSON.stringify(found);
  return `, received ${text.length > 80 ? `${text.slice(0, 80)}...` : text}`;
};

const issueOf = (issue: SchemaIssue, value: unknown, name: string | undefined): FieldIssue => {
  const path = (issue.path ?? []).map((step) => (typeof step === 'object' ? step.key : step));
  // The framework hands over a single parameter without its name in the value.
  const named = name === undefined ? path : [name, ...path];
  const field = named.map(String).join('.');
  // zod's own texts end with the type that was received; ours, with the schema, may say more already.
  if (!issue.message.startsWith('Invalid input: ') || named.some((key) => secretField.test(String(key)))) {
    return { field, message: issue.message };
  }
  const found = receivedText(valueAt(value, path));
  return { field, message: found === undefined ? issue.message : issue.message.replace(/, received .*$/, '') + found };
};

const textOf = (source: string, issues: readonly FieldIssue[]): string => {
  const texts = issues.map(({ field, message }) => (field === '' ? message : `${field}: ${message}`));
  const [only] = issues;
  if (source !== 'body' && issues.length === 1 && only && only.field !== '') {
    return `Invalid value for: ${source} ${only.field} (${only.message})`;
  }
  return `Invalid value for: ${source} (${texts.join('; ')})`;
};

/**
 * Validates `@Body({ schema })`, `@Query({ schema })`, `@Param({ schema })` with their schema (zod or any standard schema) and
 * hands on the parsed value. All mistakes are reported together, each by its field.
 */
export class SchemaPipe implements PipeTransform {
  transform(value: unknown, metadata: ArgumentMetadata): unknown {
    const schema = metadata.schema;
    if (!schema) return value;
    const result = schema['~standard'].validate(value);
    return result instanceof Promise
      ? result.then((settled) => this.valueOf(settled, value, metadata))
      : this.valueOf(result, value, metadata);
  }

  private valueOf(
    result: { readonly value?: unknown; readonly issues?: readonly SchemaIssue[] | undefined },
    value: unknown,
    metadata: ArgumentMetadata,
  ): unknown {
    if (!result.issues) return result.value;
    if (value === undefined && metadata.type === 'body' && metadata.data === undefined) {
      throw new InvalidRequestError('Invalid value for: body (is missing)', [{ field: '', message: 'is missing' }]);
    }
    const issues = result.issues.map((issue) => issueOf(issue, value, metadata.data));
    throw new InvalidRequestError(textOf(sourceOf(metadata), issues), issues);
  }
}
