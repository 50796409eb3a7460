import { mergeConfig } from 'vite';
import { defineConfig } from 'vitest/config';
import { DEFAULT_LANGUAGE, languageCodes } from './src/lib/languages.ts';
import viteConfig from './vite.config.ts';

const language = process.env.LANGUAGE ?? DEFAULT_LANGUAGE;
const translated = languageCodes.join('|');
/** `make test` runs everything at once, in CI too, which makes the machine slow. A test run alone fails within five seconds. */
const patient = Boolean(process.env.PATIENT);

export default mergeConfig(
  viteConfig,
  defineConfig({
    test: {
      environment: 'jsdom',
      environmentOptions: { jsdom: { url: 'http://localhost:3000/' } },
      // LANGUAGE=hi runs what is tested in Hindi, and nothing else does.
      include:
        language === DEFAULT_LANGUAGE
          ? [`src/**/!(*.@(${translated})).test.{ts,tsx}`, 'eslint/*.test.mjs']
          : [`src/**/*.${language}.test.{ts,tsx}`],
      setupFiles: ['./src/testing/setup.ts'],
      css: false,
      // For a test that waits for nothing in particular; what tests wait for has the limits below and in setup-dom.ts.
      testTimeout: patient ? 600_000 : 30_000,
      hookTimeout: patient ? 600_000 : 30_000,
      teardownTimeout: 60_000,
      expect: { poll: { timeout: patient ? 120_000 : 4000 } },
      // One worker loads each module once for all of its files; what a test leaves behind, src/testing/setup-dom.ts clears.
      isolate: false,
      clearMocks: true,
      maxWorkers: '100%',
      env: { DEBUG_PRINT_LIMIT: '0' },
    },
  }),
);
