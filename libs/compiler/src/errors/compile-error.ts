import { type ErrorTitle, groupTitles, ruleFooters, ruleGroups, type RuleName, type RuleText } from './rules.js';
import { type Span } from './span.js';
import { filled, type TextValues, type ValuesOf } from './text-values.js';

export interface ErrorParts {
  readonly title?: ErrorTitle;
  readonly message: string;
  /** Undefined: shown at 1:1 without carets (protocol 06 §10.5). */
  readonly span?: Span | undefined;
  readonly footer?: string | undefined;
  readonly rule?: RuleName | undefined;
  readonly values?: TextValues | undefined;
  readonly known?: readonly string[] | undefined;
  readonly stoppedAt?: number | undefined;
}

/** Names that an error knows at most. */
const mostKnown = 1_000;

/** The first error of a source; `formatError` makes the text that clients see (protocol 06 §10.5). */
export class CompileError extends Error {
  readonly title: ErrorTitle;
  readonly span: Span | undefined;
  readonly footer: string | undefined;
  /** The rule that the source breaks; undefined: it does not fit the grammar, or a program around the compiler refuses it. */
  readonly rule: RuleName | undefined;
  /** The values in the text of the rule. */
  readonly values: TextValues;
  /** Names that exist at the place, a built-in function's with its `!`: a hint gives the nearest. */
  readonly known: readonly string[];
  /** Of a text that does not fit the grammar: the furthest position where something else was expected, from 0. */
  readonly stoppedAt: number | undefined;

  constructor(parts: ErrorParts) {
    super(parts.message);
    this.title = parts.title ?? 'Compilation error';
    this.span = parts.span;
    this.footer = parts.footer;
    this.rule = parts.rule;
    this.values = parts.values ?? {};
    this.known = parts.known ?? [];
    this.stoppedAt = parts.stoppedAt;
  }

  private with(parts: Partial<ErrorParts>): CompileError {
    return new CompileError({ ...this, message: this.message, ...parts });
  }

  /** The same error with the names that exist at its place. */
  knowing(names: Iterable<string>): CompileError {
    const known: string[] = [];
    for (const name of names) if (known.push(name) === mostKnown) break;
    return this.with({ known });
  }

  /** The same error at another place, where its source is a part of the compiled one. */
  movedTo(span: Span | undefined): CompileError {
    return this.with({ span });
  }
}

const rows: ReadonlyMap<string, { readonly text: string; readonly title: ErrorTitle }> = new Map(
  Object.entries(ruleGroups).flatMap(([group, texts]) => {
    const title = groupTitles[group as keyof typeof ruleGroups] ?? 'Compilation error';
    return Object.entries(texts).map(([rule, text]: [string, string]) => [rule, { text, title }] as const);
  }),
);

/** The error of a broken rule, with the values that its text names; without a span it is shown at 1:1 without carets. */
export const compileError = <Rule extends RuleName>(
  rule: Rule,
  span: Span | undefined,
  ...[values]: ValuesOf<RuleText<Rule>>
): CompileError => {
  const { text, title } = rows.get(rule)!;
  return new CompileError({ title, message: filled(text, values), span, footer: ruleFooters[rule], rule, values });
};
