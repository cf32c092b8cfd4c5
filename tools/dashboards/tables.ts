import { type DashboardRow, of, type PanelRow, percentile, rate } from './panel.js';

const service = '{{service}}';

const processPanels: readonly PanelRow[] = [
  {
    title: 'Event loop delay, p99',
    about: 'One turn in a hundred comes this late, or later. Above 50 ms answers are late with it.',
    unit: 's',
    thresholds: [0.03, 0.05],
    queries: [{ expr: of('event_loop_delay_p99_seconds'), legend: service }],
  },
  {
    title: 'Memory',
    about: 'Resident memory of the process. It is bounded: it should be flat after some hours.',
    unit: 'bytes',
    queries: [{ expr: of('process_resident_memory_bytes'), legend: service }],
  },
  {
    title: 'Processor',
    about: 'Cores that the process keeps busy. One thread does the work of a group: near 1 it has no more to give.',
    unit: 'short',
    thresholds: [0.8, 1],
    queries: [{ expr: rate('process_cpu_seconds_total', 'service'), legend: service }],
  },
];

const busPanels: readonly PanelRow[] = [
  {
    title: 'Requests over the bus, p95',
    about: 'From asking to the answer, by the service that asks.',
    unit: 's',
    thresholds: [0.1, 1],
    queries: [{ expr: percentile(0.95, 'bus_request_duration_seconds', 'service'), legend: service }],
  },
  {
    title: 'Requests that failed',
    about: 'Answers other than ok, by outcome. `unavailable` is a service that is not there or not ready.',
    unit: 'reqps',
    thresholds: [0.1, 1],
    queries: [
      {
        expr: rate('bus_request_duration_seconds_count', 'service, outcome', ',outcome!="ok"'),
        legend: '{{service}} {{outcome}}',
      },
    ],
  },
  {
    title: 'Messages refused and events dropped',
    about:
      'Services of ours send each other valid messages only: anything here has a cause. Events are dropped while NATS is away.',
    unit: 'ops',
    thresholds: [0.01, 1],
    queries: [
      { expr: rate('bus_messages_refused_total', 'service, reason'), legend: '{{service}} refused: {{reason}}' },
      { expr: rate('bus_publishes_dropped_total', 'service, reason'), legend: '{{service}} dropped: {{reason}}' },
    ],
  },
];

const databasePanels: readonly PanelRow[] = [
  {
    title: 'Statements, p95',
    about: 'With the wait for a connection. Writes go over one connection, that of the writer’s lock.',
    unit: 's',
    thresholds: [0.05, 0.5],
    queries: [{ expr: percentile(0.95, 'database_work_seconds', 'service, kind'), legend: '{{service}} {{kind}}' }],
  },
  {
    title: 'Connections for reads',
    about: 'At work, of those there may be.',
    unit: 'percentunit',
    thresholds: [0.75, 1],
    queries: [{ expr: `${of('database_connections_used')} / ${of('database_connections_limit')}`, legend: service }],
  },
  {
    title: 'Free room on the disk',
    about: 'Where DISK_FOLDER says which disk it is. Full, the group stops until there is room.',
    unit: 'percentunit',
    thresholds: [0.1, 0.15],
    lowIsBad: true,
    queries: [{ expr: `${of('disk_free_bytes')} / ${of('disk_size_bytes')}`, legend: service }],
  },
  {
    title: 'Size of the database',
    about: 'It grows for ever: headers, blocks and events stay.',
    unit: 'bytes',
    queries: [{ expr: of('database_size_bytes'), legend: service }],
  },
  {
    title: 'Statements that wait for a connection',
    about: '0, but for moments. If it lasts, PostgreSQL is slow, hangs, or is asked too much.',
    unit: 'short',
    thresholds: [1, 10],
    queries: [{ expr: of('database_connections_waiting'), legend: service }],
  },
];

