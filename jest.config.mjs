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

const isLong = process.env.LONG === '1';

/** @param seconds that a test, or what runs before and after it, may take; files that need more say so, with a reason */
const project = (displayName, seconds, testMatch) => ({
  displayName,
  globals: { testTimeoutMs: (isLong ? 600 : seconds) * 1_000 },
  setupFilesAfterEnv: ['<rootDir>/tools/run-tests/set-timeout.mjs'],
  testMatch: testMatch.map((pattern) => (pattern.startsWith('!') ? pattern : `<rootDir>/${pattern}`)),
  testEnvironment: 'node',
  // Libraries by their sources: no test needs a build of what it imports.
  testEnvironmentOptions: { customExportConditions: ['@shardnode/source', 'node', 'node-addons'] },
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  modulePathIgnorePatterns: ['<rootDir>/.*/dist/'],
  transform: { '^.+\\.ts$': ['@swc/jest', swc] },
});

/** Not run over processes: what is about `npm start`, the README and the files of Compose, or has processes of its own. */
const oneProcess =
  '@(npm-start|readme|compose|compose-run|cluster-start|restore-drill|rotation|contracts-kill-nine).spec.ts';
/**
 * Shapes of requests and answers, pages and compiled sources, which the gateway makes without knowing what it talks to,
 * and what faults cover there.
 */
const oneProcessUnlessLong =
  '@(abuse|compiling|docs-page|documented-examples|exchange-clients|fuzz|generated-client|health|hot-wallet|large-address|restart|sixteen-chains|kill-nine|wallet).spec.ts';
/**
 * Run by `npm run test:long` alone. The others do the same harm for a shorter time: `survival` kills under transfers and
 * contracts, `contracts-kill-nine` kills the network of one process.
 */
const atFullLength = ['e2e/faults/@(frozen-group|overload).spec.ts', 'e2e/nightly/kill-nine.spec.ts'];
const except = (patterns) => patterns.map((pattern) => `!**/${pattern}`);

const shortened = isLong ? [] : except(atFullLength);

const notNightly = '!**/nightly/**';

/**
 * Sizes of test. `npm test` runs the first three, `npm run test:nightly` the others. The folder decides the size: what takes
 * minutes, freezes and cuts servers, measures time, needs an idle machine or searches at random is in one called `nightly`.
 */
export default {
  // Of e2e, networks and faults, which run alone: the targets of other tests name one worker. Full lengths want the machine for themselves.
  maxWorkers: isLong ? 1 : 2,
  workerIdleMemoryLimit: '1GB',
  // A worker that a test keeps alive is a failure (tools/test.mjs); on a busy machine the others need more than half a second.
  workerGracefulExitTimeout: 20_000,
  verbose: false,
  projects: [
    // Beside the sources; nothing outside the process.
    project('unit', 15, ['libs/*/src/**/*.spec.ts', 'apps/*/{src,web}/**/*.spec.ts', 'tools/**/*.spec.ts', notNightly]),
    // One service with its database or its servers.
    project('integration', 60, ['{libs,apps}/*/test/**/*.spec.ts', notNightly]),
    // A whole network in one process, seen from outside; with a part of it taken over.
    project('e2e', 60, ['e2e/*.spec.ts', 'e2e/{attacks,explorer}/*.spec.ts']),
    project('nightly', 600, ['{libs,apps,tools}/**/nightly/**/*.spec.ts']),
    project('networks', 600, ['e2e/nightly/**/*.spec.ts', ...shortened]),
    // A cluster that is harmed, and the tests of the kit that harms it.
    project('faults', 600, ['e2e/{faults,kit,soak}/**/*.spec.ts', ...shortened]),
    // Scenarios of `e2e` and `networks` once more over processes (DEPLOYMENT=cluster), with PostgreSQL, NATS and Redis.
    ...(process.env.DEPLOYMENT === 'cluster'
      ? [
          project('cluster', 600, [
            'e2e/*.spec.ts',
            'e2e/nightly/*.spec.ts',
            ...except([oneProcess, ...(isLong ? [] : [oneProcessUnlessLong])]),
          ]),
        ]
      : []),
  ],
};
