import { type ErrorTitle, groupTitles, ruleFooters, ruleGroups, type RuleName, type RuleText } from './rules.js';
import { type Span } from './span.js';
import { filled, type ValuesOf } from './text-values.js';

export interface ErrorParts {
  readonly title?: ErrorTitle;
  readonly message: string;
  /** Undefined: shown at 1:1 without carets (protocol 06 §10.5). */
  readonly span?: Span | undefined;
  readonly footer?: string | undefined;
  readonly rule?: RuleName | undefined;
}

/** The first error of a source; `formatError` makes the text that clients see (protocol 06 §10.5). */
export class CompileError extends Error {
  readonly title: ErrorTitle;
  readonly span: Span | undefined;
  readonly footer: string | undefined;
  /** The rule that the source breaks; undefined: it does not fit the grammar, or a program around the compiler refuses it. */
  readonly rule: RuleName | undefined;

  constructor({ title = 'Compilation error', message, span, footer, rule }: ErrorParts) {
    super(message);
    this.title = title;
    this.span = span;
    this.footer = footer;
    this.rule = rule;
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
  return new CompileError({ title, message: filled(text, values), span, footer: ruleFooters[rule], rule });
};