const readyPanel = (width: number): PanelRow => ({
  title: 'Ready',
  about: 'What /health/ready says. The reason is there, and at /health/cluster of the gateway.',
  kind: 'stat',
  unit: 'bool_yes_no',
  width,
  thresholds: [1, 1],
  lowIsBad: true,
  queries: [{ expr: of('service_ready'), legend: service }],
});

const overview: DashboardRow = {
  uid: 'overview',
  title: 'Shardnode: overview',
  about: 'The whole network on one page: what is ready, what clients feel, whether blocks are made, who is behind.',
  services: 'group-node-.*|gateway|wallet-service',
  rows: [
    {
      title: 'Is all well?',
      panels: [
        readyPanel(12),
        {
          title: 'Not ready for',
          about: 'How long the longest failing check has failed.',
          kind: 'stat',
          unit: 's',
          width: 12,
          thresholds: [1, 60],
          queries: [{ expr: `max by (service) (${of('service_problem_seconds')})`, legend: service }],
        },
      ],
    },
    {
      title: 'What clients feel',
      panels: [
        {
          title: 'Requests',
          about: 'Answers a second of the API, by status.',
          unit: 'reqps',
          queries: [
            {
              expr: rate('http_request_duration_seconds_count', 'status', ',route!~"/health/.*|/metrics"'),
              legend: '{{status}}',
            },
          ],
        },
        {
          title: 'Answers, p50 and p99',
          about: 'From the request to the end of the answer.',
          unit: 's',
          thresholds: [0.25, 1],
          queries: [
            {
              expr: percentile(0.5, 'http_request_duration_seconds', 'service', ',route!~"/health/.*|/metrics"'),
              legend: '{{service}} p50',
            },
            {
              expr: percentile(0.99, 'http_request_duration_seconds', 'service', ',route!~"/health/.*|/metrics"'),
              legend: '{{service}} p99',
            },
          ],
        },
        {
          title: 'Errors of ours',
          about: 'Share of answers with 5xx. 503 names the group that is away.',
          unit: 'percentunit',
          thresholds: [0.01, 0.05],
          queries: [
            {
              expr: `${rate('http_request_duration_seconds_count', 'service', ',status=~"5..",route!~"/health/.*|/metrics"')} / ${rate('http_request_duration_seconds_count', 'service', ',route!~"/health/.*|/metrics"')}`,
              legend: service,
            },
          ],
        },
      ],
    },
    {
      title: 'Chains',
      panels: [
        {
          title: 'Own blocks made',
          about:
            'Blocks a second of each group. With MINING=instant one comes every ten seconds also when nobody sends.',
          unit: 'ops',
          queries: [{ expr: rate('group_node_blocks_stored_total', 'service', ',role="own"'), legend: service }],
        },
        {
          title: 'Behind its siblings for',
          about: 'The longest time for which something of a sibling has been missing. Seconds under load are nothing.',
          unit: 's',
          thresholds: [10, 30],
          queries: [{ expr: `max by (service) (${of('group_node_sibling_lag_seconds')})`, legend: service }],
        },
        {
          title: 'Pending transactions',
          about: 'Of the pool of each group.',
          unit: 'percentunit',
          thresholds: [0.5, 0.8],
          queries: [
            {
              expr: `${of('group_node_mempool_transactions')} / ${of('group_node_mempool_capacity')}`,
              legend: service,
            },
          ],
        },
      ],
    },
    { title: 'Processes', panels: processPanels },
  ],
};

