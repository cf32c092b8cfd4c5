import { type z } from 'zod';
import { brandedField, brandedNames, type Brand } from '../brand/brand.js';
import { type DecodeFailure } from '../schemas/decode-failure.js';
import { isSecret, type RequestPart, valueAt } from './invalid-request.js';

const textOf = (value: unknown, brand: Brand): string => brandedNames(JSON.stringify(value) ?? '', brand);

/** Offset in the compact JSON text of a value of what is at a path in it; a missing one is at the end of its object. */
const offsetOf = (value: unknown, path: readonly PropertyKey[], brand: Brand): number => {
  const [key, ...rest] = path;
  if (key === undefined || typeof value !== 'object' || value === null) return 0;
  let offset = 1;
  for (const [name, inner] of Object.entries(value)) {
    if (!Array.isArray(value)) offset += textOf(brandedField(name, brand), brand).length + 1;
    if (name === String(key)) return offset + offsetOf(inner, rest, brand);
    offset += textOf(inner, brand).length + 1;
  }
  return textOf(value, brand).length - 1;
};

/** A leaf as text: the reference takes a number or a flag as one (protocol 07 §1.5). */
const rawOf = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;

/** A longer value is not repeated. */
const longestRaw = 1_024;

const reasonOf = (issue: z.core.$ZodIssue, raw: string, index: number | undefined): string | undefined => {
  const failure = issue.code === 'custom' ? (issue.params?.['failure'] as DecodeFailure | undefined) : undefined;
  return raw.length > longestRaw || isSecret(issue) ? undefined : failure?.(raw, index);
};

const failureOfParameter = (part: RequestPart, issue: z.core.$ZodIssue, value: unknown): string | undefined => {
  const source = `Invalid value for: ${part} ${String(issue.path[0])}`;
  const found = valueAt(value, issue.path);
  if (found === undefined) return source;
  const raw = rawOf(found);
  const reason = raw === undefined ? undefined : reasonOf(issue, raw, undefined);
  return reason === undefined ? undefined : `${source} (${reason})`;
};

/** The mistakes that come first in the text of a value: one, or all that are missing in the same object. */
const firstIn = (value: unknown, issues: readonly z.core.$ZodIssue[], depth = 0): readonly z.core.$ZodIssue[] => {
  if (typeof value !== 'object' || value === null) return issues;
  for (const [name, inner] of Object.entries(value)) {
    const here = issues.filter(({ path }) => String(path[depth]) === name);
    if (here.length > 0) return firstIn(inner, here, depth + 1);
  }
  return issues;
};

/** A rule of an object about a field that is missing is a mistake of the field. */
const ofMissingField = (issue: z.core.$ZodIssue): z.core.$ZodIssue => {
  const missing: unknown = issue.code === 'custom' ? issue.params?.['missingKey'] : undefined;
  return typeof missing === 'string' ? { ...issue, path: [...issue.path, missing] } : issue;
};

const failureOfBody = (issues: readonly z.core.$ZodIssue[], value: unknown, brand: Brand): string | undefined => {
  const first = firstIn(value, issues.map(ofMissingField));
  const { path } = first[0]!;
  const index = offsetOf(value, path, brand);
  const inBody = (reason: string): string => `Invalid value for: body (${reason}: decoding failure)`;
  const found = valueAt(value, path);
  if (found === undefined) {
    const missing = first.map((issue) => String(issue.path.at(-1)));
    return inBody(`missing keys in dictionary: ${missing.join(', ')} at index ${index}`);
  }
  const raw = rawOf(found);
  const reason = raw === undefined ? undefined : reasonOf(first[0]!, raw, index);
  return reason === undefined ? undefined : inBody(reason);
};

/**
 * The text for mistakes of a part of a request that existing clients match (protocol 07 §1.10): that of the first parameter, or
 * of the first mistake in the text of a body. Undefined for a case that the protocol does not describe.
 */
export const decodeFailureText = (
  part: RequestPart,
  issues: readonly z.core.$ZodIssue[],
  value: unknown,
  brand: Brand,
): string | undefined => {
  if (issues.length === 0 || value === undefined) return undefined;
  return part === 'body' ? failureOfBody(issues, value, brand) : failureOfParameter(part, issues[0]!, value);
};
