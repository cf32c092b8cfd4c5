import { parseArgs } from 'node:util';
import { UsageError } from './command.js';

type Options = Readonly<Record<string, { readonly type: 'string' | 'boolean' }>>;

type Values<Given extends Options> = {
  readonly [Name in keyof Given]?: Given[Name]['type'] extends 'boolean' ? boolean : string;
};

/**
 * Parses options and operands of a command. Every operand is required, and no other is allowed.
 * @throws UsageError
 */
export const parseWords = <Given extends Options, Operand extends string = never>(
  words: readonly string[],
  options: Given,
  operands: readonly Operand[] = [],
): Values<Given> & Readonly<Record<Operand, string>> => {
  const parsed = parsedBy(words, options);
  const given = parsed.positionals;
  const missing = operands[given.length];
  if (missing !== undefined) throw new UsageError(`${missing} is missing.`);
  if (given.length > operands.length) throw new UsageError(`${JSON.stringify(given[operands.length])} is too much.`);
  const named = Object.fromEntries(operands.map((operand, i) => [operand, given[i]])) as Record<Operand, string>;
  return { ...(parsed.values as Values<Given>), ...named };
};

const parsedBy = (words: readonly string[], options: Options) => {
  try {
    return parseArgs({ args: [...words], options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
};

/** The number of a group. @throws UsageError */
export const readGroup = (text: string | undefined, groups: number): number | undefined => {
  if (text === undefined) return undefined;
  const group = Number(text);
  if (!/^\d+$/.test(text) || group >= groups) {
    throw new UsageError(`--group must be a number from 0 to ${groups - 1}, not ${JSON.stringify(text)}.`);
  }
  return group;
};
