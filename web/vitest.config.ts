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
      // Loading React, the application and a document once a worker takes a third of the time of once a file.
      isolate: false,
      testTimeout: 30_000,
      maxWorkers: '100%',
      env: { DEBUG_PRINT_LIMIT: '0' },
    },
  }),
);
