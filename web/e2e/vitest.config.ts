import { defineConfig } from 'vitest/config';
import { ClockLast } from './support/order.ts';
import { workers } from './support/workers.ts';

/** Browser tests on running stacks: one file at a time on each, because they share its clock and its worker's Chromium. */
export default defineConfig({
  test: {
    root: import.meta.dirname,
    environment: 'node',
    include: ['**/*.e2e.ts'],
    globalSetup: ['./support/stack.ts'],
    maxWorkers: workers(),
    // A worker keeps its Chromium open for all its files.
    isolate: false,
    sequence: { sequencer: ClockLast },
    // Patience costs a test nothing that passes, and a busy machine needs it.
    testTimeout: 1_800_000,
    hookTimeout: 600_000,
    teardownTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
  },
});