const groupNode: DashboardRow = {
  uid: 'group-node',
  title: 'Shardnode: group-nodes',
  about: 'One group or several: its chains, its import, its siblings, its pool, its database.',
  services: 'group-node-.*',
  rows: [
    {
      title: 'State',
      panels: [
        readyPanel(8),
        {
          title: 'Clock against siblings',
          about: 'Our clock minus that of each sibling. From 5 s against two of them on, the group stops.',
          unit: 's',
          thresholds: [2, 5],
          queries: [{ expr: of('group_node_clock_offset_seconds'), legend: '{{service}} to group {{sibling}}' }],
        },
        {
          title: 'Blocks behind each sibling',
          about: 'Blocks that a sibling has told of and that are missing here.',
          unit: 'short',
          thresholds: [20, 100],
          queries: [{ expr: of('group_node_sibling_lag_blocks'), legend: '{{service}} to group {{sibling}}' }],
        },
      ],
    },
    {
      title: 'Chains',
      panels: [
        {
          title: 'Heights',
          about: 'Of all 16 chains, as the chosen groups see them.',
          unit: 'short',
          width: 12,
          queries: [{ expr: of('group_node_chain_height'), legend: '{{service}}: {{from}} → {{to}}' }],
        },
        {
          title: 'Tips',
          about: 'Chains with more than one tip. For moments that is usual.',
          unit: 'short',
          width: 6,
          thresholds: [2, 5],
          queries: [{ expr: `${of('group_node_chain_tips')} > 1`, legend: '{{service}}: {{from}} → {{to}}' }],
        },
        {
          title: 'Reorganisations',
          about: 'In the last five minutes, and blocks left behind by the deepest twentieth of them.',
          unit: 'short',
          width: 6,
          queries: [
            {
              expr: `sum by (service) (increase(group_node_reorganisation_depth_blocks_count{service=~"$service"}[5m]))`,
              legend: '{{service}}',
            },
            {
              expr: `histogram_quantile(0.95, sum by (le, service) (increase(group_node_reorganisation_depth_blocks_bucket{service=~"$service"}[5m])))`,
              legend: '{{service}} depth p95',
            },
          ],
        },
      ],
    },
    {
      title: 'Import',
      panels: [
        {
          title: 'Steps of the import, p95',
          about:
            'Where the time of a block goes: wait for the writer, rules of header and body, execution, commit, publishing.',
          unit: 's',
          width: 12,
          thresholds: [0.1, 0.5],
          queries: [{ expr: percentile(0.95, 'group_node_import_stage_seconds', 'stage'), legend: '{{stage}}' }],
        },
        {
          title: 'Blocks and headers stored',
          about: 'By their role: own chains, incoming bodies, headers of others.',
          unit: 'ops',
          width: 6,
          queries: [{ expr: rate('group_node_blocks_stored_total', 'role'), legend: '{{role}}' }],
        },
        {
          title: 'Refused',
          about: 'By the rule that was broken. Services of ours send valid things only.',
          unit: 'ops',
          width: 6,
          thresholds: [0.001, 1],
          queries: [{ expr: rate('group_node_blocks_refused_total', 'service, rule'), legend: '{{service}} {{rule}}' }],
        },
        {
          title: 'Tasks that wait for the writer',
          about: 'One thing is done at a time. 20,000 is the limit, then requests get 503.',
          unit: 'short',
          thresholds: [100, 1_000],
          queries: [{ expr: of('group_node_queue_length'), legend: service }],
        },
        {
          title: 'Wait for the writer, p95',
          about: 'By task.',
          unit: 's',
          thresholds: [0.1, 1],
          queries: [{ expr: percentile(0.95, 'group_node_queue_wait_seconds', 'task'), legend: '{{task}}' }],
        },
        {
          title: 'Time of the writer',
          about: 'Share of its time by task. Together near 1, the group is at its limit.',
          unit: 'percentunit',
          thresholds: [0.7, 0.95],
          queries: [{ expr: rate('group_node_task_seconds_sum', 'service, task'), legend: '{{service}} {{task}}' }],
        },
      ],
    },
    {
      title: 'Pool and store',
      panels: [
        {
          title: 'Pending transactions',
          about: 'Outgoing and incoming.',
          unit: 'short',
          queries: [{ expr: of('group_node_mempool_transactions'), legend: service }],
        },
        {
          title: 'Oldest pending transaction',
          about: 'Two hours is the end: then it leaves with the reason Expired.',
          unit: 's',
          thresholds: [600, 3_600],
          queries: [{ expr: of('group_node_mempool_oldest_seconds'), legend: service }],
        },
        {
          title: 'Blocks that wait for dependencies',
          about: 'Some, for moments. If they stay, something is missing that nobody has.',
          unit: 'short',
          thresholds: [10, 500],
          queries: [{ expr: of('group_node_buffered_blocks'), legend: service }],
        },
        {
          title: 'Pruning',
          about: 'Trie nodes that go, a second.',
          unit: 'ops',
          queries: [{ expr: rate('group_node_pruned_nodes_total', 'service'), legend: service }],
        },
        {
          title: 'Followers of the feed: what they did not get',
          about: 'Pulls refused, by limit, and announcements given up, a second. Followers ask again.',
          unit: 'ops',
          queries: [
            { expr: rate('group_node_feed_refused_total', 'service, limit'), legend: '{{service}} {{limit}}' },
            { expr: rate('group_node_feed_dropped_total', 'service'), legend: '{{service}} dropped' },
          ],
        },
        {
          title: 'Heights that pruning is behind',
          about:
            'And what they wait for: `chain` is an own chain that stands still, `at-work` their turn. See operations.md.',
          unit: 'short',
          queries: [{ expr: `${of('group_node_pruning_behind_heights')} > 0`, legend: '{{service}} {{reason}}' }],
        },
        {
          title: 'Pruning horizon below the tip',
          about: 'Intra-group heights whose state can be read.',
          unit: 'short',
          queries: [
            {
              expr: `${of('group_node_intra_group_height')} - ${of('group_node_pruning_horizon_height')}`,
              legend: service,
            },
          ],
        },
      ],
    },
    { title: 'Database', panels: databasePanels },
    { title: 'Process', panels: processPanels },
  ],
};

