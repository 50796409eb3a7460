import query from '@tanstack/eslint-plugin-query';
import boundaries from 'eslint-plugin-boundaries';
import checkFile from 'eslint-plugin-check-file';
import importX from 'eslint-plugin-import-x';
import jsxA11y from 'eslint-plugin-jsx-a11y';
import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';
import { maxHooks } from './eslint/max-hooks.mjs';
import { rawInputs } from './eslint/raw-inputs.mjs';

/** What features share: parts without an API, parts with one, and texts, client and formats. */
const shared = { type: ['ui', 'domain', 'base', 'start'] };
const allow = (from, to) => ({ from: { element: from }, allow: { to } });

export default tseslint.config(
  { ignores: ['.built/', 'dist/', 'dist-server/', 'public/', '**/*.gen.ts'] },
  ...tseslint.configs.recommended,
  ...query.configs['flat/recommended-strict'],
  jsxA11y.flatConfigs.recommended,
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.recommendedTypeCheckedOnly],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-unnecessary-condition': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/no-base-to-string': 'off',
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/unbound-method': 'off',
      // The source has no `any`; to follow those of libraries takes a quarter of the linter's time.
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
    },
  },
  {
    files: ['src/**/*.{ts,tsx}'],
    plugins: {
      boundaries,
      'import-x': importX,
      'check-file': checkFile,
      'react-hooks': reactHooks,
      local: { rules: { 'max-hooks': maxHooks, 'raw-inputs': rawInputs } },
    },
    settings: {
      'import/resolver': { typescript: true },
      'boundaries/elements': [
        { type: 'app', pattern: 'src/(app|start/entry)' },
        { type: 'feature', pattern: 'src/features/*', capture: ['name'] },
        { type: 'testing', pattern: 'src/testing' },
        { type: 'domain', pattern: 'src/domain' },
        { type: 'ui', pattern: 'src/ui' },
        { type: 'base', pattern: 'src/(content|lib|styles)' },
        { type: 'start', pattern: 'src/start/(inline|page)' },
        { type: 'build', pattern: 'src/start/build' },
      ],
    },
    rules: {
      'boundaries/dependencies': [
        'error',
        {
          default: 'disallow',
          policies: [
            allow({ type: 'app' }, { element: { type: ['app', 'feature', ...shared.type] } }),
            allow({ type: 'feature' }, [
              { element: shared },
              { element: { type: 'feature', captured: { name: '{{from.captured.name}}' } } },
            ]),
            allow({ type: 'domain' }, { element: shared }),
            allow({ type: 'ui' }, { element: { type: ['ui', 'base', 'start'] } }),
            allow({ type: ['base', 'start'] }, { element: { type: ['base', 'start'] } }),
            allow({ type: 'start' }, { element: { type: 'ui' } }),
            allow({ type: 'build' }, { element: { type: ['build', 'app', ...shared.type] } }),
            allow({ type: 'testing' }, { element: { type: ['testing', ...shared.type] } }),
          ],
        },
      ],
      'react-hooks/rules-of-hooks': 'error',
      'react-hooks/exhaustive-deps': 'error',
      'import-x/no-default-export': 'error',
      'import-x/no-cycle': 'error',
      'no-restricted-imports': [
        'error',
        {
          paths: [{ name: 'react-bootstrap', message: 'import the part, e.g. react-bootstrap/Modal' }],
          patterns: [{ group: ['**/*.fixture', '**/*.test'], message: 'for tests only' }],
        },
      ],
      'no-restricted-syntax': [
        'error',
        { selector: 'JSXAttribute[name.name="style"]', message: 'no inline style: use a class of a style sheet' },
        { selector: 'Literal[value=/^#[0-9a-f]{3,8}$/i]', message: 'no hex colours outside src/styles/_tokens.scss' },
      ],
      'check-file/filename-naming-convention': [
        'error',
        { 'src/**/*.{ts,tsx}': 'KEBAB_CASE' },
        { ignoreMiddleExtensions: true },
      ],
      'local/max-hooks': ['error', 8],
      'max-lines': ['error', { max: 250, skipBlankLines: true, skipComments: true }],
      'max-lines-per-function': ['error', { max: 80, skipBlankLines: true, skipComments: true }],
    },
  },
  {
    files: ['src/ui/**/*.{ts,tsx}'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          paths: [
            { name: 'react-bootstrap', message: 'import the part, e.g. react-bootstrap/Modal' },
            {
              name: '@tanstack/react-query',
              importNames: ['useQuery', 'useMutation', 'useQueryClient', 'queryOptions'],
              message: 'ui/ has no API: components with data are in domain/',
            },
          ],
          patterns: [
            { group: ['**/*.fixture', '**/*.test'], message: 'for tests only' },
            {
              regex: '^@/lib/api/(?!errors$|server-words$)',
              message: 'ui/ has no API: components with data are in domain/',
            },
          ],
        },
      ],
    },
  },
  { files: ['src/features/support/**/*.tsx'], rules: { 'local/raw-inputs': 'error' } },
  {
    files: ['src/**/*.{test,fixture}.{ts,tsx}'],
    rules: {
      'boundaries/dependencies': 'off',
      'no-restricted-imports': 'off',
      'max-lines-per-function': 'off',
      'local/raw-inputs': 'off',
      // Such an assertion gives a parameter with a default its type.
      '@typescript-eslint/no-unnecessary-type-assertion': 'off',
    },
  },
  {
    files: ['src/{ui,domain,features}/**/*.{test,fixture}.{ts,tsx}'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          paths: [
            {
              name: 'msw',
              importNames: ['http'],
              message: 'use mock or answer of @/testing/server, which know the contract',
            },
          ],
        },
      ],
    },
  },
);
