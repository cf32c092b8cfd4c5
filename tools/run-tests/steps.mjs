/** The steps of `npm test`: each a command, with the report of its tests where it has one. */
export const isLong = process.env.LONG === '1';
export const reports = 'node_modules/.cache/test-reports';

/**
 * Megabytes; in full length the load of an overload alone holds a million signed transactions, and what is under way is not to
 * be copied beside them.
 */
const heap = isLong ? ['--max-old-space-size=14336', '--max-semi-space-size=64'] : [];

const jest = (project, options = [], { name = project, environment = {} } = {}) => ({
  name,
  command: [
    'node',
    ...heap,
    '--experimental-vm-modules',
    'node_modules/jest/bin/jest.js',
    '--selectProjects',
    project,
    '--json',
    ...options,
  ],
  environment,
  report: `${reports}/${name}.json`,
});

const inOrder = ['--runInBand', '--forceExit'];

/**
 * Not run over processes: what is about `npm start` and the README; and, but for full lengths, what is about the shapes of
 * requests and answers alone, which the gateway makes without knowing what it talks to, and what the faults cover there.
 */
const embeddedAlone = ['npm-start', 'readme.spec', 'e2e/compose'];
const shapesAlone = [
  'abuse',
  'bad-input',
  'documented-examples',
  'exchange-clients',
  'fuzz',
  'generated-client',
  'health',
  'hot-wallet',
  'large-address',
  'restart.spec',
  'sixteen-chains',
  'e2e/kill-nine.spec',
  'wallet.spec',
];
const leftOut = isLong ? embeddedAlone : [...embeddedAlone, ...shapesAlone];

/** Has no clock but its own, and nothing to wait for. */
const simulation = 'apps/simulator/test/simulate.spec';
/** Import thousands of recorded or random blocks, and nobody waits for them. */
const histories =
  'group-node/test/(contract-forks|contract-history|failed-commit|ledger-oracle|pruning-histories|pruning-replay|replay|replay-bus|hot-addresses|store-history).spec';
/** Milliseconds for a test: with a tenth of a processor everything takes long. */
const patience = '--testTimeout=600000';

/** `isPatient`: works all the time, and nothing in it depends on how fast; what others leave of the machine is enough for it. */
const steps = {
  lint: { name: 'lint', command: ['node', 'tools/lint/run.mjs'], isPatient: true },
  types: {
    name: 'types',
    command: ['node', 'node_modules/typescript/bin/tsc', '-p', 'tsconfig.spec.json'],
    isPatient: true,
  },
  unit: { ...jest('unit', isLong ? ['--maxWorkers=2', '--forceExit'] : inOrder), isPatient: true },
  integration: jest('integration', [...inOrder, `--testPathIgnorePatterns=${simulation}|${histories}`]),
  simulator: {
    ...jest('integration', [...inOrder, patience, `--testPathPatterns=${simulation}`], { name: 'simulator' }),
    isPatient: true,
  },
  histories: {
    ...jest('integration', [...inOrder, patience, `--testPathPatterns=${histories}`], { name: 'histories' }),
    isPatient: true,
  },
  // `rotation` has processes of its own, whatever runs beside.
  e2e: jest('e2e', [...inOrder, '--testPathIgnorePatterns=cluster-start|compose-run|restore-drill|rotation']),
  cluster: jest('e2e', [...inOrder, `--testPathIgnorePatterns=${leftOut.join('|')}`], {
    name: 'cluster',
    environment: { DEPLOYMENT: 'cluster' },
  }),
  // The exchange's day, stops and kills over the images and docker-compose.yml; skipped where containers cannot run.
  containers: {
    name: 'containers',
    command: ['node', 'tools/containers.mjs', 'day', '--json'],
    environment: {},
    report: `${reports}/containers.json`,
  },
  faults: jest('faults', inOrder),
  bench: {
    name: 'bench',
    command: ['node', 'bench/run.mjs'],
    environment: { BENCH_SECONDS: isLong ? '5' : '1' },
    // Figures of a second beside others tell nothing: it is seen that they are made.
    isPatient: true,
  },
};

/**
 * What runs one after the other; the steps of an inner list beside each other, the longest first, and the patient ones beside
 * all of them: the others wait a good deal. Full figures and full lengths want the machine for themselves.
 */
export const phasesOf = (chosen) =>
  (isLong
    ? [
        ['lint'],
        ['types'],
        ['unit'],
        ['integration'],
        ['simulator'],
        ['histories'],
        ['e2e'],
        ['cluster'],
        ['containers'],
        ['faults'],
        ['bench'],
      ]
    : [['faults', 'integration', 'e2e', 'cluster', 'simulator', 'unit', 'histories', 'bench', 'lint', 'types']]
  )
    .map((names) => names.filter((name) => chosen.length === 0 || chosen.includes(name)))
    .map((names) => names.map((name) => steps[name]))
    .filter((phase) => phase.length > 0);
