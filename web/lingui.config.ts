import { defineConfig } from '@lingui/conf';
import { formatter } from '@lingui/format-po';
import { DEFAULT_LANGUAGE, languageCodes } from './src/lib/languages.ts';
import { RUNTIME } from './vite/runtime.ts';

/**
 * English stands in the source, inside the macros; each other language has one catalogue. `npm run messages` brings
 * the catalogues up to date, and the build refuses a text without a translation (vite/translate.ts).
 */
export default defineConfig({
  sourceLocale: DEFAULT_LANGUAGE,
  locales: languageCodes.filter((language) => language !== DEFAULT_LANGUAGE),
  catalogs: [
    {
      path: '<rootDir>/src/locales/{locale}',
      include: ['<rootDir>/src'],
      exclude: ['**/*.test.*', '**/*.fixture.*', '**/testing/**', '**/*.gen.ts'],
    },
  ],
  // Without lines of the source, which would change with every edit and collide in every merge.
  format: formatter({ lineNumbers: false }),
  orderBy: 'message',
  runtimeConfigModule: RUNTIME,
});
