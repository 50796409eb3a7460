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
    testTimeout: 300_000,
    hookTimeout: 120_000,
    // Patience costs a test nothing that passes, and a busy machine needs it.
    expect: { poll: { timeout: 60_000 } },
  },
});
