/** Units as Grafana names them. */
type Unit = 's' | 'short' | 'reqps' | 'ops' | 'bytes' | 'percentunit' | 'bool_yes_no' | 'none';

interface Query {
  readonly expr: string;
  /** `{{service}}`; default: all labels. */
  readonly legend?: string;
}

export interface PanelRow {
  readonly title: string;
  /** Content of the panel, and good values. */
  readonly about: string;
  readonly kind?: 'timeseries' | 'stat' | 'table';
  readonly unit: Unit;
  /** Of 24 columns; default 8. */
  readonly width?: number;
  /** Yellow from the first value, red from the second; with `lowIsBad` below them. */
  readonly thresholds?: readonly [warn: number, bad: number];
  /** 1 is good and 0 is bad. */
  readonly lowIsBad?: boolean;
  readonly queries: readonly Query[];
}

export interface DashboardRow {
  /** Name of the file, and of the dashboard in addresses. */
  readonly uid: string;
  readonly title: string;
  readonly about: string;
  /** Services that can be chosen, as an expression of Prometheus labels. */
  readonly services: string;
  readonly rows: readonly { readonly title: string; readonly panels: readonly PanelRow[] }[];
}

/** A percentile of a histogram of the chosen services, by labels. */
export const percentile = (share: number, histogram: string, by: string, filter = ''): string =>
  `histogram_quantile(${share}, sum by (le, ${by}) (rate(${histogram}_bucket{service=~"$service"${filter}}[$__rate_interval])))`;

/** Events a second of a counter of the chosen services, by labels. */
export const rate = (counter: string, by: string, filter = ''): string =>
  `sum by (${by}) (rate(${counter}{service=~"$service"${filter}}[$__rate_interval]))`;

export const of = (gauge: string, filter = ''): string => `${gauge}{service=~"$service"${filter}}`;
