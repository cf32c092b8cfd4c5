import js from '@eslint/js';
import nx from '@nx/eslint-plugin';
import typescript from 'typescript-eslint';
import { boundaries, folderOrders, rulesLibraryFloors } from './tools/lint/boundaries.mjs';

const sizes = {
  'max-lines': ['error', { max: 400, skipBlankLines: true, skipComments: true }],
  'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true, IIFEs: true }],
};

export default [
  {
    ignores: [
      '**/dist/**',
      '**/generated/**',
      '**/node_modules/**',
      '.nx/**',
      'data/**',
      'tools/lint/fixtures/**',
      '**/fixtures/**',
      // Compiled by their tests with clients that the tests generate.
      'e2e/generated-client/exchange-day.ts',
      'e2e/generated-explorer-client/account-statement.ts',
    ],
  },
  js.configs.recommended,
  ...typescript.configs.recommended,
  {
    files: ['**/*.{ts,tsx}'],
    plugins: { '@nx': nx },
    languageOptions: { parserOptions: { project: ['./tsconfig.eslint.json'], tsconfigRootDir: import.meta.dirname } },
    rules: {
      ...boundaries,
      ...sizes,
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: false }],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-empty-object-type': 'off',
      'no-restricted-exports': ['error', { restrictDefaultExports: { direct: true } }],
      eqeqeq: ['error', 'always'],
    },
  },
  {
    // Run in a browser, and so has types of its own.
    files: ['apps/explorer/web/**/*.{ts,tsx}'],
    languageOptions: { parserOptions: { project: ['./apps/explorer/tsconfig.web.json'] } },
  },
  ...rulesLibraryFloors,
  ...folderOrders,
  {
    files: ['**/*.spec.ts', '**/test/**/*.ts', 'e2e/**/*.ts', 'bench/**/*.ts', 'tools/**/*.ts'],
    rules: { 'max-lines': 'off', 'max-lines-per-function': 'off', '@nx/enforce-module-boundaries': 'off' },
  },
  {
    files: ['**/*.mjs', '**/*.js'],
    languageOptions: {
      globals: {
        process: 'readonly',
        console: 'readonly',
        URL: 'readonly',
        Buffer: 'readonly',
        setTimeout: 'readonly',
        globalThis: 'readonly',
        fetch: 'readonly',
        performance: 'readonly',
        clearTimeout: 'readonly',
        setInterval: 'readonly',
        clearInterval: 'readonly',
        TextDecoder: 'readonly',
        WebAssembly: 'readonly',
      },
    },
    rules: { 'no-restricted-exports': 'off' },
  },
  {
    files: ['{apps,libs}/*/src/docs/page/*.js'],
    languageOptions: {
      globals: {
        document: 'readonly',
        localStorage: 'readonly',
        location: 'readonly',
        matchMedia: 'readonly',
        navigator: 'readonly',
        requestAnimationFrame: 'readonly',
        URLSearchParams: 'readonly',
      },
    },
  },
];
