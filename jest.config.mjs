const libraryDoors = {
  '^@shardnode/(messages|http)$': '<rootDir>/libs/$1/src/index.ts',
  '^@shardnode/(gateway|group-node|wallet-service|localnet)$': '<rootDir>/apps/$1/src/index.ts',
  '^@shardnode/(protocol|core|messages|testing)/([^/]+)$': '<rootDir>/libs/$1/src/$2/index.ts',
  '^(\\.{1,2}/.*)\\.js$': '$1',
};
const transform = {
  '^.+\\.ts$': [
    '@swc/jest',
    {
      jsc: {
        target: 'es2023',
        parser: { syntax: 'typescript', decorators: true },
        keepClassNames: true,
        transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
      },
      module: { type: 'es6' },
    },
  ],
};
const project = (displayName, testMatch) => ({
  displayName,
  testMatch,
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: libraryDoors,
  modulePathIgnorePatterns: ['<rootDir>/.*/dist/'],
  transform,
});
/**
 * Sizes of test: pure beside the source, a service with a real database, the network from outside, and that under faults
 * (with what the tests from outside share, which has tests of its own).
 */
export default {
  // A cluster's seven processes start together on what cores there are; the full lengths take their time.
  testTimeout: process.env.DEPLOYMENT === 'cluster' || process.env.LONG === '1' ? 300_000 : 120_000,
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
