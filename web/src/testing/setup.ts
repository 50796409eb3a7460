import { vi } from 'vitest';
import type * as reload from '@/lib/reload';

// Test documents cannot reload. The mocks belong to the worker and not to a file: a module that an earlier file loaded keeps its first
// mocks.
vi.mock('@/lib/reload', (): typeof reload => {
  const worker = globalThis as { reload?: typeof reload };
  worker.reload ??= { reloadPage: vi.fn(), openAfresh: vi.fn(), leaveFor: vi.fn() };
  return worker.reload;
});

// Tests that render nothing run without a document (`@vitest-environment node`) and skip this.
if (typeof document !== 'undefined') {
  const { setUpDocument } = await import('./setup-dom');
  setUpDocument();
}
