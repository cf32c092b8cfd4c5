import { parser } from '@prometheus-io/lezer-promql';

/** A metric that an expression names, with the labels that it filters by. */
interface Selected {
  readonly metric: string;
  readonly labels: readonly string[];
}

export interface ReadExpression {
  readonly selected: readonly Selected[];
  /** Labels of `by`, `on` and the like. */
  readonly grouping: readonly string[];
}

/** Replaces Grafana's variables. */
const filled = (expression: string): string =>
  expression.replaceAll('$__rate_interval', '1m').replaceAll(/\$\{?\w+\}?/g, 'x');

/** The names in a PromQL expression. @throws Error for one that does not parse, with the place */
export const readExpression = (expression: string): ReadExpression => {
  const text = filled(expression);
  const selected: { metric: string; labels: string[] }[] = [];
  const grouping: string[] = [];
  parser.parse(text).iterate({
    enter: ({ type, name, from, to, node }) => {
      if (type.isError) throw new Error(`no PromQL at ${from}: ${text.slice(0, from)} >>> ${text.slice(from)}`);
      const word = text.slice(from, to);
      if (name === 'VectorSelector') selected.push({ metric: '', labels: [] });
      else if (name === 'Identifier' && node.parent?.name === 'VectorSelector') selected.at(-1)!.metric = word;
      else if (name === 'LabelName' && node.parent?.name === 'GroupingLabels') grouping.push(word);
      else if (name === 'LabelName') selected.at(-1)!.labels.push(word);
    },
  });
  return { selected, grouping };
};
