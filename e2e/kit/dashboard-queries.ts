import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../../observability/grafana/dashboards', import.meta.url));

interface DashboardFile {
  readonly uid: string;
  readonly panels: readonly { readonly targets?: readonly { readonly expr: string }[] }[];
  readonly templating: { readonly list: readonly { readonly name: string; readonly allValue?: string }[] };
}

/** Expressions of a dashboard as Grafana sends them when everything is chosen. */
export interface DashboardQueries {
  readonly dashboard: string;
  readonly expressions: readonly string[];
}

const queriesOf = ({ uid, panels, templating }: DashboardFile): DashboardQueries => {
  const all = templating.list.find(({ name }) => name === 'service')?.allValue ?? '.*';
  const filled = (expr: string): string =>
    expr.replaceAll(/\$\{?service(:\w+)?\}?/g, all).replaceAll('$__rate_interval', '1m');
  const expressions = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => filled(expr)));
  return { dashboard: uid, expressions };
};

/** Of the files that Grafana is given. */
export const dashboardQueries = (): readonly DashboardQueries[] =>
  readdirSync(folder).map((name) => queriesOf(JSON.parse(readFileSync(join(folder, name), 'utf8')) as DashboardFile));
