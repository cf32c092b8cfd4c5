import { type z } from 'zod';
import { type ServiceError } from '@shardnode/core/errors';
import { mostMistakes } from '../schemas/leaf.js';
import { errorOf } from './error-codes.js';

/** The part of a request with one schema. */
export type RequestPart = 'path parameter' | 'query parameter' | 'body';

/** One mistake of a request with its place. */
export interface RequestIssue {
  readonly part: RequestPart;
  /** `destinations[0].address`; empty for the whole value. */
  readonly field: string;
  readonly message: string;
}

const longestEcho = 80;

/** The value at a path in a value; undefined: none. */
export const valueAt = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((inner, key) => (inner as Record<PropertyKey, unknown> | null | undefined)?.[key], value);

/** `destinations[0].address` */
const fieldOf = (path: readonly PropertyKey[]): string =>
  path.reduce<string>(
    (text, key) => (typeof key === 'number' ? `${text}[${key}]` : `${text}${text === '' ? '' : '.'}${String(key)}`),
    '',
  );

const kindOf = (value: unknown): string => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  switch (typeof value) {
    case 'number':
      return Number.isNaN(value) ? 'a number with a fraction or an exponent' : 'a number';
    case 'string':
      return 'a text';
    case 'boolean':
      return 'true or false';
    default:
      return 'an object';
  }
};

const nameOfBlank = (blank: string): string =>
  ({ ' ': 'a space', '\t': 'a tab', '\n': 'a line break' })[blank] ?? 'a blank';

/** Names what nobody sees: `, with a space at the end`. */
const blanksText = (text: string): string => {
  if (text === text.trim() || text.trim() === '') return '';
  const [first, last] = [text.at(0)!, text.at(-1)!];
  const places = [
    ...(first.trim() === '' ? [`${nameOfBlank(first)} at the beginning`] : []),
    ...(last.trim() === '' ? [`${nameOfBlank(last)} at the end`] : []),
  ];
  return `, with ${places.join(' and ')}`;
};

/** A larger number has lost its digits when it is read: another one would be repeated. */
const numberText = (value: number): string => {
  if (Number.isSafeInteger(value)) return String(value);
  return value > 0 ? 'a JSON number above 2^53 - 1' : 'a JSON number below -(2^53 - 1)';
};

/** The received value if it is short and not secret, otherwise its kind. */
const receivedText = (value: unknown, isSecret: boolean): string => {
  if (isSecret || Number.isNaN(value)) return kindOf(value);
  if (typeof value === 'number') return numberText(value);
  if (typeof value === 'boolean') return String(value);
  if (typeof value !== 'string') return kindOf(value);
  const text = JSON.stringify(value);
  return `${text.length > longestEcho ? `${text.slice(0, longestEcho)}...` : text}${blanksText(value)}`;
};

/** Whether the value with this mistake is never repeated (`Meaning.isSecret`). */
export const isSecret = (issue: z.core.$ZodIssue): boolean =>
  issue.code === 'custom' && issue.params?.['isSecret'] === true;

/**
 * The mistakes found by a schema in a part of a request: field, expected form, received value. Of more than are written
 * only one more, which says that there are some.
 */
export const issuesOf = (part: RequestPart, issues: readonly z.core.$ZodIssue[], value: unknown): RequestIssue[] =>
  issues.slice(0, mostMistakes + 1).map((issue) => {
    const { path, message } = issue;
    const found = valueAt(value, path);
    const field = fieldOf(path);
    // Only "expected ..." lacks the received value; other texts are complete.
    if (!message.startsWith('expected ')) return { part, field, message };
    if (found === undefined) return { part, field, message: `is missing, ${message}` };
    return {
      part,
      field,
      message: `${message}, received ${receivedText(found, isSecret(issue) || path.length === 0)}`,
    };
  });

const textOfBody = (issues: readonly RequestIssue[]): string =>
  `body (${issues.map(({ field, message }) => (field === '' ? message : `${field}: ${message}`)).join('; ')})`;

/**
 * The mistakes of a request in one error, the first `mostMistakes` of them; its text starts with the source as protocol
 * 07 §1.10 writes it. @param documented the text that existing clients match, if the protocol has one
 */
export const invalidRequest = (issues: readonly RequestIssue[], documented?: string): ServiceError => {
  const written = issues.slice(0, mostMistakes);
  const parameters = written.filter(({ part }) => part !== 'body');
  const body = written.filter(({ part }) => part === 'body');
  const sources = [
    ...parameters.map(({ part, field, message }) => `${part} ${field} (${message})`),
    ...(body.length > 0 ? [textOfBody(body)] : []),
    ...(issues.length > mostMistakes ? ['and more'] : []),
  ];
  return errorOf('InvalidRequest', `Invalid value for: ${sources.join('; ')}`, {
    field: issues[0]?.field ?? '',
    ...(documented === undefined ? {} : { documented }),
  });
};
