import { type z } from 'zod';
import { meaningOf } from './setting.js';

export type Environment = Readonly<Record<string, string | undefined>>;

/** A wrong setting. The message has one sentence for each variable, naming it and what it expects. */
export class ConfigurationError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'ConfigurationError';
  }
}

/**
 * Reads all variables of a service at once. An empty variable counts as not set; unknown ones are ignored.
 * @throws ConfigurationError
 */
export const readConfiguration = <Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape>,
  environment: Environment,
): z.output<z.ZodObject<Shape>> => {
  const given: Record<string, string> = {};
  for (const name of Object.keys(schema.shape)) {
    const text = environment[name];
    if (text !== undefined && text.trim() !== '') given[name] = text.trim();
  }
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  const problems = result.error.issues.map((issue) => describeProblem(schema, given, issue));
  throw new ConfigurationError([...new Set(problems)]);
};

const describeProblem = (
  schema: z.ZodObject,
  given: Readonly<Record<string, string>>,
  issue: { readonly path: readonly PropertyKey[]; readonly message: string; readonly code?: string },
): string => {
  const name = String(issue.path[0] ?? '');
  const variable = (schema.shape as Record<string, z.ZodType>)[name];
  const meaning = variable && meaningOf(variable);
  // A rule over several variables has a sentence of its own.
  if (!meaning || (issue.code === 'custom' && isCrossRule(variable, given[name]))) return issue.message;
  const text = given[name];
  if (text === undefined) return `${name} is not set; it must be ${meaning.expects}.`;
  const received = meaning.secret ? 'which it is not' : `not ${JSON.stringify(shorten(text))}`;
  return `${name} must be ${meaning.expects}, ${received}.`;
};

const isCrossRule = (variable: z.ZodType, text: string | undefined): boolean => variable.safeParse(text).success;

const shorten = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}...` : text);