const gateway: DashboardRow = {
  uid: 'gateway',
  title: 'Shardnode: gateway',
  about: 'The API by route, and what stands behind it.',
  services: 'gateway.*',
  rows: [
    {
      title: 'API',
      panels: [
        readyPanel(4),
        {
          title: 'Requests by status',
          about: 'Answers a second.',
          unit: 'reqps',
          width: 10,
          queries: [{ expr: rate('http_request_duration_seconds_count', 'status'), legend: '{{status}}' }],
        },
        {
          title: 'Refused for their rate',
          about: '429: more than RATE_LIMIT, or too many wrong passwords.',
          unit: 'reqps',
          width: 10,
          queries: [
            { expr: rate('http_request_duration_seconds_count', 'route', ',status="429"'), legend: '{{route}}' },
          ],
        },
        {
          title: 'Busiest routes',
          about: 'The ten with the most requests.',
          unit: 'reqps',
          queries: [
            {
              expr: `topk(10, ${rate('http_request_duration_seconds_count', 'method, route')})`,
              legend: '{{method}} {{route}}',
            },
          ],
        },
        {
          title: 'Slowest routes, p95',
          about: 'The ten that take longest.',
          unit: 's',
          thresholds: [0.5, 2],
          queries: [
            {
              expr: `topk(10, ${percentile(0.95, 'http_request_duration_seconds', 'method, route')})`,
              legend: '{{method}} {{route}}',
            },
          ],
        },
        {
          title: 'Errors by route',
          about: '5xx a second. 503 names the group that is away.',
          unit: 'reqps',
          thresholds: [0.01, 1],
          queries: [
            {
              expr: rate('http_request_duration_seconds_count', 'route, status', ',status=~"5.."'),
              legend: '{{status}} {{route}}',
            },
          ],
        },
      ],
    },
    {
      title: 'Cache',
      panels: [
        {
          title: 'Hits',
          about: 'Share of reads that were answered from memory, or from Redis (`shared`).',
          unit: 'percentunit',
          queries: [
            {
              expr: `${rate('cache_reads_total', 'cache', ',outcome="hit"')} / ${rate('cache_reads_total', 'cache')}`,
              legend: '{{cache}}',
            },
          ],
        },
        {
          title: 'Failures',
          about: 'Calls that were not carried out. Nothing fails for clients: answers take longer.',
          unit: 'ops',
          thresholds: [0.1, 10],
          queries: [{ expr: rate('cache_failures_total', 'cache, reason'), legend: '{{cache}} {{reason}}' }],
        },
        {
          title: 'Redis can be reached',
          about: 'Without it each gateway counts requests for itself.',
          kind: 'stat',
          unit: 'bool_yes_no',
          thresholds: [1, 1],
          lowIsBad: true,
          queries: [{ expr: of('cache_reachable', ',cache="shared"'), legend: service }],
        },
      ],
    },
    { title: 'Bus', panels: busPanels },
    { title: 'Process', panels: processPanels },
  ],
};

