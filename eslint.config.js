import tseslint from 'typescript-eslint';
import { noUnknownOverride } from './scripts/lint/no-unknown-override.js';

/** What ships, and what is run in development only. */
const PRODUCT = ['src/**/*.ts', 'simulator/**/*.ts', 'sdk/**/*.ts', 'dashboard/src/**/*.{ts,tsx}'];
const DEVELOPMENT = ['scripts/**/*.ts', 'tests/**/*.ts', 'bench/**/*.ts'];

export default tseslint.config(
  { ignores: ['dist/**', 'node_modules/**', 'coverage/**', 'data/**', 'sdk/src/types.ts'] },
  {
    files: [...PRODUCT, ...DEVELOPMENT],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    plugins: { subledger: { rules: { 'no-unknown-override': noUnknownOverride } } },
    rules: {
      'subledger/no-unknown-override': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/consistent-type-imports': 'error',
      // What is rejected may be a caught error, which has no type.
      '@typescript-eslint/prefer-promise-reject-errors': ['error', { allowThrowingUnknown: true }],
      'no-empty': 'error',
      eqeqeq: ['error', 'always', { null: 'ignore' }],

      // The compiler reports what is unused, and knows the names that only a {@link} uses.
      '@typescript-eslint/no-unused-vars': 'off',
      // Drivers, JSON.parse and commander return `any`, which gets its type by the annotation of the variable, parameter or result that takes it.
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      // Ports and services are objects of functions without `this`, and are destructured everywhere.
      '@typescript-eslint/unbound-method': 'off',
      // A function of a port is `async` so that what it throws rejects its promise, whether it waits for something or not.
      '@typescript-eslint/require-await': 'off',
      // A field of a stored record is JSON, and String() reads a text out of it.
      '@typescript-eslint/no-base-to-string': 'off',
    },
  },
  {
    files: DEVELOPMENT,
    rules: {
      // Specs and scripts read responses and documents as parsed JSON; an assertion fails where a field is missing.
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
    },
  },
);
