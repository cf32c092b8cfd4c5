import { type ArgumentMetadata, Injectable, StandardSchemaValidationPipe } from '@nestjs/common';
import { type z } from 'zod';
import { explorerError } from '../errors.js';

const parts: Partial<Record<ArgumentMetadata['type'], string>> = {
  param: 'path parameter',
  query: 'query parameter',
  body: 'body',
};

/** The mistakes of a part of a request, until its name is known. */
class SchemaMistakes extends Error {
  constructor(readonly issues: readonly z.core.$ZodIssue[]) {
    super('the request does not fit its schema');
  }
}

const longestEcho = 80;

const valueAt = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((inner, key) => (inner as Record<PropertyKey, unknown> | null | undefined)?.[key], value);

/** The text of a value of a request, if it has one. */
const echoOf = (value: unknown): string => {
  if (typeof value !== 'string') return '';
  return `: ${value.length > longestEcho ? `${value.slice(0, longestEcho)}...` : value}`;
};

/** In parentheses: what is wrong. Nothing for a parameter that is missing or given twice. */
const reasonOf = ({ message }: z.core.$ZodIssue, value: unknown): string => {
  if (value === undefined || Array.isArray(value)) return '';
  return ` (${message.includes('but got') ? message : `${message}${echoOf(value)}`})`;
};

/** Of several mistakes the first is reported, in the order of the schema (protocol 08 §5.3). */
const textOf = (part: string, [issue]: readonly z.core.$ZodIssue[], value: unknown): string => {
  const { path, message } = issue!;
  if (part === 'body')
    return `${part} (${value === undefined ? 'is missing' : `${message}${echoOf(valueAt(value, path))}`})`;
  return `${part} ${String(path[0])}${reasonOf(issue!, valueAt(value, path))}`;
};

/**
 * Reads path, query and body by their schemas, `@Query({ schema })` and the like.
 * @throws ServiceError `InvalidRequest`
 */
@Injectable()
export class RequestValidationPipe extends StandardSchemaValidationPipe {
  constructor() {
    super({ exceptionFactory: (issues) => new SchemaMistakes(issues as readonly z.core.$ZodIssue[]) });
  }

  override async transform<Value>(value: Value, metadata: ArgumentMetadata): Promise<Value> {
    const part = parts[metadata.type];
    if (part === undefined || !metadata.schema) return value;
    try {
      return await super.transform(value, metadata);
    } catch (error) {
      if (!(error instanceof SchemaMistakes)) throw error;
      const field = part === 'body' ? 'body' : String(error.issues[0]?.path[0]);
      throw explorerError('InvalidRequest', `Invalid value for: ${textOf(part, error.issues, value)}`, { field });
    }
  }
}
