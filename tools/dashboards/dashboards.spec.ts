import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { metricTable } from '../docs/metrics-page.js';
import { readExpression } from './promql.js';
import { renderDashboard } from './render.js';
import { dashboards } from './tables.js';

const folder = new URL('../../observability/', import.meta.url);
const table = new Map(metricTable().map((row) => [row.name, row]));

/** Of every target: what the scrape itself adds, and the client library's own metrics. */
const labelsOfAll = ['service', 'instance', 'job'];
const others: Readonly<Record<string, readonly string[]>> = {
  up: [],
  process_resident_memory_bytes: [],
  process_cpu_seconds_total: [],
};

const labelsOf = (metric: string): readonly string[] | undefined => {
  const base = metric.replace(/_(bucket|sum|count)$/, '');
  const row = table.get(metric) ?? table.get(base);
  if (!row) return others[metric] && [...others[metric], ...labelsOfAll];
  if (row.name !== metric && row.type !== 'histogram') return undefined;
  return [...row.labels, ...labelsOfAll, ...(metric.endsWith('_bucket') ? ['le'] : [])];
};

/** Names in an expression that no service has. */
const unknownNames = (expression: string): string[] => {
  const { selected, grouping } = readExpression(expression);
  expect(selected.length).toBeGreaterThan(0);
  const wrong = selected.flatMap(({ metric, labels }) => {
    const known = labelsOf(metric);
    if (!known) return [`no metric ${metric}`];
    return labels.filter((label) => !known.includes(label)).map((label) => `${metric} has no label ${label}`);
  });
  const everywhere = selected.flatMap(({ metric }) => labelsOf(metric) ?? []);
  return [...wrong, ...grouping.filter((label) => !everywhere.includes(label)).map((label) => `no label ${label}`)];
};

it('the check finds what is wrong', () => {
  expect(unknownNames('rate(nothing_total[5m])')).toEqual(['no metric nothing_total']);
  expect(unknownNames('sum by (color) (bus_connected{subject="x"})')).toEqual([
    'bus_connected has no label subject',
    'no label color',
  ]);
  expect(unknownNames('bus_connected_count')).toEqual(['no metric bus_connected_count']);
  expect(() => readExpression('sum(rate(bus_connected[5m])')).toThrow('no PromQL');
  expect(() => readExpression('bus_connected ==')).toThrow('no PromQL');
});

describe.each(dashboards.map((dashboard) => [dashboard.uid, dashboard] as const))('dashboard %s', (uid, dashboard) => {
  it('is what `npm run docs:dashboards` writes', () => {
    const file = new URL(`grafana/dashboards/${uid}.json`, folder);
    expect(readFileSync(file, 'utf8')).toBe(renderDashboard(dashboard));
  });

  it('names metrics and labels that there are', () => {
    const panels = dashboard.rows.flatMap(({ panels: all }) => all);
    expect(panels.flatMap(({ queries }) => queries.flatMap(({ expr }) => unknownNames(expr)))).toEqual([]);
    for (const { about, title } of panels) expect([title, about.length > 5]).toEqual([title, true]);
  });
});

it('there are no other dashboards', () => {
  const names = readdirSync(new URL('grafana/dashboards', folder)).sort();
  expect(names).toEqual(dashboards.map(({ uid }) => `${uid}.json`).sort());
});

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: Readonly<Record<string, string>>;
}

describe('alerts', () => {
  const file = parse(readFileSync(new URL('alerts.yml', folder), 'utf8')) as { groups: { rules: Rule[] }[] };
  const rules = file.groups.flatMap(({ rules: all }) => all);

  it('are at least ten, each named once', () => {
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
    expect(rules.length).toBeGreaterThanOrEqual(10);
  });

  it.each(rules.map((rule) => [rule.alert, rule] as const))('%s says what to do, about what there is', (name, rule) => {
    expect(unknownNames(rule.expr)).toEqual([]);
    expect(['critical', 'warning']).toContain(rule.labels.severity);
    expect(Object.keys(rule.annotations).sort()).toEqual(['description', 'runbook', 'summary']);
    expect(rule.annotations['runbook']).toBe(`docs/operations.md#alert-${name.toLowerCase()}`);
  });
});

it('every metric of ours is looked at by a dashboard or an alert, or named here with its reason', () => {
  const read = [
    ...dashboards.flatMap(({ rows }) =>
      rows.flatMap(({ panels }) => panels.flatMap(({ queries }) => queries.map(({ expr }) => expr))),
    ),
    ...(parse(readFileSync(new URL('alerts.yml', folder), 'utf8')) as { groups: { rules: Rule[] }[] }).groups.flatMap(
      ({ rules }) => rules.map(({ expr }) => expr),
    ),
  ].flatMap((expression) =>
    readExpression(expression).selected.map(({ metric }) => metric.replace(/_(bucket|sum|count)$/, '')),
  );
  // service_info: the variables of the dashboards. The others: for a closer look, by hand.
  const byHand = [
    'database_connections_idle',
    'event_loop_delay_max_seconds',
    'group_node_pruning_seconds',
    'group_node_sibling_silence_seconds',
    'service_info',
  ];
  expect([...table.keys()].filter((name) => !read.includes(name)).sort()).toEqual(byHand);
});
