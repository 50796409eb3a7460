import { defineConfig } from 'vitest/config';
import { ClockLast } from './support/order.ts';

/** Browser tests on a running stack: one file at a time, because they share its clock and one Chromium. */
export default defineConfig({
  test: {
    root: import.meta.dirname,
    environment: 'node',
    include: ['**/*.e2e.ts'],
    globalSetup: ['./support/stack.ts'],
    fileParallelism: false,
    // One worker for all files keeps the one Chromium open throughout.
    isolate: false,
    sequence: { sequencer: ClockLast },
    testTimeout: 300_000,
    hookTimeout: 120_000,
    // Patience costs a test nothing that passes, and a busy machine needs it.
    expect: { poll: { timeout: 60_000 } },
  },
});
