const project = (displayName, testMatch) => ({
  displayName,
  testMatch,
  // Node loads the modules, and compiles them (tools/source).
  runtime: '<rootDir>/tools/test/native/runtime.mjs',
  testEnvironment: '<rootDir>/tools/test/native/environment.mjs',
  testEnvironmentOptions: { globalsCleanup: 'off' },
  modulePathIgnorePatterns: ['<rootDir>/.*/dist/'],
  transform: {},
});
/**
 * Sizes of test: pure beside the source, a service with a real database, the network from outside, and that under faults
 * (with what the tests from outside share, which has tests of its own).
 */
export default {
  // A cluster's seven processes start together on what cores there are; the full lengths take their time.
  testTimeout: ['cluster', 'compose'].includes(process.env.DEPLOYMENT) || process.env.LONG === '1' ? 300_000 : 120_000,
  projects: [
    project('unit', [
      '<rootDir>/libs/**/src/**/*.spec.ts',
      '<rootDir>/apps/**/src/**/*.spec.ts',
      '<rootDir>/tools/**/*.spec.ts',
    ]),
    project('integration', ['<rootDir>/libs/*/test/**/*.spec.ts', '<rootDir>/apps/*/test/**/*.spec.ts']),
    project('e2e', ['<rootDir>/e2e/*.spec.ts']),
    project('faults', ['<rootDir>/e2e/faults/**/*.spec.ts', '<rootDir>/e2e/kit/**/*.spec.ts']),
  ],
};