const walletService: DashboardRow = {
  uid: 'wallet-service',
  title: 'Shardnode: wallet-service',
  about: 'The keeper of keys: what it is asked, what it asks, its database.',
  services: 'wallet-service.*',
  rows: [
    {
      title: 'State',
      panels: [
        readyPanel(8),
        {
          title: 'Asked by gateways, p95',
          about: 'Requests about wallets, by kind. Passwords take a third of a second each.',
          unit: 's',
          width: 16,
          thresholds: [1, 5],
          queries: [
            {
              expr: 'histogram_quantile(0.95, sum by (le, subject) (rate(bus_request_duration_seconds_bucket{subject=~"rpc.wallet.*"}[$__rate_interval])))',
              legend: '{{subject}}',
            },
          ],
        },
      ],
    },
    {
      title: 'What it asks group-nodes',
      panels: [
        ...busPanels,
        {
          title: 'Not signed',
          about: 'Transactions that a group-node built and nobody asked for, by the part that differs. 0, always.',
          unit: 'ops',
          thresholds: [0.001, 0.001],
          queries: [{ expr: rate('wallet_service_signing_refused_total', 'part'), legend: '{{part}}' }],
        },
      ],
    },
    { title: 'Database', panels: databasePanels },
    { title: 'Process', panels: processPanels },
  ],
};

