import { isDeepStrictEqual } from 'node:util';
import { type z } from 'zod';
import { fileSettingOf, readSecretFile } from './secret-file.js';
import { SettingFileError } from './setting-file.js';
import { meaningOf } from './setting.js';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The files of secrets: `API_KEY_FILE` beside `API_KEY`; absent unless given. */
export type SecretFiles = Readonly<Record<`${string}_FILE`, string | undefined>>;

/** A wrong setting. The message has one sentence for each variable, with its name and the expected value. */
export class ConfigurationError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'ConfigurationError';
  }
}

const isSecret = (schema: z.ZodObject, name: string): boolean => {
  const variable = (schema.shape as Record<string, z.ZodType>)[name];
  return (variable && meaningOf(variable)?.secret) ?? false;
};

/** Names of all variables that a service reads, including those of secret files. */
export const variablesOf = (schema: z.ZodObject): readonly string[] =>
  Object.keys(schema.shape).flatMap((name) => (isSecret(schema, name) ? [name, fileSettingOf(name)] : [name]));

/** Whether the text sets the default value. */
const isDefault = (variable: z.ZodType | undefined, text: string): boolean => {
  const [given, otherwise] = [variable?.safeParse(text), variable?.safeParse(undefined)];
  return given?.success === true && otherwise?.success === true && isDeepStrictEqual(given.data, otherwise.data);
};

/** The variables that differ from their default, for the log. A secret shows only its file. */
export const changedSettings = (schema: z.ZodObject, environment: Environment): Readonly<Record<string, string>> => {
  const shape = schema.shape as Record<string, z.ZodType>;
  const changed = variablesOf(schema)
    .filter((name) => !isSecret(schema, name))
    .map((name) => [name, textOf(environment, name)] as const)
    .filter((entry): entry is [string, string] => entry[1] !== undefined && !isDefault(shape[entry[0]], entry[1]));
  return Object.fromEntries(changed);
};

const textOf = (environment: Environment, name: string): string | undefined => {
  const text = environment[name]?.trim();
  return text === '' ? undefined : text;
};

interface Given {
  readonly texts: Readonly<Record<string, string>>;
  /** `API_KEY_FILE`: the file. */
  readonly files: Readonly<Record<string, string>>;
  /** Problem sentences by the name of the setting with an unusable file. */
  readonly problems: ReadonlyMap<string, string>;
}

const readTexts = (schema: z.ZodObject, environment: Environment): Given => {
  const texts: Record<string, string> = {};
  const files: Record<string, string> = {};
  const problems = new Map<string, string>();
  for (const name of Object.keys(schema.shape)) {
    const text = textOf(environment, name);
    if (text !== undefined) texts[name] = text;
    const fileSetting = fileSettingOf(name);
    const file = isSecret(schema, name) ? textOf(environment, fileSetting) : undefined;
    if (file === undefined) continue;
    files[fileSetting] = file;
    if (text !== undefined) {
      problems.set(name, `${name} and ${fileSetting} are both set; set one of them.`);
      continue;
    }
    try {
      texts[name] = readSecretFile(file);
    } catch (error) {
      if (!(error instanceof SettingFileError)) throw error;
      problems.set(name, `${fileSetting}: ${error.message}.`);
    }
  }
  return { texts, files, problems };
};

/**
 * Reads all variables of a service at once. An empty variable counts as not set; unknown ones are ignored. A secret may
 * be given as a file (`API_KEY_FILE`); the result then holds the file too, for `secretReader`.
 * @throws ConfigurationError
 */
export const readConfiguration = <Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape>,
  environment: Environment,
): z.output<z.ZodObject<Shape>> & SecretFiles => {
  const given = readTexts(schema, environment);
  const result = schema.safeParse(given.texts);
  const problems = (result.error?.issues ?? [])
    // The sentence about the file is sufficient.
    .filter(({ path }) => !given.problems.has(String(path[0] ?? '')))
    .map((issue) => describeProblem(schema, given, issue));
  const all = [...given.problems.values(), ...problems];
  if (result.success && all.length === 0) return { ...result.data, ...given.files };
  throw new ConfigurationError([...new Set(all)]);
};

const describeProblem = (
  schema: z.ZodObject,
  { texts, files }: Given,
  issue: { readonly path: readonly PropertyKey[]; readonly message: string; readonly code?: string },
): string => {
  const name = String(issue.path[0] ?? '');
  const variable = (schema.shape as Record<string, z.ZodType>)[name];
  const meaning = variable && meaningOf(variable);
  // A rule over several variables has its own sentence.
  if (!meaning || (issue.code === 'custom' && isCrossRule(variable, texts[name]))) return issue.message;
  const text = texts[name];
  if (text === undefined) return `${name} is not set; it must be ${meaning.expects}.`;
  if (!meaning.secret) {
    const advice = meaning.advice?.(text);
    const next = advice === undefined ? '' : `: ${advice}`;
    return `${name} must be ${meaning.expects}, not ${JSON.stringify(shorten(text))}${next}.`;
  }
  const file = files[fileSettingOf(name)];
  return `${name}${file === undefined ? '' : ` in the file ${file}`} must be ${meaning.expects}, which it is not.`;
};

const isCrossRule = (variable: z.ZodType, text: string | undefined): boolean => variable.safeParse(text).success;

const shorten = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}...` : text);
