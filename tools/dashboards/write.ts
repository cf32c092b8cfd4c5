import { writeFileSync } from 'node:fs';
import { renderDashboard } from './render.js';
import { dashboards } from './tables.js';

for (const dashboard of dashboards) {
  const file = new URL(`../../observability/grafana/dashboards/${dashboard.uid}.json`, import.meta.url);
  writeFileSync(file, renderDashboard(dashboard));
}