const explorer: DashboardRow = {
  uid: 'explorer',
  title: 'Shardnode: explorer',
  about: 'How far the index is, what it costs to keep it, and what clients of its API feel.',
  services: 'explorer.*',
  rows: [
    {
      title: 'The index',
      panels: [
        readyPanel(8),
        {
          title: 'Behind the group-nodes',
          about: 'Blocks that a group-node has and the index has not, of the chain that is furthest behind. 0 to 2.',
          unit: 'short',
          thresholds: [10, 100],
          queries: [{ expr: `max by (service) (${of('explorer_chain_lag_blocks')})`, legend: service }],
        },
        {
          title: 'Heights',
          about: 'Newest applied block of each chain. All of them grow.',
          unit: 'short',
          queries: [{ expr: of('explorer_chain_height'), legend: '{{chain_from}} -> {{chain_to}}' }],
        },
        {
          title: 'Blocks applied or undone, p95',
          about: 'A database transaction: mostly one block, up to 500 while it catches up.',
          unit: 's',
          thresholds: [0.1, 1],
          queries: [{ expr: percentile(0.95, 'explorer_apply_seconds', 'service'), legend: service }],
        },
        {
          title: 'Undone blocks, failed pulls, dependencies given up',
          about: 'One undone block now and then is ordinary. Pulls fail while a group-node is away.',
          unit: 'ops',
          thresholds: [1, 10],
          queries: [
            { expr: rate('explorer_undo_total', 'service'), legend: 'undone' },
            { expr: rate('explorer_pull_errors_total', 'service'), legend: 'pulls' },
            { expr: rate('explorer_dependency_waits_expired_total', 'service'), legend: 'dependencies' },
          ],
        },
        {
          title: 'Clients of the live stream',
          about: 'Beyond STREAM_MAX_CLIENTS of a process clients are refused, and poll.',
          unit: 'short',
          queries: [{ expr: of('explorer_stream_clients'), legend: 'clients' }],
        },
        {
          title: 'Found by the supply audit',
          about: '0 always. Else a block breaks a rule: see the runbook of SupplyAuditFailed.',
          unit: 'short',
          thresholds: [1, 1],
          queries: [{ expr: of('explorer_audit_findings'), legend: service }],
        },
        {
          title: 'Not audited yet',
          about: 'Applied blocks that the supply audit has not judged. A few; after a first sync it catches up slowly.',
          unit: 'short',
          thresholds: [100, 10_000],
          queries: [{ expr: of('explorer_audit_lag_blocks'), legend: service }],
        },
        {
          title: 'Unresolved and conflicting inputs',
          about: '0, but for moments around a reorganisation.',
          unit: 'short',
          thresholds: [1, 100],
          queries: [
            { expr: of('explorer_unresolved_inputs'), legend: 'unresolved' },
            { expr: of('explorer_conflict_inputs'), legend: 'conflicting' },
          ],
        },
      ],
    },
    {
      title: 'API',
      panels: [
        {
          title: 'Answers, p95',
          about: 'By route. Lists with a cursor take some milliseconds at any depth.',
          unit: 's',
          thresholds: [0.1, 1],
          queries: [{ expr: percentile(0.95, 'http_request_duration_seconds', 'route'), legend: '{{route}}' }],
        },
      ],
    },
    { title: 'Bus', panels: busPanels },
    { title: 'Database', panels: databasePanels },
    { title: 'Process', panels: processPanels },
  ],
};

const servers: DashboardRow = {
  uid: 'servers',
  title: 'Shardnode: bus, databases, Redis',
  about: 'NATS, PostgreSQL and Redis as the services feel them.',
  services: 'group-node-.*|gateway|wallet-service',
  rows: [
    {
      title: 'Can they be reached?',
      panels: [
        {
          title: 'NATS',
          about: 'Whether each service has its connection.',
          kind: 'stat',
          unit: 'bool_yes_no',
          thresholds: [1, 1],
          lowIsBad: true,
          queries: [{ expr: of('bus_connected'), legend: service }],
        },
        {
          title: 'PostgreSQL',
          about: 'Whether each service can write: its database answers, and it holds the writer’s lock.',
          kind: 'stat',
          unit: 'bool_yes_no',
          thresholds: [1, 1],
          lowIsBad: true,
          queries: [{ expr: of('database_reachable'), legend: service }],
        },
        {
          title: 'Redis',
          about: 'Nothing fails without it.',
          kind: 'stat',
          unit: 'bool_yes_no',
          thresholds: [1, 1],
          lowIsBad: true,
          queries: [{ expr: of('cache_reachable', ',cache="shared"'), legend: service }],
        },
      ],
    },
    {
      title: 'Bus',
      panels: [
        ...busPanels,
        {
          title: 'Slowest subjects, p95',
          about: 'The ten that take longest to answer.',
          unit: 's',
          width: 16,
          thresholds: [0.25, 1],
          queries: [
            { expr: `topk(10, ${percentile(0.95, 'bus_request_duration_seconds', 'subject')})`, legend: '{{subject}}' },
          ],
        },
        {
          title: 'Connections that came back',
          about: 'In the last five minutes.',
          unit: 'short',
          thresholds: [1, 5],
          queries: [{ expr: `increase(${of('bus_reconnects_total')}[5m])`, legend: service }],
        },
      ],
    },
    { title: 'Databases', panels: databasePanels },
  ],
};

export const dashboards: readonly DashboardRow[] = [overview, groupNode, gateway, walletService, explorer, servers];
