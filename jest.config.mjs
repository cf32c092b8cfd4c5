import { mkdirSync } from 'node:fs';

// Of `--outputFile`, whose folder Jest does not make.
mkdirSync(new URL('node_modules/.cache/test-reports/', import.meta.url), { recursive: true });

/** TypeScript as tsconfig.base.json says; types are checked by the target `typecheck`. */
const swc = {
  jsc: {
    target: 'es2023',
    parser: { syntax: 'typescript', decorators: true },
    keepClassNames: true,
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
  },
  module: { type: 'es6' },
};

const project = (displayName, testMatch) => ({
  displayName,
  testMatch: testMatch.map((pattern) => (pattern.startsWith('!') ? pattern : `<rootDir>/${pattern}`)),
  testEnvironment: 'node',
  // Libraries by their sources: no test needs a build of what it imports.
  testEnvironmentOptions: { customExportConditions: ['@shardnode/source', 'node', 'node-addons'] },
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  modulePathIgnorePatterns: ['<rootDir>/.*/dist/'],
  transform: { '^.+\\.ts$': ['@swc/jest', swc] },
});

const isLong = process.env.LONG === '1';

/**
 * Import thousands of recorded or random blocks, are killed again and again, compute for a minute, or need an idle machine:
 * they freeze and cut servers, measure time, or search at random.
 */
const slow = [
  'apps/explorer/test/@(audit|failing-database|random-trees|request-rate|stream|verify-job).spec.ts',
  'apps/explorer/test/plans/plans.spec.ts',
  'apps/explorer/test/recorded-answers/recorded-answers.spec.ts',
  'apps/gateway/test/@(cached-operations|cluster-view|compiling-threads|edge-security|rate-limit|redis|shared-cache|submits-refused).spec.ts',
  'apps/group-node/test/@(busy-group|clocks|contract-forks|contract-history|failed-commit|hard-blocks|hot-addresses|large-reads|ledger-oracle|long-scripts|mined-commits|nonce-finder|poisoned-messages|pool-life|random-forks|rare-nonces|replay|restart|small-caches|split|state-check|store-away|store-history|unreliable-bus|writer-lock).spec.ts',
  'apps/group-node/test/pruning-*.spec.ts',
  'apps/localnet/test/service-process.spec.ts',
  'apps/simulator/test/*.spec.ts',
  'apps/wallet-service/test/@(key-stretching|poisoned-messages|secrets|writer-lock|wrong-passwords).spec.ts',
  'libs/compiler/test/hostile-sources.spec.ts',
  'libs/core/test/bus/nats-failures.spec.ts',
  'libs/core/test/cache/redis-cache.spec.ts',
  'libs/core/test/database/server-database.spec.ts',
  'libs/core/test/servers/servers.spec.ts',
  'libs/messages/test/nats-permissions.spec.ts',
  'tools/fuzz-@(compiler|machine)/*.spec.ts',
  'tools/replay/test/*.spec.ts',
];
/** Take minutes, start processes and containers of their own, flood a network, or wait for what a browser draws. */
const networks = [
  'e2e/@(abuse|bad-input|contracts-kill-nine|docs-page|exchange-clients|fuzz|hot-wallet|kill-nine|large-address|npm-start|restart|sixteen-chains|transcripts|wallet).spec.ts',
  'e2e/@(cluster-start|compose-run|restore-drill|rotation).spec.ts',
  'e2e/attacks/@(body-pieces|failing-scripts|full-pool|hostile-sources|large-answers|long-texts|minted-coins).spec.ts',
  'e2e/explorer/@(deposits|described-api|following|page|page-address|page-contract|page-frame|page-live|page-proofs).spec.ts',
];
/** Not run over processes: what is about `npm start`, the README and the files of Compose, or has processes of its own. */
const oneProcess =
  'e2e/@(npm-start|readme|compose|compose-run|cluster-start|restore-drill|rotation|contracts-kill-nine).spec.ts';
/**
 * Shapes of requests and answers, pages and compiled sources, which the gateway makes without knowing what it talks to,
 * and what faults cover there.
 */
const oneProcessUnlessLong =
  'e2e/@(abuse|bad-input|compiling|docs-page|documented-examples|exchange-clients|fuzz|generated-client|health|hot-wallet|large-address|restart|sixteen-chains|kill-nine|wallet).spec.ts';
/**
 * Run by `npm run test:long` alone. The others do the same harm for a shorter time: `survival` and `kill-nine-cluster` kill
 * under transfers and contracts, `contracts-kill-nine` kills the network of one process, `slow` replays the same history.
 */
const atFullLength = [
  'e2e/faults/@(contract-history|contracts|frozen-group|overload).spec.ts',
  'e2e/kill-nine.spec.ts',
];
const except = (patterns) => patterns.map((pattern) => `!**/${pattern}`);

const shortened = isLong ? [] : except(atFullLength);

/** Sizes of test. `npm test` runs the first three, `npm run test:cluster` the others; each spec file belongs to one of them. */
export default {
  testTimeout: 600_000,
  // Of e2e, networks and faults, which run alone: the targets of other tests name one worker. Full lengths want the machine for themselves.
  maxWorkers: isLong ? 1 : 2,
  workerIdleMemoryLimit: '1GB',
  verbose: false,
  projects: [
    // Beside the sources; nothing outside the process.
    project('unit', [
      'libs/*/src/**/*.spec.ts',
      'apps/*/{src,web}/**/*.spec.ts',
      'tools/**/*.spec.ts',
      ...except(slow),
    ]),
    // One service with its database or its servers.
    project('integration', ['{libs,apps}/*/test/**/*.spec.ts', ...except(slow)]),
    // A whole network in one process, seen from outside; with a part of it taken over.
    project('e2e', ['e2e/*.spec.ts', 'e2e/attacks/*.spec.ts', 'e2e/explorer/*.spec.ts', ...except(networks)]),
    project('slow', slow),
    project('networks', [...networks, ...shortened]),
    // A cluster that is harmed, and the tests of the kit that harms it.
    project('faults', ['e2e/{faults,kit,soak}/**/*.spec.ts', ...shortened]),
    // `e2e` and `networks` once more over processes (DEPLOYMENT=cluster), with PostgreSQL, NATS and Redis.
    ...(process.env.DEPLOYMENT === 'cluster'
      ? [project('cluster', ['e2e/*.spec.ts', ...except([oneProcess, ...(isLong ? [] : [oneProcessUnlessLong])])])]
      : []),
  ],
};
