/**
 * Kinds of other projects, from their documentation: the Prometheus operator's ServiceMonitor and PrometheusRule
 * (monitoring.coreos.com/v1), External Secrets' ExternalSecret (external-secrets.io/v1). Only the fields that we have a use
 * for: every other one is refused.
 */
const text = { type: 'string', minLength: 1 };
const duration = { type: 'string', pattern: '^([0-9]+(ms|s|m|h|d|w|y))+$' };
const labels = { type: 'object', additionalProperties: { type: 'string' } };

const object = (properties: Readonly<Record<string, object>>, required: readonly string[] = []) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

const list = (items: object) => ({ type: 'array', items, minItems: 1 });

const metadata = object({ name: text, namespace: text, labels, annotations: labels }, ['name']);

const kind = (apiVersion: string, name: string, spec: object) =>
  object({ apiVersion: { const: apiVersion }, kind: { const: name }, metadata, spec }, [
    'apiVersion',
    'kind',
    'metadata',
    'spec',
  ]);

const selector = object({
  matchLabels: labels,
  matchExpressions: list(
    object({ key: text, operator: { enum: ['In', 'NotIn', 'Exists', 'DoesNotExist'] }, values: list(text) }, [
      'key',
      'operator',
    ]),
  ),
});

const endpoint = object(
  {
    port: text,
    path: text,
    scheme: { enum: ['http', 'https'] },
    interval: duration,
    scrapeTimeout: duration,
    honorLabels: { type: 'boolean' },
  },
  ['port'],
);

const rule = object(
  { alert: text, record: text, expr: text, for: duration, keep_firing_for: duration, labels, annotations: labels },
  ['expr'],
);

const alertRules = object({
  groups: list(
    object({ name: text, interval: duration, limit: { type: 'integer' }, labels, rules: list(rule) }, [
      'name',
      'rules',
    ]),
  ),
});

const remote = object({ key: text, property: text, version: text }, ['key']);

const externalSecret = object(
  {
    refreshPolicy: { enum: ['CreatedOnce', 'Periodic', 'OnChange'] },
    refreshInterval: duration,
    secretStoreRef: object({ kind: { enum: ['SecretStore', 'ClusterSecretStore'] }, name: text }, ['name']),
    target: object({
      name: text,
      creationPolicy: { enum: ['Owner', 'Orphan', 'Merge', 'None'] },
      deletionPolicy: { enum: ['Delete', 'Merge', 'Retain'] },
    }),
    data: list(object({ secretKey: text, remoteRef: remote }, ['secretKey', 'remoteRef'])),
  },
  ['secretStoreRef', 'data'],
);

/** By apiVersion and kind. */
export const foreignSchemas: Readonly<Record<string, object>> = {
  'monitoring.coreos.com/v1 ServiceMonitor': kind(
    'monitoring.coreos.com/v1',
    'ServiceMonitor',
    object(
      {
        jobLabel: text,
        selector,
        namespaceSelector: object({ any: { type: 'boolean' }, matchNames: list(text) }),
        endpoints: list(endpoint),
      },
      ['selector', 'endpoints'],
    ),
  ),
  'monitoring.coreos.com/v1 PrometheusRule': kind('monitoring.coreos.com/v1', 'PrometheusRule', alertRules),
  'external-secrets.io/v1 ExternalSecret': kind('external-secrets.io/v1', 'ExternalSecret', externalSecret),
};
