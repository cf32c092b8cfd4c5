import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse, stringify } from 'yaml';

const root = fileURLToPath(new URL('../../', import.meta.url));
export const alertsFile = `${root}k8s/monitoring/alerts.yaml`;

/** The alert rules as the Prometheus operator takes them: the same text around the same rules. */
export const renderAlerts = (): string => {
  const { groups } = parse(readFileSync(`${root}observability/alerts.yml`, 'utf8')) as { groups: unknown };
  const rule = {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PrometheusRule',
    metadata: { name: 'shardnode' },
    spec: { groups },
  };
  return `# Made from observability/alerts.yml by \`npm run k8s alerts\`; a test fails when it is stale.\n${stringify(rule, { lineWidth: 0, singleQuote: true })}`;
};
