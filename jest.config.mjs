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
  testMatch,
  testEnvironment: 'node',
  // Libraries by their sources: no test needs a build of what it imports.
  testEnvironmentOptions: { customExportConditions: ['@shardnode/source', 'node', 'node-addons'] },
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  modulePathIgnorePatterns: ['<rootDir>/.*/dist/'],
  transform: { '^.+\\.ts$': ['@swc/jest', swc] },
});

/** Sizes of test: beside the sources (pure), of one service with its servers, of a whole network from outside, under faults. */
export default {
  testTimeout: 600_000,
  workerIdleMemoryLimit: '1GB',
  projects: [
    project('unit', [
      '<rootDir>/libs/**/src/**/*.spec.ts',
      '<rootDir>/apps/**/src/**/*.spec.ts',
      '<rootDir>/tools/**/!(test)/*.spec.ts',
    ]),
    project('integration', ['<rootDir>/{libs,apps,tools}/*/test/**/*.spec.ts']),
    project('e2e', ['<rootDir>/e2e/*.spec.ts']),
    project('faults', ['<rootDir>/e2e/faults/**/*.spec.ts', '<rootDir>/e2e/kit/**/*.spec.ts']),
  ],
};
