import { type DashboardRow, type PanelRow } from './panel.js';

const datasource = { type: 'prometheus', uid: '${datasource}' };
const columns = 24;
const heights = { timeseries: 8, stat: 5, table: 8 } as const;

const steps = ({ thresholds, lowIsBad = false }: PanelRow): object[] => {
  if (!thresholds) return [{ color: 'green', value: null }];
  const [warn, bad] = thresholds;
  if (lowIsBad)
    return [
      { color: 'red', value: null },
      { color: 'green', value: bad },
    ];
  return [
    { color: 'green', value: null },
    { color: 'yellow', value: warn },
    { color: 'red', value: bad },
  ];
};

const targets = ({ queries, kind }: PanelRow): object[] =>
  queries.map(({ expr, legend }, index) => ({
    datasource,
    refId: String.fromCodePoint(65 + index),
    expr,
    legendFormat: legend ?? '__auto',
    ...(kind === 'stat' ? { instant: true } : { range: true }),
  }));

const optionsOf = (kind: 'timeseries' | 'stat' | 'table'): object =>
  kind === 'stat'
    ? {
        colorMode: 'background',
        graphMode: 'none',
        reduceOptions: { calcs: ['lastNotNull'] },
        textMode: 'value_and_name',
      }
    : { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi', sort: 'desc' } };

const panelOf = (panel: PanelRow, id: number, place: object): object => {
  const { title, about, unit, kind = 'timeseries', thresholds } = panel;
  return {
    id,
    type: kind,
    title,
    description: about,
    datasource,
    gridPos: place,
    targets: targets(panel),
    options: optionsOf(kind),
    fieldConfig: {
      defaults: {
        unit,
        // A clock may be behind.
        ...(unit === 's' && title.startsWith('Clock') ? {} : { min: 0 }),
        thresholds: { mode: 'absolute', steps: steps(panel) },
        ...(kind === 'stat'
          ? { color: { mode: 'thresholds' } }
          : {
              color: { mode: 'palette-classic' },
              custom: {
                lineWidth: 1,
                fillOpacity: 8,
                showPoints: 'never',
                spanNulls: false,
                thresholdsStyle: { mode: thresholds ? 'dashed' : 'off' },
              },
            }),
      },
      overrides: [],
    },
  };
};

const panelsOf = ({ rows }: DashboardRow): object[] => {
  const made: object[] = [];
  let y = 0;
  for (const { title, panels } of rows) {
    made.push({
      id: made.length + 1,
      type: 'row',
      title,
      collapsed: false,
      gridPos: { h: 1, w: columns, x: 0, y: y++ },
      panels: [],
    });
    let x = 0;
    let lineHeight = 0;
    for (const panel of panels) {
      const { width: w = 8, kind = 'timeseries' } = panel;
      if (x + w > columns) {
        x = 0;
        y += lineHeight;
        lineHeight = 0;
      }
      const h = heights[kind];
      made.push(panelOf(panel, made.length + 1, { h, w, x, y }));
      x += w;
      lineHeight = Math.max(lineHeight, h);
    }
    y += lineHeight;
  }
  return made;
};

const variables = ({ services }: DashboardRow): object[] => [
  { name: 'datasource', label: 'Prometheus', type: 'datasource', query: 'prometheus', hide: 0 },
  {
    name: 'service',
    label: 'Service',
    type: 'query',
    datasource,
    query: { query: `label_values(service_info{service=~"${services}"}, service)`, refId: 'service' },
    refresh: 2,
    sort: 1,
    multi: true,
    includeAll: true,
    allValue: services,
    current: { text: 'All', value: '$__all' },
  },
];

/** A dashboard as Grafana reads it from a file. */
export const renderDashboard = (dashboard: DashboardRow): string => {
  const { uid, title, about } = dashboard;
  const model = {
    uid: `shardnode-${uid}`,
    title,
    description: about,
    tags: ['shardnode'],
    schemaVersion: 39,
    editable: true,
    graphTooltip: 1,
    refresh: '10s',
    time: { from: 'now-1h', to: 'now' },
    links: [
      {
        type: 'dashboards',
        tags: ['shardnode'],
        title: 'Shardnode',
        asDropdown: true,
        includeVars: false,
        keepTime: true,
        icon: 'external link',
        tooltip: 'The other dashboards of the network',
        targetBlank: false,
      },
    ],
    templating: { list: variables(dashboard) },
    panels: panelsOf(dashboard),
  };
  return `${JSON.stringify(model, undefined, 2)}\n`;
};
