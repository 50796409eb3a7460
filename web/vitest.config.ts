import { mergeConfig } from 'vite';
import { defineConfig } from 'vitest/config';
import viteConfig from './vite.config.ts';

export default mergeConfig(
  viteConfig,
  defineConfig({
    test: {
      environment: 'jsdom',
      environmentOptions: { jsdom: { url: 'http://localhost:3000/' } },
      include: ['src/**/*.test.{ts,tsx}'],
      setupFiles: ['./src/testing/setup.ts'],
      css: false,
      testTimeout: 60_000,
      // One worker loads each module once for all of its files; what a test leaves behind, src/testing/setup-dom.ts clears.
      isolate: false,
      clearMocks: true,
      maxWorkers: '100%',
      env: { DEBUG_PRINT_LIMIT: '0' },
    },
  }),
);
