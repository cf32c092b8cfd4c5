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

/** Import thousands of recorded or random blocks, are killed again and again, compute for a minute, or need an idle machine. */
const slow = [
  'libs/core/test/bus/nats-failures.spec.ts',
  'apps/group-node/test/@(contract-forks|contract-history|failed-commit|hard-blocks|hot-addresses|ledger-oracle|random-forks|rare-nonces|replay|small-caches|store-history|writer-lock).spec.ts',
  'apps/group-node/test/pruning-@(histories|kill-nine|reorganisations|replay|steps).spec.ts',
  'apps/simulator/test/*.spec.ts',
  'tools/fuzz-machine/*.spec.ts',
  'tools/replay/test/*.spec.ts',
];
/** Take minutes, or start processes and containers of their own. */
const networks = [
  'e2e/@(abuse|contracts-kill-nine|exchange-clients|fuzz|hot-wallet|kill-nine|large-address|npm-start|restart|sixteen-chains|transcripts).spec.ts',
  'e2e/@(cluster-start|compose-run|restore-drill|rotation).spec.ts',
];
/** Not run over processes: what is about `npm start`, the README and the files of Compose, or has processes of its own. */
const oneProcess =
  'e2e/@(npm-start|readme|compose|compose-run|cluster-start|restore-drill|rotation|contracts-kill-nine).spec.ts';
/** Shapes of requests and answers, which the gateway makes without knowing what it talks to, and what faults cover there. */
const oneProcessUnlessLong =
  'e2e/@(abuse|bad-input|documented-examples|exchange-clients|fuzz|generated-client|health|hot-wallet|large-address|restart|sixteen-chains|kill-nine|wallet).spec.ts';
const except = (patterns) => patterns.map((pattern) => `!**/${pattern}`);

/** Sizes of test. `npm test` runs the first three, `npm run test:cluster` the others; each spec file belongs to one of them. */
export default {
  testTimeout: 600_000,
  // Of faults: the targets of other tests name one worker. Full lengths want the machine for themselves.
  maxWorkers: process.env.LONG === '1' ? 1 : 2,
  workerIdleMemoryLimit: '1GB',
  verbose: false,
  projects: [
    // Beside the sources; nothing outside the process.
    project('unit', ['libs/*/src/**/*.spec.ts', 'apps/*/src/**/*.spec.ts', 'tools/**/*.spec.ts', ...except(slow)]),
    // One service with its database or its servers.
    project('integration', ['{libs,apps}/*/test/**/*.spec.ts', ...except(slow)]),
    // A whole network in one process, seen from outside; with a part of it taken over.
    project('e2e', ['e2e/*.spec.ts', 'e2e/attacks/*.spec.ts', ...except(networks)]),
    project('slow', slow),
    project('networks', networks),
    // A cluster that is harmed, and the tests of the kit that harms it.
    project('faults', ['e2e/{faults,kit}/**/*.spec.ts']),
    // `e2e` and `networks` once more over processes (DEPLOYMENT=cluster), with PostgreSQL, NATS and Redis.
    ...(process.env.DEPLOYMENT === 'cluster'
      ? [
          project('cluster', [
            'e2e/*.spec.ts',
            ...except([oneProcess, ...(process.env.LONG === '1' ? [] : [oneProcessUnlessLong])]),
          ]),
        ]
      : []),
  ],
};
